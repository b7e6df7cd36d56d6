import type { ChangeRecord } from '../../dynamodb/operations/streams.js'
import { delayMs } from '../../store/backoff.js'
import type { Consumer } from '../port.js'
import { isPassing } from './passing.js'
import type { FollowSettings } from './settings.js'
import type { Waits } from './waits.js'

/** What a delivery needs of its surroundings. */
export interface Delivering {
  readonly consumer: Pick<Consumer, 'handle'>
  readonly settings: FollowSettings
  readonly waits: Waits
  readonly shard: string
  /** Whether it makes no sense to go on. */
  readonly isOver: () => boolean
  /** False where that could not be done. */
  readonly bury: (record: ChangeRecord, error: unknown, attempts: number) => Promise<boolean>
}

/** What became of records, added up. */
export interface Delivered {
  applied: number
  skipped: number
  failed: number
  dead: number
}

interface Failure {
  readonly change: ChangeRecord
  readonly error: unknown
}

const RETRY = { baseDelayMs: 100, maxDelayMs: 10_000 }

/**
 * Hands records to the consumer until each is handled or among the dead letters. One that fails by its own fault is
 * given up after so many attempts; while the store is busy or away, only time runs out. False where it was broken off:
 * then the records come again.
 */
export async function deliver(
  changes: readonly ChangeRecord[],
  delivering: Delivering,
  count: Delivered,
): Promise<boolean> {
  const { settings, waits, shard, isOver, bury } = delivering
  const beganMs = settings.clock()
  const faults = new Map<ChangeRecord, number>()
  let pending = changes
  for (let tries = 0; pending.length > 0; tries++) {
    if (isOver()) return false
    if (tries > 0) await waits.rest(delayMs(tries - 1, { ...RETRY, random: settings.random }))
    if (isOver()) return false
    const failures = await attemptAll(pending, faults, delivering, count)
    if (failures.length > 0)
      settings.listener({ kind: 'failed', shard, records: failures.length, error: failures[0]!.error })
    count.failed += failures.length
    const lateMs = settings.clock() - beganMs
    const again: ChangeRecord[] = []
    for (const { change, error } of failures) {
      const attempts = (faults.get(change) ?? 0) + (isPassing(error) ? 0 : 1)
      faults.set(change, attempts)
      if (attempts < settings.attempts && lateMs < settings.patienceMs) again.push(change)
      else if (await bury(change, error, tries + 1)) count.dead++
      else return false
    }
    pending = again
  }
  return true
}

/** One that failed by a fault of its own, or of another that was handled with it, goes alone; the others go together. */
async function attemptAll(
  changes: readonly ChangeRecord[],
  faults: ReadonlyMap<ChangeRecord, number>,
  delivering: Delivering,
  count: Delivered,
): Promise<Failure[]> {
  const isAlone = (change: ChangeRecord) => (faults.get(change) ?? 0) > 0
  const together = changes.filter(change => !isAlone(change))
  const failures = together.length > 0 ? await attempt(together, delivering, count) : []
  for (const change of changes.filter(isAlone)) failures.push(...(await attempt([change], delivering, count)))
  return failures
}

/** What of these failed. Where the consumer throws, the half that is to blame is found by halving. */
async function attempt(changes: readonly ChangeRecord[], delivering: Delivering, count: Delivered): Promise<Failure[]> {
  try {
    const handled = await delivering.consumer.handle(changes)
    const failed = new Map(handled.failures.map(({ record, error }) => [record, error]))
    const failures = changes.filter(change => failed.has(change)).map(change => ({ change, error: failed.get(change) }))
    // One that is told by another object than was handed over is found as if the consumer had thrown.
    for (const change of changes) failed.delete(change)
    for (const error of failed.values()) throw error
    const isFailed = new Set(failures.map(({ change }) => change))
    const done = changes.filter(change => !isFailed.has(change))
    if (done.length > 0) await delivering.settings.records?.(done)
    count.applied += handled.applied
    count.skipped += handled.skipped
    return failures
  } catch (error) {
    if (changes.length === 1 || isPassing(error)) return changes.map(change => ({ change, error }))
    const middle = changes.length >> 1
    const first = await attempt(changes.slice(0, middle), delivering, count)
    return [...first, ...(await attempt(changes.slice(middle), delivering, count))]
  }
}
