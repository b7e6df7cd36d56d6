import type { Item } from '../dynamodb/attribute-value.js'
import type { ChangeRecord } from '../dynamodb/operations/streams.js'
import { assertArgument, parseOptions } from '../graph/arguments.js'
import type { Kind } from '../layout/kinds.js'
import { type Layout, layoutOf } from '../layout/layout.js'
import { tenantOf } from '../plan/identity.js'
import { isLive, rowOf, valuesOf } from '../plan/row.js'
import type { AnyType, Graph } from '../schema/graph.js'
import type { AnyEdge, EdgeRow } from '../schema/types/edge-types.js'
import type { AnyNode, NodeRow } from '../schema/types/node-types.js'
import { imagesOf, isDerivedChange, type RecordImages } from './record-images.js'
import { type JsonRecord, recordFromJson } from './record-json.js'
import { lacksIdentity } from './settle/incomplete-records.js'
import { hasWrongKey, kindOfItem } from './settle/side-items.js'

type RowOf<X> = X extends AnyEdge ? EdgeRow<X> : X extends AnyNode ? NodeRow<X> : never

type RowChange<Row> =
  | { readonly change: 'created'; readonly before: undefined; readonly after: Row }
  | { readonly change: 'updated'; readonly before: Row; readonly after: Row }
  | { readonly change: 'deleted'; readonly before: Row; readonly after: undefined }

type ChangeInfo<X extends AnyType> = {
  readonly kind: X['kind']
  readonly type: X['name']
  /** Of a graph with tenants. */
  readonly tenant: string | undefined
  /** To the second. */
  readonly at: Date
  /** Tells two changes of one item apart, and which was first. */
  readonly sequence: string
  /** Deleted by DynamoDB, since its time was over. */
  readonly expired: boolean
  /** What edges keep, written by the consumer or with an edge: a counter, a copy, an entry. */
  readonly derived: boolean
}

/** A change of a node or an edge, its rows typed by the name of its type. */
export type Change<T extends AnyType = AnyType> = T extends AnyType ? ChangeInfo<T> & RowChange<RowOf<T>> : never

/** Which changes are told. */
export interface ChangesOptions {
  /** Whether changes of counters and copies are left out; they are there, and marked, unless said. */
  readonly derived?: 'mark' | 'leave-out' | undefined
}

/**
 * The changes of nodes and edges that records of the stream tell, also those of an event of Lambda; mirrors, facets and
 * the like are left out.
 */
export function changes<T extends AnyType, Tenant extends boolean>(
  graphOrLayout: Graph<T, Tenant> | Layout<T, Tenant>,
  records: readonly (ChangeRecord | JsonRecord)[],
  options: ChangesOptions = {},
): Change<T>[] {
  const layout: Layout = layoutOf(graphOrLayout)
  assertArgument(Array.isArray(records), 'changes() takes the records of a stream, as a list')
  const { derived = 'mark' } = parseOptions('changes', options, 'derived')
  assertArgument(derived === 'mark' || derived === 'leave-out', "derived is 'mark' or 'leave-out'")
  const allChanges = records.flatMap(
    record => toChange(layout, isJsonRecord(record) ? recordFromJson(record) : record) ?? [],
  )
  return allChanges.filter(change => derived === 'mark' || !change.derived) as unknown as Change<T>[]
}

/** In its event Lambda tells the time by a number. */
const isJsonRecord = (record: ChangeRecord | JsonRecord): record is JsonRecord =>
  typeof record?.dynamodb?.ApproximateCreationDateTime === 'number'

function toChange(layout: Layout, record: ChangeRecord) {
  const images = imagesOf(record)
  const { oldImage, newImage } = images
  const { ApproximateCreationDateTime, SequenceNumber = '' } = record.dynamodb ?? {}
  const image = newImage ?? oldImage
  const kind = image && kindOfItem(layout, image)
  if (!image || (kind?.role !== 'node' && kind?.role !== 'edge')) return undefined
  if (hasWrongKey(layout, kind, image) || lacksIdentity(layout, image)) return undefined
  // As reads have it: what is being deleted is gone.
  const toRow = (item: Item | undefined) =>
    item && isLive(layout, item, undefined) ? rowOf(layout, kind, item) : undefined
  const isOldImageIncomplete = oldImage !== undefined && lacksIdentity(layout, oldImage)
  const after = toRow(newImage)
  const before =
    isOldImageIncomplete || isCreatedOverExpired(layout, images, ApproximateCreationDateTime)
      ? undefined
      : toRow(oldImage)
  if (!before && !after) return undefined
  const derived = isDerivedChange(layout, images)
  if (derived && (isOldImageIncomplete || isSameRow(layout, kind, oldImage!, newImage!))) return undefined
  return {
    kind: kind.type.kind,
    type: kind.type.name,
    tenant: tenantOf(layout, valuesOf(layout, kind, image)),
    at: ApproximateCreationDateTime ?? new Date(0),
    sequence: SequenceNumber,
    expired: !newImage && record.userIdentity?.Type === 'Service',
    derived,
    change: before ? (after ? 'updated' : 'deleted') : 'created',
    before,
    after,
  }
}

/** Whether something was made in the place of what had expired, and was not deleted yet. */
function isCreatedOverExpired(
  layout: Layout,
  { oldImage, newImage }: RecordImages,
  changedAt: Date | undefined,
): boolean {
  const isPresent = (item: Item) => isLive(layout, item, changedAt?.getTime())
  return oldImage !== undefined && newImage !== undefined && !isPresent(oldImage) && isPresent(newImage)
}

/** What only the consumer looks at is no change to anybody else. */
function isSameRow(layout: Layout, kind: Kind, oldItem: Item, newItem: Item): boolean {
  const toValuesText = (item: Item) => JSON.stringify(valuesOf(layout, kind, item))
  return toValuesText(oldItem) === toValuesText(newItem)
}
