import type { Item } from '../dynamodb/attribute-value.js'
import type { ChangeRecord } from '../dynamodb/operation-types.js'
import { assertArgument, assertChoice, parseOptions } from '../graph/arguments.js'
import type { Kind } from '../layout/kinds.js'
import { type Layout, layoutOf } from '../layout/layout.js'
import { tenantOf } from '../plan/identity.js'
import { isLive, rowOf, valuesOf } from '../plan/row.js'
import { isClosure } from '../schema/edge/closure.js'
import type { AnyType, Graph } from '../schema/graph.js'
import type { AnyEdge, EdgeRow } from '../schema/types/edge-types.js'
import type { AnyNode, NodeRow } from '../schema/types/node-types.js'
import { type ParsedRecord, parseRecord } from './parsed-record.js'
import { type JsonRecord, recordFromJson } from './record-json.js'
import { lacksIdentity } from './settle/incomplete-records.js'

type RowOf<X> = X extends AnyEdge ? EdgeRow<X> : X extends AnyNode ? NodeRow<X> : never

type RowChange<Row> =
  | { readonly change: 'created'; readonly before: undefined; readonly after: Row }
  | { readonly change: 'updated'; readonly before: Row; readonly after: Row }
  | { readonly change: 'deleted'; readonly before: Row; readonly after: undefined }

type ChangeInfo<X extends AnyType> = {
  readonly kind: X['kind']
  readonly type: X['name']
  /** The tenant, in a graph with tenants. */
  readonly tenant: string | undefined
  /** Time of the change, with a precision of one second. */
  readonly at: Date
  /** Sequence number of the record. It identifies and orders the changes of one item. */
  readonly sequence: string
  /** Whether DynamoDB deleted the item because its time to live had passed. */
  readonly expired: boolean
  /** Whether the change is derived from edges: a counter, a copy or an embedded entry. */
  readonly derived: boolean
}

/** A change of a node or an edge. Its rows are typed by the name of the type. */
export type Change<T extends AnyType = AnyType> = T extends AnyType ? ChangeInfo<T> & RowChange<RowOf<T>> : never

/** Options of `changes()`. */
export interface ChangesOptions {
  /** Whether derived changes are included and marked, or left out. Default: `mark`. */
  readonly derived?: 'mark' | 'leave-out' | undefined
}

/**
 * Converts stream records, or the records of a Lambda event, to changes of nodes and edges. Mirrors, facets and other
 * internal items are skipped.
 *
 * @param graphOrLayout The graph, or one of its layouts.
 * @param records Records of the table's stream, or of a Lambda event.
 * @returns The changes in the order of the records.
 * @throws {call.argument} `records` is not an array, or an option is invalid.
 * @throws {follow.stream} The stream does not contain both images.
 * @example
 * ```ts
 * import { edge, graph, node, string } from 'edgewise'
 * import { changes } from 'edgewise/derive'
 *
 * const user = node('user', { name: string() }, { id: 'name' })
 * const social = graph('social', [user, edge('follows', { follower: user, followed: user })])
 * for (const { type, change, after } of changes(social, [])) console.log(type, change, after)
 * ```
 */
export function changes<T extends AnyType, Tenant extends boolean>(
  graphOrLayout: Graph<T, Tenant> | Layout<T, Tenant>,
  records: readonly (ChangeRecord | JsonRecord)[],
  options: ChangesOptions = {},
): Change<T>[] {
  const layout: Layout = layoutOf(graphOrLayout)
  assertArgument(Array.isArray(records), 'changes(): the records are not an array; give an array of stream records.')
  const { derived = 'mark' } = parseOptions('changes', options, 'derived')
  assertChoice(derived, 'derived', 'mark', 'leave-out')
  const allChanges = records.flatMap(
    record => toChange(layout, isJsonRecord(record) ? recordFromJson(record) : record) ?? [],
  )
  return allChanges.filter(change => derived === 'mark' || !change.derived) as unknown as Change<T>[]
}

/** Lambda events contain the creation time as a number. */
const isJsonRecord = (record: ChangeRecord | JsonRecord): record is JsonRecord =>
  typeof record?.dynamodb?.ApproximateCreationDateTime === 'number'

function toChange(layout: Layout, record: ChangeRecord) {
  const parsedRecord = parseRecord(layout, record)
  const { oldImage, newImage, before: oldParsed } = parsedRecord
  const { ApproximateCreationDateTime, SequenceNumber = '' } = record.dynamodb ?? {}
  const parsed = newImage ? parsedRecord.after : oldParsed
  const kind = parsed?.kind
  if (kind?.role !== 'node' && kind?.role !== 'edge') return undefined
  if (lacksIdentity(layout, parsed)) return undefined
  const derived = parsedRecord.isDerived || isClosure(kind.type)
  // Like reads, treat an item with a delete mark as deleted.
  const toRow = (item: Item | undefined) =>
    item && isLive(layout, item, undefined) ? rowOf(layout, kind, item) : undefined
  const isOldImageIncomplete = lacksIdentity(layout, oldParsed)
  const after = toRow(newImage)
  const before =
    isOldImageIncomplete || isCreatedOverExpired(layout, parsedRecord, ApproximateCreationDateTime)
      ? undefined
      : toRow(oldImage)
  if (!before && !after) return undefined
  if (parsedRecord.isDerived && (isOldImageIncomplete || isSameRow(layout, kind, oldImage!, newImage!)))
    return undefined
  return {
    kind: kind.type.kind,
    type: kind.type.name,
    tenant: tenantOf(layout, parsed!.values),
    at: ApproximateCreationDateTime ?? new Date(0),
    sequence: SequenceNumber,
    expired: !newImage && record.userIdentity?.Type === 'Service',
    derived,
    change: before ? (after ? 'updated' : 'deleted') : 'created',
    before,
    after,
  }
}

/** Whether an item was created over an expired item that DynamoDB had not deleted yet. */
function isCreatedOverExpired(
  layout: Layout,
  { oldImage, newImage }: ParsedRecord,
  changedAt: Date | undefined,
): boolean {
  const isPresent = (item: Item) => isLive(layout, item, changedAt?.getTime())
  return oldImage !== undefined && newImage !== undefined && !isPresent(oldImage) && isPresent(newImage)
}

/** Whether a change affects only attributes for the consumer, so that the row is the same. */
function isSameRow(layout: Layout, kind: Kind, oldItem: Item, newItem: Item): boolean {
  const toValuesText = (item: Item) => JSON.stringify(valuesOf(layout, kind, item))
  return toValuesText(oldItem) === toValuesText(newItem)
}
