import type { Engine } from './engine.js'
import type { KeyValues } from './keyvalues/port.js'
import { findStream } from './streams/register.js'
import { sequenceOf, sequenceText } from './streams/sequence.js'
import { isTrimmed, recordRange } from './streams/stream.js'

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

export function hooksOf(store: object): EngineHooks | undefined {
  return hooks.get(store)
}

export function hook(store: object, of: EngineHooks): void {
  hooks.set(store, of)
}

/** An engine that tells of its writes, and what else can be asked of it. */
export function hooked(engine: Engine): { engine: Engine; of: EngineHooks } {
  const listeners = new Set<() => void>()
  return {
    engine: { ...engine, keyValues: telling(engine.keyValues, listeners) },
    of: {
      now: engine.now,
      streamLagMs: engine.settings.streams.lag?.mostMs ?? 0,
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

function telling(keyValues: Engine['keyValues'], listeners: ReadonlySet<() => void>): Engine['keyValues'] {
  const tell = <T>(result: T): T => {
    for (const listener of listeners) listener()
    return result
  }
  const write: KeyValues<unknown>['write'] = work => {
    const result = keyValues.write(work)
    return result instanceof Promise ? result.then(tell) : tell(result)
  }
  return { ...keyValues, write }
}

function hasMissed(engine: Engine, arn: string, shardId: string, after: string | undefined): boolean {
  const shard = findStream(engine, arn).shards.find(({ id }) => id === shardId)
  if (!shard) return true
  const last = (after === undefined ? undefined : sequenceOf(after)) ?? shard.start
  let missed = shard.trimmedThrough > last
  findStream(engine, arn).space.range(recordRange(shard, last + 1), record => {
    missed ||= isTrimmed(record, engine.now())
    return false
  })
  return missed
}

function trimmedThrough(engine: Engine, arn: string, shardId: string): string | undefined {
  const shard = findStream(engine, arn).shards.find(({ id }) => id === shardId)
  return shard && shard.trimmedThrough > 0 ? sequenceText(shard.trimmedThrough) : undefined
}
