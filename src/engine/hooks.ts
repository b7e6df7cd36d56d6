import type { Engine } from './engine.js'
import type { KeyValueStore } from './keyvalues/port.js'
import { formatSequence, parseSequence } from './streams/sequence-number.js'
import { isRecordTrimmed, recordRangeFrom } from './streams/stream.js'
import { findStream } from './streams/stream-register.js'

/** Facts that a stream consumer in the same process can read and that a client of DynamoDB cannot. */
export interface EngineHooks {
  readonly now: () => number
  /** The maximum delay in milliseconds before a record becomes visible. */
  readonly streamLagMs: number
  /** Calls the listener after every successful write. Returns a function that removes the listener. */
  onWrite(listener: () => void): () => void
  /** Returns whether records after a sequence number were removed; without a number, any records of the shard. */
  hasMissed(streamArn: string, shardId: string, after: string | undefined): boolean
  /** Whether records can be removed before they are 24 hours old. */
  readonly trimsEarly: boolean
  /** Returns the sequence number of the last removed record of a shard, or undefined if none was removed. */
  trimmedThrough(streamArn: string, shardId: string): string | undefined
}

const hooks = new WeakMap<object, EngineHooks>()

export function engineHooksOf(store: object): EngineHooks | undefined {
  return hooks.get(store)
}

export function attachEngineHooks(store: object, engineHooks: EngineHooks): void {
  hooks.set(store, engineHooks)
}

/** Returns an engine that notifies listeners after writes, and the hooks for them. */
export function withEngineHooks(engine: Engine): { engine: Engine; hooks: EngineHooks } {
  const listeners = new Set<() => void>()
  return {
    engine: { ...engine, keyValues: notifyAfterWrites(engine.keyValues, listeners) },
    hooks: {
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
