import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import { ExpressionBuilder, type KeyTests, type RequestInput } from './expression.js'
import type { PlanOperation, PlanStep } from './plan.js'
import { ASSUMED_SIZES, readPrice } from './price/read-price.js'
import { addLiveFilter, type PathQuery, type ReadOptions } from './read/options.js'

/** How many rows a path finds, as far as is known. */
export const expectedItems = ({ sizes }: ReadOptions): number => sizes?.items ?? ASSUMED_SIZES.items

/** One request, which reads so many items. */
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
  const read = transaction ? 'transactional' : consistent ? 'strong' : 'eventual'
  const price = readPrice(request, items, itemBytes, read)
  return { id, after: [], request, price, ...overrides }
}

/** Where a Query or a Scan reads, page by page, and what. */
interface PagedRead {
  readonly index?: string | undefined
  /** Without any the whole table is read. */
  readonly tests?: KeyTests
  /** Only items with these type marks. */
  readonly typeMarks?: readonly string[] | false
  /** Only items whose partition begins so. */
  readonly beginning?: string | false
  /** Only these attributes. */
  readonly attributes?: readonly string[] | false | undefined
  /** DynamoDB is to count those of this type. */
  readonly countedType?: DeclaredType | false | undefined
  /** How many are expected to be read. */
  readonly items: number
  /** How large each is, where that is known. */
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

/** Steps as they are numbered after so many others. */
export const renumberSteps = (steps: readonly PlanStep[], offset: number): PlanStep[] =>
  steps.map(step => ({ ...step, id: step.id + offset, after: step.after.map(id => id + offset) }))
