import type { ChangeRecord, GetRecordsOutput } from '../../dynamodb/operation-types.js'
import { chooseDelayMs } from '../../store/backoff.js'
import { putDeadLetter } from '../dead-letters/storage.js'
import { deliverRecords } from './delivery.js'
import type { FollowerContext } from './follower-context.js'
import { findGapSince, type Gap, retentionStartMs } from './gap.js'
import type { Lease, ShardProgress } from './lease.js'
import { hasErrorName, isTransient } from './transient-errors.js'

const RETRY = { baseDelayMs: 100, maxDelayMs: 10_000 }
const ERROR_CHARACTERS = 2000
const PUBLISH_INTERVAL_MS = 1000

export type ReaderOutcome = 'done' | 'released' | 'lost'

/** Reads one shard from its checkpoint to its end, while the lease is held. */
export class ShardReader {
  /** The wake count at which the reader had last read everything. */
  caughtUpWakeCount = -1
  progress: ShardProgress
  private pendingRecordMs: number | undefined
  private isLost = false
  /** The last sequence number that was handled or that a gap covers. Reading resumes after `progress.after`. */
  private lastSequence: string | undefined
  /** Creation time of the last record that this reader handled. */
  private lastHandledMs: number | undefined
  private wasTrimmedEarly = false
  private leaseRenewedMs: number
  private failures = 0
  /** Number of consecutive pages without records. */
  private emptyPages = 0
  private pendingWrite: Promise<void> = Promise.resolve()

  constructor(
    private readonly follower: FollowerContext,
    readonly lease: Lease,
  ) {
    this.progress = { after: lease.after, throughMs: lease.throughMs, done: false }
    this.leaseRenewedMs = follower.settings.clock()
  }

  /** Returns the age of the record that is being handled. */
  lagMs(nowMs: number): number {
    return this.pendingRecordMs === undefined ? 0 : Math.max(0, nowMs - this.pendingRecordMs)
  }

  async run(): Promise<ReaderOutcome> {
    const { settings, streams, readTimer } = this.follower
    let iterator: string | undefined
    while (!this.shouldStop()) {
      const wakeCount = readTimer.wakeCount
      const beganMs = settings.clock()
      let page: GetRecordsOutput
      try {
        iterator ??= await this.openIterator()
        page = await streams.getRecords({ ShardIterator: iterator, Limit: settings.batchSize })
      } catch (error) {
        iterator = undefined
        await this.handleReadError(error)
        continue
      }
      this.failures = 0
      const { Records = [], NextShardIterator } = page
      this.emptyPages = Records.length > 0 ? 0 : this.emptyPages + 1
      if (Records.length > 0 && !(await this.handleRecords(Records))) continue
      if (!NextShardIterator) return this.finish()
      iterator = NextShardIterator
      if (this.emptyPages >= settings.emptyPages) await this.waitForRecords(wakeCount, beganMs)
    }
    return this.releaseLease()
  }

  /** Renews the lease before it expires. */
  async renew(): Promise<void> {
    const { clock, roundMs } = this.follower.settings
    if (clock() - this.leaseRenewedMs >= roundMs / 2) await this.saveProgress()
  }

  /** Saves the checkpoint and renews the lease. A failed save is reported, and the next save makes up for it. */
  saveProgress(): Promise<void> {
    this.pendingWrite = this.pendingWrite.then(() => this.writeProgress()).catch(this.reportError)
    return this.pendingWrite
  }

  private shouldStop = () => this.isLost || this.follower.isStopping()
  private reportError = (error: unknown) => this.follower.settings.listener({ kind: 'error', error })

  /** Opens an iterator at the checkpoint or, after a gap, at the oldest retained record. */
  private async openIterator(): Promise<string> {
    const { streams, settings, openGap } = this.follower
    const { stream: StreamArn, shard: ShardId } = this.lease
    const gap = findGapSince(this.progress.throughMs, settings.clock(), ShardId) ?? this.findEarlyGap()
    if (gap) {
      if (this.hasMissed(true)) await openGap(gap)
      this.progress = { after: undefined, throughMs: gap.untilMs, done: false }
      this.lastSequence = settings.embeddedStream?.trimmedThrough(StreamArn, ShardId)
      this.wasTrimmedEarly = false
      await this.saveProgress()
    }
    this.emptyPages = 0
    const { after } = this.progress
    const { ShardIterator } = await streams.getShardIterator({
      StreamArn,
      ShardId,
      ...(after === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after }),
    })
    return ShardIterator!
  }

  /** Returns the gap of a store that removes records before they are a day old, as `memory()` does beyond its limit. */
  private findEarlyGap(): Gap | undefined {
    const { embeddedStream } = this.follower.settings
    const isMissing = embeddedStream ? embeddedStream.trimsEarly && this.hasMissed(false) : this.wasTrimmedEarly
    if (!isMissing) return undefined
    const { throughMs } = this.progress
    const untilMs = this.follower.settings.clock()
    return { reason: 'trimmed', sinceMs: throughMs, untilMs, shards: [this.lease.shard] }
  }

  /** Whether unread records were removed. Only an embedded store knows; for others returns the fallback. */
  private hasMissed(fallback: boolean): boolean {
    const { stream, shard } = this.lease
    const { embeddedStream } = this.follower.settings
    return embeddedStream ? embeddedStream.hasMissed(stream, shard, this.lastSequence ?? this.progress.after) : fallback
  }

  private async handleReadError(error: unknown): Promise<void> {
    if (hasErrorName(error, 'ExpiredIteratorException')) return
    if (hasErrorName(error, 'TrimmedDataAccessException')) {
      // If a record that was already handled is trimmed before it is a day old, unread records may be trimmed too.
      this.wasTrimmedEarly =
        this.lastHandledMs !== undefined && this.lastHandledMs > retentionStartMs(this.follower.settings.clock())
      this.lastSequence ??= this.progress.after
      this.progress = { ...this.progress, after: undefined }
    } else if (!isTransient(error)) this.reportError(error)
    await this.backOff()
  }

  private async backOff(): Promise<void> {
    const { readTimer, settings } = this.follower
    await readTimer.waitFully(chooseDelayMs(this.failures++, { ...RETRY, random: settings.random }))
  }

  private async handleRecords(records: readonly ChangeRecord[]): Promise<boolean> {
    const { settings, consumer, readTimer, counts } = this.follower
    const { shard } = this.lease
    this.pendingRecordMs = createdMsOf(records[0])
    const countsBefore = { ...counts }
    const isDelivered = await deliverRecords(
      records,
      {
        consumer,
        settings,
        readTimer: readTimer,
        shard,
        shouldStop: this.shouldStop,
        addDeadLetter: this.addDeadLetter,
      },
      counts,
    )
    if (!isDelivered) return false
    const last = records.at(-1)
    const after = last?.dynamodb?.SequenceNumber
    this.lastSequence = after
    this.lastHandledMs = createdMsOf(last)
    this.progress = {
      after,
      throughMs: Math.max(this.progress.throughMs, createdMsOf(last) ?? 0),
      done: false,
    }
    await this.saveProgress()
    const applied = counts.applied - countsBefore.applied
    settings.listener({ kind: 'batch', shard, applied, skipped: counts.skipped - countsBefore.skipped })
    return true
  }

  /** Stores a dead letter before the reader skips the record. Resolves to false if the reader stopped first. */
  private addDeadLetter = async (record: ChangeRecord, error: unknown, attempts: number): Promise<boolean> => {
    const { dead, settings } = this.follower
    const { shard } = this.lease
    const letter = {
      record,
      shard,
      attempts,
      at: new Date(settings.clock()),
      error: `${error}`.slice(0, ERROR_CHARACTERS),
    }
    const isStored = await this.retryUntilDone(() => putDeadLetter(dead, letter))
    if (isStored) settings.listener({ kind: 'dead', shard, sequence: record.dynamodb?.SequenceNumber ?? '', error })
    return isStored
  }

  /** Retries until the work succeeds or the reader stops. */
  private async retryUntilDone(work: () => Promise<void>): Promise<boolean> {
    for (;;) {
      try {
        await work()
        return true
      } catch (error) {
        this.reportError(error)
        if (this.shouldStop()) return false
        await this.backOff()
      }
    }
  }

  /** Waits for new records after all records were handled. */
  private async waitForRecords(wakeCount: number, beganMs: number): Promise<void> {
    const { readTimer, settings, onProgress } = this.follower
    this.pendingRecordMs = undefined
    const wasWoken = settings.isWokenByWrites && wakeCount !== this.caughtUpWakeCount
    this.caughtUpWakeCount = wakeCount
    this.progress = { ...this.progress, throughMs: Math.max(this.progress.throughMs, beganMs) }
    onProgress()
    if (wasWoken) await this.publishProgress(beganMs)
    await readTimer.waitUntilWoken(settings.pollMs, wakeCount)
  }

  /**
   * Saves the checkpoint because another follower may be waiting for it, at most once per second: in an embedded
   * store, the write itself wakes the follower again. A clock that does not advance is a test clock.
   */
  private async publishProgress(nowMs: number): Promise<void> {
    if (nowMs - this.leaseRenewedMs >= PUBLISH_INTERVAL_MS || nowMs === this.leaseRenewedMs) await this.saveProgress()
  }

  private async finish(): Promise<ReaderOutcome> {
    this.pendingRecordMs = undefined
    this.progress = { ...this.progress, done: true }
    await this.pendingWrite
    const isSaved = await this.retryUntilDone(() => this.writeProgress())
    return isSaved && !this.isLost ? 'done' : 'lost'
  }

  private async releaseLease(): Promise<ReaderOutcome> {
    await this.pendingWrite
    if (this.isLost) return 'lost'
    const { ledger } = this.follower
    try {
      if (await ledger.renewLease(this.lease, this.progress, 0)) await ledger.releaseLease(this.lease)
    } catch (error) {
      this.reportError(error)
    }
    return 'released'
  }

  /** Writes the checkpoint unless another follower has taken the lease. */
  private async writeProgress(): Promise<void> {
    const { ledger, settings } = this.follower
    if (this.isLost) return
    const nowMs = settings.clock()
    this.isLost = !(await ledger.renewLease(this.lease, this.progress, nowMs + settings.leaseMs))
    this.leaseRenewedMs = nowMs
  }
}

function createdMsOf(record: ChangeRecord | undefined): number | undefined {
  return record?.dynamodb?.ApproximateCreationDateTime?.getTime()
}
