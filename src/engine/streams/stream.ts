import { STREAM_RETENTION_MS } from '../../dynamodb/limits.js'
import type { KeySchemaElement, StreamViewType, Tag } from '../../dynamodb/operation-types.js'
import type { KeySchema } from '../keys/key-schema.js'
import type { Space } from '../keyvalues/port.js'
import type { Policy } from '../policies/policy.js'
import { REMOVAL_BATCH_SIZE } from '../removal-batch.js'
import { isEqualMap } from '../values/compare-values.js'
import type { StoredItem } from '../values/stored-item.js'
import { createdMsOf, type ItemChange, toStoredRecord } from './change-record.js'
import { formatSequence, nextSequenceAfter } from './sequence-number.js'
import { initialRanges, keyHashOf, newShard, type StreamShard, successorRanges } from './shard.js'
import type { StreamSettings } from './stream-settings.js'

/** The interval at which writes remove expired records. Expired records are unreadable even before that. */
const TRIM_EVERY_MS = 60_000
/** The estimated heap size of a record in addition to its values: its key, objects and position. */
const RECORD_HEAP_BYTES = 512
const TRIMMED_SHARE = 0.1

export interface StreamTable {
  readonly name: string
  readonly id: string
  readonly keys: KeySchema
  readonly keySchema: KeySchemaElement[]
}

/** The stored state of a stream, without its records. */
export interface StoredStreamState {
  readonly shards: readonly StreamShard[]
  readonly enabledMs: number
  readonly disabledMs: number | undefined
  readonly ordinal: number
  readonly last: number
  readonly trimmedMs: number
  /** Undefined in folders of versions in which streams had no tags. */
  readonly tags?: readonly Tag[]
  readonly policy?: Policy | undefined
}

/** The stream of a table's changes. */
export class Stream {
  /** Every shard with readable records, parents before children. */
  shards: StreamShard[]
  readonly enabledMs: number
  disabledMs: number | undefined
  tags: readonly Tag[]
  policy: Policy | undefined
  private readonly openShards: StreamShard[]
  private ordinal: number
  private last: number
  private trimmedMs: number
  /** The estimated heap size of the records. Starts at 0 in every process, because only memory is limited. */
  private retainedBytes = 0

  constructor(
    readonly table: StreamTable,
    readonly label: string,
    readonly view: StreamViewType,
    readonly space: Space<StoredItem>,
    private readonly now: () => number,
    readonly settings: StreamSettings,
    state?: StoredStreamState,
  ) {
    this.enabledMs = state?.enabledMs ?? now()
    this.disabledMs = state?.disabledMs
    this.tags = state?.tags ?? []
    this.policy = state?.policy
    this.trimmedMs = state?.trimmedMs ?? this.enabledMs
    this.ordinal = state?.ordinal ?? 0
    this.last = state?.last ?? 0
    this.shards = [...(state?.shards ?? [])]
    this.openShards = state
      ? this.shards.filter(({ closed }) => !closed).sort((a, b) => a.from - b.from)
      : initialRanges(settings.shards).map(([from, to]) => this.createShard(from, to, this.enabledMs))
  }

  get state(): StoredStreamState {
    const { shards, enabledMs, disabledMs, ordinal, last, trimmedMs, tags, policy } = this
    return { shards, enabledMs, disabledMs, ordinal, last, trimmedMs, tags, policy }
  }

  /** Records a change. A write that leaves the item unchanged adds no record. */
  record(key: string, change: ItemChange): void {
    const { before, after } = change
    if (before && after && before.sizeBytes === after.sizeBytes && isEqualMap(before.item, after.item)) return
    const nowMs = this.now()
    const record = toStoredRecord(this.table.keys, this.view, change, nowMs)
    const shard = this.shardFor(keyHashOf(key), nowMs)
    this.last = nextSequenceAfter(this.last, nowMs)
    this.space.put(recordKeyOf(shard, this.last), record)
    shard.records++
    shard.sizeBytes += record.sizeBytes
    this.retainedBytes += heapBytesOf(record)
    if (this.retainedBytes > this.settings.retainedBytes) this.trimOldest()
    if (nowMs - this.trimmedMs >= TRIM_EVERY_MS) this.trim(nowMs)
  }

  /** The minimum sequence number of all later records. */
  get nextSequence(): number {
    return this.last + 1
  }

  disable(nowMs: number): void {
    for (const shard of this.openShards) this.close(shard, nowMs)
    this.disabledMs = nowMs
  }

  /** Returns whether any record can be read. A disabled stream is removed with its last records. */
  isReadable(nowMs: number): boolean {
    return this.disabledMs === undefined || this.disabledMs > retentionHorizonMs(nowMs)
  }

  readableShards(nowMs: number): StreamShard[] {
    return this.shards.filter(({ closed }) => !closed || closed.atMs > retentionHorizonMs(nowMs))
  }

  private shardFor(hash: number, nowMs: number): StreamShard {
    const shard = this.openShards[this.openIndexOf(hash)]!
    const split = this.shouldSplit(shard)
    if (!split && nowMs - shard.createdMs < this.settings.rollAfterMs) return shard
    this.close(shard, nowMs)
    const next = successorRanges(shard, split).map(([from, to]) => this.createShard(from, to, nowMs, shard.id))
    this.openShards.splice(this.openIndexOf(hash), 1, ...next)
    return this.openShards[this.openIndexOf(hash)]!
  }

  /** Returns the index of the open shard for a hash. Open shards are sorted by range and cover all hashes. */
  private openIndexOf(hash: number): number {
    let low = 0
    let high = this.openShards.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (hash < this.openShards[middle]!.to) high = middle
      else low = middle + 1
    }
    return low
  }

  private shouldSplit({ id, records, sizeBytes }: StreamShard): boolean {
    const { splitAfterRecords, splitAfterBytes, splitWhen } = this.settings
    if (records >= splitAfterRecords || sizeBytes >= splitAfterBytes) return true
    return splitWhen?.({ tableName: this.table.name, shardId: id, records, sizeBytes }) ?? false
  }

  private createShard(from: number, to: number, nowMs: number, parentId?: string): StreamShard {
    this.last = nextSequenceAfter(this.last, nowMs)
    const options = { ordinal: ++this.ordinal, from, to, start: this.last, nowMs: this.shardIdMs(nowMs) }
    const shard = newShard(parentId === undefined ? options : { ...options, parentId })
    this.shards.push(shard)
    return shard
  }

  /** Shards are identified and listed by ID, which begins with a time. That time must not go back. */
  private shardIdMs(nowMs: number): number {
    return Math.max(nowMs, this.shards.at(-1)?.createdMs ?? 0)
  }

  private close(shard: StreamShard, nowMs: number): void {
    this.last = nextSequenceAfter(this.last, nowMs)
    shard.closed = { end: this.last, atMs: nowMs }
  }

  /**
   * Removes expired records in batches; the next call removes the rest. A closed shard is removed after its last
   * record.
   */
  trim(nowMs: number): void {
    let remaining = REMOVAL_BATCH_SIZE
    for (const shard of this.shards) remaining -= this.trimShard(shard, nowMs, remaining)
    if (remaining === 0) return
    this.trimmedMs = nowMs
    this.shards = this.readableShards(nowMs)
  }

  private trimShard(shard: StreamShard, nowMs: number, max: number): number {
    const old: RetainedRecord[] = []
    this.space.range(recordRangeFrom(shard, shard.trimmedThrough), (record, key) => {
      if (old.length === max || !isRecordTrimmed(record, nowMs)) return false
      old.push({ shard, key, bytes: heapBytesOf(record) })
      return true
    })
    for (const record of old) this.remove(record)
    return old.length
  }

  /**
   * Removes the oldest tenth of the retained records across all shards, so that the next writes need not remove any.
   */
  private trimOldest(): void {
    const targetBytes = this.settings.retainedBytes * (1 - TRIMMED_SHARE)
    const excessBytes = this.retainedBytes - targetBytes
    const oldest = this.shards.flatMap(shard => this.oldestRecordsOf(shard, excessBytes))
    for (const record of oldest.sort((a, b) => sequenceOfKey(a.key) - sequenceOfKey(b.key))) {
      if (this.retainedBytes <= targetBytes) return
      this.remove(record)
    }
  }

  private oldestRecordsOf(shard: StreamShard, bytes: number): RetainedRecord[] {
    const found: RetainedRecord[] = []
    let leftBytes = bytes
    this.space.range(recordRangeFrom(shard, shard.trimmedThrough), (record, key) => {
      found.push({ shard, key, bytes: heapBytesOf(record) })
      leftBytes -= heapBytesOf(record)
      return leftBytes > 0
    })
    return found
  }

  private remove({ shard, key, bytes }: RetainedRecord): void {
    this.space.remove(key)
    this.retainedBytes -= bytes
    shard.trimmedThrough = sequenceOfKey(key)
  }
}

/** A record with its shard. */
interface RetainedRecord {
  readonly shard: StreamShard
  readonly key: string
  readonly bytes: number
}

const heapBytesOf = (record: StoredItem) => record.sizeBytes + RECORD_HEAP_BYTES

/** Returns the time before which records are expired. */
export function retentionHorizonMs(nowMs: number): number {
  return nowMs - STREAM_RETENTION_MS
}

export function isRecordTrimmed(record: StoredItem, nowMs: number): boolean {
  return createdMsOf(record) <= retentionHorizonMs(nowMs)
}

function recordKeyOf(shard: StreamShard, sequence: number): string {
  return `${shard.prefix}/${formatSequence(sequence)}`
}

/** Returns the key range of a shard's records from a sequence number on. */
export function recordRangeFrom(shard: StreamShard, from: number) {
  return { from: recordKeyOf(shard, from), to: `${shard.prefix}0`, reverse: false }
}

export function sequenceOfKey(key: string): number {
  return Number(key.slice(key.indexOf('/') + 2))
}
