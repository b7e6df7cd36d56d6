import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import { ExpressionBuilder, type KeyTests, type RequestInput } from './expression.js'
import type { PlanOperation, PlanStep } from './plan.js'
import { ASSUMED_SIZES } from './price/read-price.js'
import { addLiveFilter, type PathQuery, type ReadOptions } from './read/options.js'

/** The assumed number of rows that a path finds. */
export const expectedItems = ({ sizes }: ReadOptions): number => sizes?.items ?? ASSUMED_SIZES.items

/** Creates a step of one request that reads `items` items. */
export function readStep(
  layout: Layout,
  id: number,
  operation: PlanOperation,
  input: RequestInput,
  { sizes, consistent }: ReadOptions,
  items: number,
  overrides?: Partial<PlanStep>,
  itemBytes = sizes?.itemBytes ?? ASSUMED_SIZES.itemBytes,
): PlanStep {
  const { name } = layout.design
  const transaction = operation === 'transactGetItems'
  const batch = operation === 'batchGetItem'
  if (consistent && !transaction) input.ConsistentRead = true
  if (!transaction && !batch) input.TableName = name
  const request = { operation, input: batch ? { RequestItems: { [name]: input } } : input }
  const consistency = transaction ? 'transactional' : consistent ? 'strong' : 'eventual'
  return { id, after: [], request, expected: { items, itemBytes, consistency }, ...overrides }
}

/** The target and the conditions of a Query or a Scan, which is read page by page. */
interface PagedRead {
  readonly index?: string | undefined
  /** Without key conditions, the step scans the whole table. */
  readonly tests?: KeyTests
  /** Keeps only items with these type marks. */
  readonly typeMarks?: readonly string[] | false
  /** Keeps only items whose partition key begins with this text. */
  readonly beginning?: string | false
  /** The attributes to project. */
  readonly attributes?: readonly string[] | false | undefined
  /** The type whose items DynamoDB counts, in place of returning them. */
  readonly countedType?: DeclaredType | false | undefined
  /** The assumed number of items that are read. */
  readonly items: number
  /** The size of each item in bytes, where it is known. */
  readonly itemBytes?: number | undefined
  readonly note?: string | false | undefined
}

export function pagesStep(
  layout: Layout,
  id: number,
  query: Omit<PathQuery, 'type' | 'path'>,
  pages: PagedRead,
): PlanStep {
  const { tests, typeMarks, beginning, note } = pages
  const { limit } = query
  const { names } = layout
  const input: RequestInput = {}
  const expressions = new ExpressionBuilder()
  if (pages.index !== undefined) input.IndexName = pages.index
  if (tests) input.KeyConditionExpression = expressions.keyCondition(tests)
  if (typeMarks) expressions.addOneOf(names.type, typeMarks)
  if (beginning) expressions.addCondition({ expression: expressions.keyTestCondition(names.partition, { beginning }) })
  if (pages.countedType) addLiveFilter(layout, pages.countedType, query, expressions)
  if (query.filter) expressions.addCondition(query.filter)
  const filter = expressions.addTo(input, pages.attributes)
  if (filter) input.FilterExpression = filter
  if (query.reverse) input.ScanIndexForward = false
  if (pages.countedType) input.Select = 'COUNT'
  const until = query.count || limit === undefined ? 'end' : limit
  if (tests && !filter && until !== 'end') input.Limit = until
  const more = { pages: { until }, ...(note && { notes: [note] }) } as const
  return readStep(layout, id, tests ? 'query' : 'scan', input, query, pages.items, more, pages.itemBytes)
}

/** Renumbers steps that are appended after `offset` others. */
export const renumberSteps = (steps: readonly PlanStep[], offset: number): PlanStep[] =>
  steps.map(step => ({ ...step, id: step.id + offset, after: step.after.map(id => id + offset) }))
