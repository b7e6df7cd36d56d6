import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import type { ChangeRecord, StreamViewType } from '../../dynamodb/operation-types.js'
import { countItemBytes } from '../../dynamodb/size.js'
import { type KeySchema, pickKey } from '../keys/key-schema.js'
import { md5 } from '../md5.js'
import { StoredItem, toCallerItem } from '../values/stored-item.js'
import { formatSequence } from './sequence-number.js'

/** A change of an item; at least one of the two images exists. */
export interface ItemChange {
  readonly before: StoredItem | undefined
  readonly after: StoredItem | undefined
  /** Whether the service removed the item because its time to live has passed. */
  readonly expired: boolean
}

/**
 * Encodes a change as a stored record: an item, so that any store of items can hold it, with the size that readers see.
 * The images are shared with the table.
 */
export function toStoredRecord(keys: KeySchema, view: StreamViewType, change: ItemChange, nowMs: number): StoredItem {
  const { before, after, expired } = change
  const image = (after ?? before)!
  const key = Object.freeze(pickKey(keys, image.item))
  const record: Item = { at: { N: String(nowMs) }, event: { S: eventNameOf(change) }, key: { M: key } }
  let sizeBytes = countItemBytes(key)
  if (after && (view === 'NEW_IMAGE' || view === 'NEW_AND_OLD_IMAGES')) {
    record.after = { M: after.item }
    sizeBytes += after.sizeBytes
  }
  if (before && (view === 'OLD_IMAGE' || view === 'NEW_AND_OLD_IMAGES')) {
    record.before = { M: before.item }
    sizeBytes += before.sizeBytes
  }
  if (expired) record.expired = { BOOL: true }
  const hasBinary = (before?.hasBinary ?? false) || (after?.hasBinary ?? false)
  return new StoredItem(Object.freeze(record), sizeBytes, hasBinary)
}

function eventNameOf({ before, after }: ItemChange): 'INSERT' | 'MODIFY' | 'REMOVE' {
  if (!before) return 'INSERT'
  return after ? 'MODIFY' : 'REMOVE'
}

export function createdMsOf({ item }: StoredItem): number {
  return Number(item.at!.N)
}

/** The values that all records of a stream share. */
export interface RecordSource {
  readonly streamId: string
  readonly view: StreamViewType
  readonly region: string
}

const SERVICE = { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' }

/**
 * Converts a stored record for a reader. The event ID is derived from the record's position, so repeated reads return
 * the same ID.
 */
export function toChangeRecord(stored: StoredItem, sequence: number, source: RecordSource): ChangeRecord {
  const { item, hasBinary, sizeBytes } = stored
  const image = (value: AttributeValue) => toCallerItem(value.M!, hasBinary)
  const SequenceNumber = formatSequence(sequence)
  return {
    eventID: md5(`${source.streamId}/${SequenceNumber}`),
    eventName: item.event!.S as ChangeRecord['eventName'],
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: source.region,
    dynamodb: {
      ApproximateCreationDateTime: new Date(Math.floor(createdMsOf(stored) / 1000) * 1000),
      Keys: image(item.key!),
      ...(item.after && { NewImage: image(item.after) }),
      ...(item.before && { OldImage: image(item.before) }),
      SequenceNumber,
      SizeBytes: sizeBytes,
      StreamViewType: source.view,
    },
    ...(item.expired && { userIdentity: { ...SERVICE } }),
  }
}
