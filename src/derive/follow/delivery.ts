import type { ChangeRecord } from '../../dynamodb/operation-types.js'
import { chooseDelayMs } from '../../store/backoff.js'
import type { Consumer } from '../port.js'
import type { FollowSettings } from './settings.js'
import { isTransient } from './transient-errors.js'
import type { WakeableTimer } from './wakeable-timer.js'

/** The environment of a delivery. */
export interface DeliveryContext {
  readonly consumer: Pick<Consumer, 'handle'>
  readonly settings: FollowSettings
  readonly readTimer: WakeableTimer
  readonly shard: string
  /** Whether the delivery should stop because the lease is lost or the follower is stopping. */
  readonly shouldStop: () => boolean
  /** Stores a dead letter. Resolves to false if the follower stopped before it was stored. */
  readonly addDeadLetter: (record: ChangeRecord, error: unknown, attempts: number) => Promise<boolean>
}

/** Totals of the results of all records. */
export interface DeliveryCounts {
  applied: number
  skipped: number
  failed: number
  deadLettered: number
}

interface DeliveryFailure {
  readonly change: ChangeRecord
  readonly error: unknown
}

const RETRY = { baseDelayMs: 100, maxDelayMs: 10_000 }

/**
 * Hands records to the consumer until each is handled or stored as a dead letter. A record that fails permanently
 * becomes a dead letter after `attempts` attempts; transient errors only count against `patienceMs`. Returns false if
 * the delivery was stopped: the records are then read again.
 */
export async function deliverRecords(
  records: readonly ChangeRecord[],
  delivery: DeliveryContext,
  counts: DeliveryCounts,
): Promise<boolean> {
  const { settings, readTimer, shard, shouldStop, addDeadLetter } = delivery
  const beganMs = settings.clock()
  const faultCounts = new Map<ChangeRecord, number>()
  let pending = records
  for (let retryCount = 0; pending.length > 0; retryCount++) {
    if (shouldStop()) return false
    if (retryCount > 0) await readTimer.waitFully(chooseDelayMs(retryCount - 1, { ...RETRY, random: settings.random }))
    if (shouldStop()) return false
    const failures = await attemptPending(pending, faultCounts, delivery, counts)
    if (failures.length > 0)
      settings.listener({ kind: 'failed', shard, records: failures.length, error: failures[0]!.error })
    counts.failed += failures.length
    const elapsedMs = settings.clock() - beganMs
    const toRetry: ChangeRecord[] = []
    for (const { change, error } of failures) {
      const attempts = (faultCounts.get(change) ?? 0) + (isTransient(error) ? 0 : 1)
      faultCounts.set(change, attempts)
      if (attempts < settings.attempts && elapsedMs < settings.patienceMs) toRetry.push(change)
      else if (await addDeadLetter(change, error, retryCount + 1)) counts.deadLettered++
      else return false
    }
    pending = toRetry
  }
  return true
}

/**
 * Retries records that failed permanently one by one, because one of them may fail the whole batch. The others go
 * together.
 */
async function attemptPending(
  records: readonly ChangeRecord[],
  faultCounts: ReadonlyMap<ChangeRecord, number>,
  delivery: DeliveryContext,
  counts: DeliveryCounts,
): Promise<DeliveryFailure[]> {
  const hasFailedBefore = (record: ChangeRecord) => (faultCounts.get(record) ?? 0) > 0
  const healthyRecords = records.filter(record => !hasFailedBefore(record))
  const failures = healthyRecords.length > 0 ? await attemptRecords(healthyRecords, delivery, counts) : []
  for (const record of records.filter(hasFailedBefore))
    failures.push(...(await attemptRecords([record], delivery, counts)))
  return failures
}

/**
 * Hands records to the consumer and returns the failures. If the consumer throws, halves the batch to isolate the
 * failing record.
 */
async function attemptRecords(
  records: readonly ChangeRecord[],
  delivery: DeliveryContext,
  counts: DeliveryCounts,
): Promise<DeliveryFailure[]> {
  try {
    const handled = await delivery.consumer.handle(records)
    const errorsByRecord = new Map(handled.failures.map(({ record, error }) => [record, error]))
    const failures = records
      .filter(change => errorsByRecord.has(change))
      .map(change => ({ change, error: errorsByRecord.get(change) }))
    // A custom consumer may report a failure with a copy of the record. Treat that as if the consumer had thrown.
    for (const change of records) errorsByRecord.delete(change)
    for (const error of errorsByRecord.values()) throw error
    const failedRecords = new Set(failures.map(({ change }) => change))
    const handledRecords = records.filter(change => !failedRecords.has(change))
    if (handledRecords.length > 0) await delivery.settings.records?.(handledRecords)
    counts.applied += handled.applied
    counts.skipped += handled.skipped
    return failures
  } catch (error) {
    if (records.length === 1 || isTransient(error)) return records.map(change => ({ change, error }))
    const middle = records.length >> 1
    const first = await attemptRecords(records.slice(0, middle), delivery, counts)
    return [...first, ...(await attemptRecords(records.slice(middle), delivery, counts))]
  }
}
