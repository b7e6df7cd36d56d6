import { STREAM_RETENTION_MS } from '../../dynamodb/limits.js'
import type { KeySchemaElement } from '../../dynamodb/operations/indexes.js'
import type { StreamViewType } from '../../dynamodb/operations/table-description.js'
import type { Tag } from '../../dynamodb/operations/tables.js'
import { REMOVED_AT_ONCE } from '../at-once.js'
import type { KeySchema } from '../keys/schema.js'
import type { Space } from '../keyvalues/port.js'
import type { Policy } from '../policies/policy.js'
import { equalMaps } from '../values/compare.js'
import type { Stored } from '../values/stored.js'
import { type Change, createdMs, recordOf } from './record.js'
import { nextSequence, sequenceText } from './sequence.js'
import type { StreamSettings } from './settings.js'
import { firstRanges, hashOf, newShard, nextRanges, type Shard } from './shard.js'

/** Old records are removed at writes, but not at every one. They cannot be read from the moment that they are old. */
const TRIM_EVERY_MS = 60_000
/** What a record takes beside the values of its item: its key, its objects and its place in the order. */
const RECORD_HEAP_BYTES = 512
const TRIMMED_SHARE = 0.1

export interface StreamTable {
  readonly name: string
  readonly id: string
  readonly keys: KeySchema
  readonly keySchema: KeySchemaElement[]
}

/** What is kept of a stream, beside its records. */
export interface StreamState {
  readonly shards: readonly Shard[]
  readonly enabledMs: number
  readonly disabledMs: number | undefined
  readonly ordinal: number
  readonly last: number
  readonly trimmedMs: number
  /** Absent in folders from before a stream had tags of its own. */
  readonly tags?: readonly Tag[]
  readonly policy?: Policy | undefined
}

/** The changes of a table while its stream is enabled. */
export class Stream {
  /** Every shard whose records may still be read, parents before their children. */
  shards: Shard[]
  readonly enabledMs: number
  disabledMs: number | undefined
  tags: readonly Tag[]
  policy: Policy | undefined
  private readonly open: Shard[]
  private ordinal: number
  private last: number
  private trimmedMs: number
  /** An estimate of the heap that the records take. Counted from zero in every process: only memory is bounded. */
  private retainedBytes = 0

  constructor(
    readonly table: StreamTable,
    readonly label: string,
    readonly view: StreamViewType,
    readonly space: Space<Stored>,
    private readonly now: () => number,
    readonly settings: StreamSettings,
    state?: StreamState,
  ) {
    this.enabledMs = state?.enabledMs ?? now()
    this.disabledMs = state?.disabledMs
    this.tags = state?.tags ?? []
    this.policy = state?.policy
    this.trimmedMs = state?.trimmedMs ?? this.enabledMs
    this.ordinal = state?.ordinal ?? 0
    this.last = state?.last ?? 0
    this.shards = [...(state?.shards ?? [])]
    this.open = state
      ? this.shards.filter(({ closed }) => !closed).sort((a, b) => a.from - b.from)
      : firstRanges(settings.shards).map(([from, to]) => this.make(from, to, this.enabledMs))
  }

  get state(): StreamState {
    const { shards, enabledMs, disabledMs, ordinal, last, trimmedMs, tags, policy } = this
    return { shards, enabledMs, disabledMs, ordinal, last, trimmedMs, tags, policy }
  }

  /** Nothing is recorded for a write that leaves an item as it was. */
  record(key: string, change: Change): void {
    const { before, after } = change
    if (before && after && before.sizeBytes === after.sizeBytes && equalMaps(before.item, after.item)) return
    const nowMs = this.now()
    const record = recordOf(this.table.keys, this.view, change, nowMs)
    const shard = this.shardFor(hashOf(key), nowMs)
    this.last = nextSequence(this.last, nowMs)
    this.space.put(recordKey(shard, this.last), record)
    shard.records++
    shard.sizeBytes += record.sizeBytes
    this.retainedBytes += heapBytes(record)
    if (this.retainedBytes > this.settings.retainedBytes) this.trimOldest()
    if (nowMs - this.trimmedMs >= TRIM_EVERY_MS) this.trim(nowMs)
  }

  /** The sequence that every later record has or exceeds. */
  get next(): number {
    return this.last + 1
  }

  disable(nowMs: number): void {
    for (const shard of this.open) this.close(shard, nowMs)
    this.disabledMs = nowMs
  }

  /** Whether any of it can still be read: a disabled stream goes with its last records. */
  isReadable(nowMs: number): boolean {
    return this.disabledMs === undefined || this.disabledMs > horizon(nowMs)
  }

  readableShards(nowMs: number): Shard[] {
    return this.shards.filter(({ closed }) => !closed || closed.atMs > horizon(nowMs))
  }

  private shardFor(hash: number, nowMs: number): Shard {
    const shard = this.open[this.openAt(hash)]!
    const split = this.isToSplit(shard)
    if (!split && nowMs - shard.createdMs < this.settings.rollAfterMs) return shard
    this.close(shard, nowMs)
    const next = nextRanges(shard, split).map(([from, to]) => this.make(from, to, nowMs, shard.id))
    this.open.splice(this.openAt(hash), 1, ...next)
    return this.open[this.openAt(hash)]!
  }

  /** Where the open shard of a hash is: they are in the order of their ranges, and leave out none. */
  private openAt(hash: number): number {
    let low = 0
    let high = this.open.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (hash < this.open[middle]!.to) high = middle
      else low = middle + 1
    }
    return low
  }

  private isToSplit({ id, records, sizeBytes }: Shard): boolean {
    const { splitAfterRecords, splitAfterBytes, splitWhen } = this.settings
    if (records >= splitAfterRecords || sizeBytes >= splitAfterBytes) return true
    return splitWhen?.({ tableName: this.table.name, shardId: id, records, sizeBytes }) ?? false
  }

  private make(from: number, to: number, nowMs: number, parentId?: string): Shard {
    this.last = nextSequence(this.last, nowMs)
    const made = { ordinal: ++this.ordinal, from, to, start: this.last, nowMs: this.idMs(nowMs) }
    const shard = newShard(parentId === undefined ? made : { ...made, parentId })
    this.shards.push(shard)
    return shard
  }

  /** Shards are told apart and listed by their names, which begin with their time: it does not go back. */
  private idMs(nowMs: number): number {
    return Math.max(nowMs, this.shards.at(-1)?.createdMs ?? 0)
  }

  private close(shard: Shard, nowMs: number): void {
    this.last = nextSequence(this.last, nowMs)
    shard.closed = { end: this.last, atMs: nowMs }
  }

  /** Removes expired records. Where there are very many, the next call removes the rest; a shard goes after its last. */
  trim(nowMs: number): void {
    let most = REMOVED_AT_ONCE
    for (const shard of this.shards) most -= this.trimShard(shard, nowMs, most)
    if (most === 0) return
    this.trimmedMs = nowMs
    this.shards = this.readableShards(nowMs)
  }

  private trimShard(shard: Shard, nowMs: number, most: number): number {
    const old: Retained[] = []
    this.space.range(recordRange(shard, shard.trimmedThrough), (record, key) => {
      if (old.length === most || !isTrimmed(record, nowMs)) return false
      old.push({ shard, key, bytes: heapBytes(record) })
      return true
    })
    for (const each of old) this.remove(each)
    return old.length
  }

  /** Removes the oldest records of all shards, a tenth of what may stay, so that it is done once for many writes. */
  private trimOldest(): void {
    const targetBytes = this.settings.retainedBytes * (1 - TRIMMED_SHARE)
    const excessBytes = this.retainedBytes - targetBytes
    const oldest = this.shards.flatMap(shard => this.oldestOf(shard, excessBytes))
    for (const each of oldest.sort((a, b) => keySequence(a.key) - keySequence(b.key))) {
      if (this.retainedBytes <= targetBytes) return
      this.remove(each)
    }
  }

  private oldestOf(shard: Shard, bytes: number): Retained[] {
    const found: Retained[] = []
    let leftBytes = bytes
    this.space.range(recordRange(shard, shard.trimmedThrough), (record, key) => {
      found.push({ shard, key, bytes: heapBytes(record) })
      leftBytes -= heapBytes(record)
      return leftBytes > 0
    })
    return found
  }

  private remove({ shard, key, bytes }: Retained): void {
    this.space.remove(key)
    this.retainedBytes -= bytes
    shard.trimmedThrough = keySequence(key)
  }
}

/** A record that is in a shard. */
interface Retained {
  readonly shard: Shard
  readonly key: string
  readonly bytes: number
}

const heapBytes = (record: Stored) => record.sizeBytes + RECORD_HEAP_BYTES

/** Records that were made before this are gone. */
export function horizon(nowMs: number): number {
  return nowMs - STREAM_RETENTION_MS
}

export function isTrimmed(record: Stored, nowMs: number): boolean {
  return createdMs(record) <= horizon(nowMs)
}

function recordKey(shard: Shard, sequence: number): string {
  return `${shard.prefix}/${sequenceText(sequence)}`
}

/** The keys of a shard's records from a sequence on. */
export function recordRange(shard: Shard, from: number) {
  return { from: recordKey(shard, from), to: `${shard.prefix}0`, reverse: false }
}

export function keySequence(key: string): number {
  return Number(key.slice(key.indexOf('/') + 2))
}
