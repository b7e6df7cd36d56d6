import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import { leaveGone, type PathAsk, type ReadOptions } from './ask.js'
import { Expressions, type Input, type KeyTests } from './expression.js'
import type { DraftOperation, Step } from './plan.js'
import { ASSUMED, readPrice } from './price.js'

/** How many rows a path finds, as far as is known. */
export const expectedItems = ({ sizes }: ReadOptions): number => sizes?.items ?? ASSUMED.items

/** One request, which reads so many items. */
export function readStep(
  layout: Layout,
  id: number,
  operation: DraftOperation,
  asked: Input,
  { sizes, consistent }: ReadOptions,
  items: number,
  more?: Partial<Step>,
  itemBytes = sizes?.itemBytes ?? ASSUMED.itemBytes,
): Step {
  const { name } = layout.design
  const transaction = operation === 'transactGetItems'
  const batch = operation === 'batchGetItem'
  if (consistent && !transaction) asked.ConsistentRead = true
  if (!transaction && !batch) asked.TableName = name
  const request = { operation, input: batch ? { RequestItems: { [name]: asked } } : asked }
  const read = transaction ? 'transactional' : consistent ? 'strong' : 'eventual'
  const price = readPrice(request, items, itemBytes, read)
  return { id, after: [], request, price, ...more }
}

/** Where a Query or a Scan reads, page by page, and what. */
interface Pages {
  readonly index?: string | undefined
  /** Without any the whole table is read. */
  readonly tests?: KeyTests
  /** Only items with these type marks. */
  readonly marks?: readonly string[] | false
  /** Only items whose partition begins so. */
  readonly beginning?: string | false
  /** Only these attributes. */
  readonly attributes?: readonly string[] | false | undefined
  /** DynamoDB is to count those of this type. */
  readonly counted?: DeclaredType | false | undefined
  /** How many are expected to be read. */
  readonly items: number
  /** How large each is, where that is known. */
  readonly itemBytes?: number | undefined
  readonly note?: string | false | undefined
}

export function pagesStep(layout: Layout, id: number, ask: Omit<PathAsk, 'type' | 'path'>, pages: Pages): Step {
  const { tests, marks, beginning, note } = pages
  const { limit } = ask
  const { names } = layout
  const input: Input = {}
  const expressions = new Expressions()
  if (pages.index !== undefined) input.IndexName = pages.index
  if (tests) input.KeyConditionExpression = expressions.key(tests)
  if (marks) expressions.oneOf(names.type, marks)
  if (beginning) expressions.given({ expression: expressions.test(names.partition, { beginning }) })
  if (pages.counted) leaveGone(layout, pages.counted, ask, expressions)
  if (ask.filter) expressions.given(ask.filter)
  const filter = expressions.fill(input, pages.attributes)
  if (filter) input.FilterExpression = filter
  if (ask.reverse) input.ScanIndexForward = false
  if (pages.counted) input.Select = 'COUNT'
  const until = ask.count || limit === undefined ? 'end' : limit
  if (tests && !filter && until !== 'end') input.Limit = until
  const more = { pages: { until }, ...(note && { notes: [note] }) } as const
  return readStep(layout, id, tests ? 'query' : 'scan', input, ask, pages.items, more, pages.itemBytes)
}

/** Steps as they are numbered after so many others. */
export const shifted = (steps: readonly Step[], by: number): Step[] =>
  steps.map(step => ({ ...step, id: step.id + by, after: step.after.map(id => id + by) }))
