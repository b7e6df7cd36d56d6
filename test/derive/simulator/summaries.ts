import type { SqlRow } from '../../../src/batch/duckdb.js'
import type { SummaryJob } from '../../../src/batch/index.js'
import { stampIn } from '../../../src/batch/summaries/stamp.js'
import { type ParsedItem, parseItem } from '../../../src/derive/settle/side-items.js'
import type { AttributeValue, Item } from '../../../src/dynamodb/index.js'
import type { ChangeRecord } from '../../../src/dynamodb/operation-types.js'
import type { Layout } from '../../../src/layout/layout.js'
import { uniqueKeyTextOf } from '../../../src/plan/identity.js'
import { canonicalText } from '../../../src/plan/slot-values.js'
import { endNodeOf } from '../../../src/plan/write/effects/item-write.js'
import type { DeclaredEdge } from '../../../src/schema/declarations.js'

/** The column of the results of all jobs. */
const COLUMN = 'value'

const job = (type: string, summaryName: string): SummaryJob => ({
  name: `simulated.${type}`,
  type,
  into: { [summaryName]: COLUMN },
  definition: 'simulated',
  // The simulator answers the query of the result, so no program runs.
  program: () => ({ steps: [], result: 'simulated' }),
  isByIdentity: false,
})

/** A movie and an actor get the number of their roles, none instead of 0. A role gets the number of its movie. */
export const JOBS: readonly SummaryJob[] = [job('movie', 'fame'), job('actor', 'fame'), job('role', 'share')]

/** The columns of every result. */
export const COLUMNS = ['pk', 'sk', 'type', COLUMN]

/** The stored summary of an item, with the stored name; undefined if its type has none. */
function summaryOf(layout: Layout, { kind, item }: ParsedItem) {
  const name = Object.keys(kind.type.attributes).find(each => kind.type.attributes[each]!.kind === 'summary')
  if (name === undefined || !/^(node|edge|mirror)$/.test(kind.role)) return undefined
  const storedName = layout.names.attributeOf(kind.type, name)
  return { storedName, value: item[storedName], stamp: stampIn(item, storedName) }
}

/** Items that views show: neither expired nor marked for deletion. */
function rowsIn(layout: Layout, items: readonly Item[], atMs: number): ParsedItem[] {
  const { deletionMark, expires } = layout.names
  return items.flatMap(item => {
    const isExpired = item[expires]?.N !== undefined && Number(item[expires]!.N) * 1000 <= atMs
    const parsed = item[deletionMark] || isExpired ? undefined : parseItem(layout, item)
    return parsed ? [parsed] : []
  })
}

/** The result for each row by its key: what SQL would compute from these items. */
function resultsOf(layout: Layout, rows: readonly ParsedItem[]): (row: ParsedItem) => number | null {
  const counts = new Map<string, number>()
  const endKeys = ({ kind, values }: ParsedItem) =>
    (kind.type as DeclaredEdge).ends.map(end => uniqueKeyTextOf(layout, endNodeOf(layout, end, values).key))
  for (const row of rows)
    if (row.kind.role === 'edge' && row.kind.type.name === 'role')
      for (const key of endKeys(row)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return row => {
    if (row.kind.role === 'node') return counts.get(uniqueKeyTextOf(layout, row.item)) ?? null
    return counts.get(endKeys(row)[0]!) ?? null
  }
}

/** The rows of a result in the order of their keys, as the query of a job returns them. */
export function resultRows(layout: Layout, items: readonly Item[], atMs: number, { type }: SummaryJob): SqlRow[] {
  const { partition, sort } = layout.names
  const rows = rowsIn(layout, items, atMs)
  const resultOf = resultsOf(layout, rows)
  return rows
    .filter(({ kind }) => kind.type.name === type && kind.role !== 'mirror')
    .map(row => ({
      pk: row.item[partition]!.S!,
      sk: row.item[sort]!.S!,
      [COLUMN]: resultOf(row),
      item: JSON.stringify(row.item),
    }))
    .sort((a, b) => (a.pk === b.pk ? Number(a.sk > b.sk) - Number(a.sk < b.sk) : a.pk > b.pk ? 1 : -1))
}

/** The fault of the summaries of a settled table after the jobs ran: every item must have the result of these items. */
export function summaryFaultOf(layout: Layout, items: readonly Item[], atMs: number): string | undefined {
  const rows = rowsIn(layout, items, atMs)
  const resultOf = resultsOf(layout, rows)
  for (const row of rows) {
    const found = summaryOf(layout, row)
    const result = found && resultOf(row)
    if (found && found.value?.N !== (result === null ? undefined : String(result)))
      return `the summary '${found.storedName}' should be ${result}: ${JSON.stringify(row.item)}`
  }
  return undefined
}

/** The item without summaries and their stamps. */
export function withoutSummaries(layout: Layout, item: Item): Item {
  const parsed = parseItem(layout, item)
  const storedName = parsed && summaryOf(layout, parsed)?.storedName
  return Object.fromEntries(
    Object.entries(item).filter(([name]) => name !== storedName && !name.startsWith('$summary.')),
  ) as Record<string, AttributeValue>
}

/**
 * The fault of one change of the table: a write-back creates no item, changes nothing but summaries, and replaces no
 * summary of later data.
 */
export function summaryFaultIn(layout: Layout, { eventName, dynamodb }: ChangeRecord): string | undefined {
  const { OldImage: before, NewImage: after } = dynamodb ?? {}
  const parsed = after && parseItem(layout, after as Item)
  // Writers and the consumer create mirrors as copies of their edge, with its summaries.
  if (!parsed || !/^(node|edge)$/.test(parsed.kind.role)) return undefined
  const now = summaryOf(layout, parsed)?.stamp
  if (!now) return undefined
  if (eventName === 'INSERT' || !before) return `a write-back created an item: ${JSON.stringify(after)}`
  const old = summaryOf(layout, { ...parsed, item: before as Item })?.stamp
  if (old?.dataAt.getTime() === now.dataAt.getTime() && old.computedAt.getTime() === now.computedAt.getTime())
    return undefined
  if (old && old.dataAt >= now.dataAt) return `a summary of earlier data replaced a later one: ${JSON.stringify(after)}`
  const [one, other] = [before, after].map(item => canonicalText(withoutSummaries(layout, item as Item)))
  return one === other ? undefined : `a write-back changed more than summaries: ${one}\n  to ${other}`
}
