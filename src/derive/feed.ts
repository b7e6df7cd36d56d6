import type { Item } from '../dynamodb/attribute-value.js'
import type { ChangeRecord } from '../dynamodb/operations/streams.js'
import { given, optionsOf } from '../graph/given.js'
import type { Kind } from '../layout/kinds.js'
import { type Layout, layoutOf } from '../layout/layout.js'
import { tenantOf } from '../plan/identity.js'
import { isLive, rowOf, valuesOf } from '../plan/row.js'
import type { AnyType, Graph } from '../schema/graph.js'
import type { AnyNode, NodeRow } from '../schema/types/identity.js'
import type { AnyEdge, EdgeRow } from '../schema/types/neighbours.js'
import { type Images, imagesOf, isDerived } from './images.js'
import { type JsonRecord, recordFromJson } from './record-json.js'
import { isElsewhere, kindOf } from './sides.js'
import { isUntold } from './untold.js'

type RowOf<X> = X extends AnyEdge ? EdgeRow<X> : X extends AnyNode ? NodeRow<X> : never

type Happened<Row> =
  | { readonly change: 'created'; readonly before: undefined; readonly after: Row }
  | { readonly change: 'updated'; readonly before: Row; readonly after: Row }
  | { readonly change: 'deleted'; readonly before: Row; readonly after: undefined }

type About<X extends AnyType> = {
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
export type Change<T extends AnyType = AnyType> = T extends AnyType ? About<T> & Happened<RowOf<T>> : never

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
  what: Graph<T, Tenant> | Layout<T, Tenant>,
  records: readonly (ChangeRecord | JsonRecord)[],
  options: ChangesOptions = {},
): Change<T>[] {
  const layout: Layout = layoutOf(what)
  given(Array.isArray(records), 'changes() takes the records of a stream, as a list')
  const { derived = 'mark' } = optionsOf('changes', options, 'derived')
  given(derived === 'mark' || derived === 'leave-out', "derived is 'mark' or 'leave-out'")
  const made = records.flatMap(record => changeOf(layout, isJson(record) ? recordFromJson(record) : record) ?? [])
  return made.filter(change => derived === 'mark' || !change.derived) as unknown as Change<T>[]
}

/** In its event Lambda tells the time by a number. */
const isJson = (record: ChangeRecord | JsonRecord): record is JsonRecord =>
  typeof record?.dynamodb?.ApproximateCreationDateTime === 'number'

function changeOf(layout: Layout, record: ChangeRecord) {
  const images = imagesOf(record)
  const { old, now } = images
  const { ApproximateCreationDateTime, SequenceNumber = '' } = record.dynamodb ?? {}
  const image = now ?? old
  const kind = image && kindOf(layout, image)
  if (!image || (kind?.role !== 'node' && kind?.role !== 'edge')) return undefined
  if (isElsewhere(layout, kind, image) || isUntold(layout, image)) return undefined
  // As reads have it: what is being deleted is gone.
  const row = (item: Item | undefined) =>
    item && isLive(layout, item, undefined) ? rowOf(layout, kind, item) : undefined
  const isUnread = old !== undefined && isUntold(layout, old)
  const after = row(now)
  const before = isUnread || isMadeOver(layout, images, ApproximateCreationDateTime) ? undefined : row(old)
  if (!before && !after) return undefined
  const derived = isDerived(layout, images)
  if (derived && (isUnread || isSameRow(layout, kind, old!, now!))) return undefined
  return {
    kind: kind.type.kind,
    type: kind.type.name,
    tenant: tenantOf(layout, valuesOf(layout, kind, image)),
    at: ApproximateCreationDateTime ?? new Date(0),
    sequence: SequenceNumber,
    expired: !now && record.userIdentity?.Type === 'Service',
    derived,
    change: before ? (after ? 'updated' : 'deleted') : 'created',
    before,
    after,
  }
}

/** Whether something was made in the place of what had expired, and was not deleted yet. */
function isMadeOver(layout: Layout, { old, now }: Images, at: Date | undefined): boolean {
  const isThere = (item: Item) => isLive(layout, item, at?.getTime())
  return old !== undefined && now !== undefined && !isThere(old) && isThere(now)
}

/** What only the consumer looks at is no change to anybody else. */
function isSameRow(layout: Layout, kind: Kind, old: Item, now: Item): boolean {
  const text = (item: Item) => JSON.stringify(valuesOf(layout, kind, item))
  return text(old) === text(now)
}
