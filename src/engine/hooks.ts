import type { Engine } from './engine.js'
import type { KeyValueStore } from './keyvalues/port.js'
import { formatSequence, parseSequence } from './streams/sequence-number.js'
import { isRecordTrimmed, recordRangeFrom } from './streams/stream.js'
import { findStream } from './streams/stream-register.js'

/** What follows a stream in the same process can know, and a client of DynamoDB cannot. */
export interface EngineHooks {
  readonly now: () => number
  /** The longest that a record may take to show, in milliseconds. */
  readonly streamLagMs: number
  /** Calls back after every write that was done, until it is told not to. */
  onWrite(listener: () => void): () => void
  /** Whether a shard had records after a sequence number, or at all, that are gone. */
  hasMissed(streamArn: string, shardId: string, after: string | undefined): boolean
  /** Whether records may be removed before they are a day old. */
  readonly trimsEarly: boolean
  /** The sequence number through which the records of a shard were removed; undefined where none was. */
  trimmedThrough(streamArn: string, shardId: string): string | undefined
}

const hooks = new WeakMap<object, EngineHooks>()

export function engineHooksOf(store: object): EngineHooks | undefined {
  return hooks.get(store)
}

export function attachEngineHooks(store: object, engineHooks: EngineHooks): void {
  hooks.set(store, engineHooks)
}

/** An engine that tells of its writes, and what else can be asked of it. */
export function withEngineHooks(engine: Engine): { engine: Engine; of: EngineHooks } {
  const listeners = new Set<() => void>()
  return {
    engine: { ...engine, keyValues: notifyAfterWrites(engine.keyValues, listeners) },
    of: {
      now: engine.now,
      streamLagMs: engine.settings.streams.lag?.maxMs ?? 0,
      onWrite(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      hasMissed: (arn, shardId, after) => hasMissed(engine, arn, shardId, after),
      trimsEarly: Number.isFinite(engine.settings.streams.retainedBytes),
      trimmedThrough: (arn, shardId) => trimmedThrough(engine, arn, shardId),
    },
  }
}

function notifyAfterWrites(keyValues: Engine['keyValues'], listeners: ReadonlySet<() => void>): Engine['keyValues'] {
  const notify = <T>(result: T): T => {
    for (const listener of listeners) listener()
    return result
  }
  const write: KeyValueStore<unknown>['write'] = work => {
    const result = keyValues.write(work)
    return result instanceof Promise ? result.then(notify) : notify(result)
  }
  return { ...keyValues, write }
}

function hasMissed(engine: Engine, arn: string, shardId: string, after: string | undefined): boolean {
  const shard = findStream(engine, arn).shards.find(({ id }) => id === shardId)
  if (!shard) return true
  const last = (after === undefined ? undefined : parseSequence(after)) ?? shard.start
  let missed = shard.trimmedThrough > last
  findStream(engine, arn).space.range(recordRangeFrom(shard, last + 1), record => {
    missed ||= isRecordTrimmed(record, engine.now())
    return false
  })
  return missed
}

function trimmedThrough(engine: Engine, arn: string, shardId: string): string | undefined {
  const shard = findStream(engine, arn).shards.find(({ id }) => id === shardId)
  return shard && shard.trimmedThrough > 0 ? formatSequence(shard.trimmedThrough) : undefined
}
