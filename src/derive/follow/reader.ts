import type { ChangeRecord, GetRecordsAnswer } from '../../dynamodb/operations/streams.js'
import { delayMs } from '../../store/backoff.js'
import { putDeadLetter } from '../dead-letters.js'
import { deliver } from './delivery.js'
import type { Following } from './following.js'
import { type Gap, gapSince, horizonMs } from './gap.js'
import type { Lease, Progress } from './lease.js'
import { isNamed, isPassing } from './passing.js'

const RETRY = { baseDelayMs: 100, maxDelayMs: 10_000 }
const ERROR_CHARACTERS = 2000
const REPORT_MS = 1000

export type ReaderEnd = 'done' | 'released' | 'lost'

/** Reads one shard from where it was left to its end, for as long as its lease is held. */
export class ShardReader {
  /** The turn in which it last had read all that there was. */
  tipTurn = -1
  progress: Progress
  private behindMs: number | undefined
  private lost = false
  /** The last sequence number that was handled, or that a gap covers; `progress.after` is where reading goes on. */
  private seen: string | undefined
  /** When the last record was made that this reader handled. */
  private handledMs: number | undefined
  private trimmedEarly = false
  private keptMs: number
  private failures = 0
  /** Pages without records, one after the other. */
  private emptyPages = 0
  private writing: Promise<void> = Promise.resolve()

  constructor(
    private readonly following: Following,
    readonly lease: Lease,
  ) {
    this.progress = { after: lease.after, throughMs: lease.throughMs, done: false }
    this.keptMs = following.settings.clock()
  }

  /** How old the record is that it is at. */
  lagMs(nowMs: number): number {
    return this.behindMs === undefined ? 0 : Math.max(0, nowMs - this.behindMs)
  }

  async run(): Promise<ReaderEnd> {
    const { settings, streams, reading } = this.following
    let iterator: string | undefined
    while (!this.isOver()) {
      const turn = reading.turn
      const beganMs = settings.clock()
      let page: GetRecordsAnswer
      try {
        iterator ??= await this.open()
        page = await streams.getRecords({ ShardIterator: iterator, Limit: settings.batchSize })
      } catch (error) {
        iterator = undefined
        await this.failed(error)
        continue
      }
      this.failures = 0
      const { Records = [], NextShardIterator } = page
      this.emptyPages = Records.length > 0 ? 0 : this.emptyPages + 1
      if (Records.length > 0 && !(await this.handle(Records))) continue
      if (!NextShardIterator) return this.finish()
      iterator = NextShardIterator
      if (this.emptyPages >= settings.emptyPages) await this.rest(turn, beganMs)
    }
    return this.leave()
  }

  /** Keeps the lease in good time. */
  async renew(): Promise<void> {
    const { clock, roundMs } = this.following.settings
    if (clock() - this.keptMs >= roundMs / 2) await this.keep()
  }

  /** Keeps the lease, and how far it came. Where that fails, the next time does it. */
  keep(): Promise<void> {
    this.writing = this.writing.then(() => this.write()).catch(this.report)
    return this.writing
  }

  private isOver = () => this.lost || this.following.isStopping()
  private report = (error: unknown) => this.following.settings.listener({ kind: 'error', error })

  /** An iterator where it was left, or, after a gap, at the oldest that there is. */
  private async open(): Promise<string> {
    const { streams, settings, openGap } = this.following
    const { stream: StreamArn, shard: ShardId } = this.lease
    const gap = gapSince(this.progress.throughMs, settings.clock(), ShardId) ?? this.earlyGap()
    if (gap) {
      if (this.hasMissed(true)) await openGap(gap)
      this.progress = { after: undefined, throughMs: gap.untilMs, done: false }
      this.seen = settings.inProcess?.trimmedThrough(StreamArn, ShardId)
      this.trimmedEarly = false
      await this.keep()
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

  /** The gap of a store that removes records before they are a day old, as `memory()` does beyond its bound. */
  private earlyGap(): Gap | undefined {
    const { inProcess } = this.following.settings
    const isMissing = inProcess ? inProcess.trimsEarly && this.hasMissed(false) : this.trimmedEarly
    if (!isMissing) return undefined
    const { throughMs } = this.progress
    const untilMs = this.following.settings.clock()
    return { reason: 'trimmed', sinceMs: throughMs, untilMs, shards: [this.lease.shard] }
  }

  /** Whether records that were not read are gone. Only a store in the same process knows. */
  private hasMissed(otherwise: boolean): boolean {
    const { stream, shard } = this.lease
    const { inProcess } = this.following.settings
    return inProcess ? inProcess.hasMissed(stream, shard, this.seen ?? this.progress.after) : otherwise
  }

  private async failed(error: unknown): Promise<void> {
    if (isNamed(error, 'ExpiredIteratorException')) return
    if (isNamed(error, 'TrimmedDataAccessException')) {
      // A record that this reader handled is gone before it is a day old: so may be records that it has not read.
      this.trimmedEarly = this.handledMs !== undefined && this.handledMs > horizonMs(this.following.settings.clock())
      this.seen ??= this.progress.after
      this.progress = { ...this.progress, after: undefined }
    } else if (!isPassing(error)) this.report(error)
    await this.backOff()
  }

  private async backOff(): Promise<void> {
    const { reading, settings } = this.following
    await reading.rest(delayMs(this.failures++, { ...RETRY, random: settings.random }))
  }

  private async handle(records: readonly ChangeRecord[]): Promise<boolean> {
    const { settings, consumer, reading, count } = this.following
    const { shard } = this.lease
    this.behindMs = createdMs(records[0])
    const before = { ...count }
    const whole = await deliver(
      records,
      { consumer, settings, waits: reading, shard, isOver: this.isOver, bury: this.bury },
      count,
    )
    if (!whole) return false
    const last = records.at(-1)
    const after = last?.dynamodb?.SequenceNumber
    this.seen = after
    this.handledMs = createdMs(last)
    this.progress = {
      after,
      throughMs: Math.max(this.progress.throughMs, createdMs(last) ?? 0),
      done: false,
    }
    await this.keep()
    const applied = count.applied - before.applied
    settings.listener({ kind: 'batch', shard, applied, skipped: count.skipped - before.skipped })
    return true
  }

  /** Nothing is passed over before it is among the dead letters; false where that was not to be. */
  private bury = async (record: ChangeRecord, error: unknown, attempts: number): Promise<boolean> => {
    const { dead, settings } = this.following
    const { shard } = this.lease
    const letter = {
      record,
      shard,
      attempts,
      at: new Date(settings.clock()),
      error: `${error}`.slice(0, ERROR_CHARACTERS),
    }
    const buried = await this.persist(() => putDeadLetter(dead, letter))
    if (buried) settings.listener({ kind: 'dead', shard, sequence: record.dynamodb?.SequenceNumber ?? '', error })
    return buried
  }

  /** Tries until it is done, or nothing makes sense any more. */
  private async persist(work: () => Promise<void>): Promise<boolean> {
    for (;;) {
      try {
        await work()
        return true
      } catch (error) {
        this.report(error)
        if (this.isOver()) return false
        await this.backOff()
      }
    }
  }

  /** All that there was is handled: waits for more. */
  private async rest(turn: number, beganMs: number): Promise<void> {
    const { reading, settings, progressed } = this.following
    this.behindMs = undefined
    const isWoken = settings.isWoken && turn !== this.tipTurn
    this.tipTurn = turn
    this.progress = { ...this.progress, throughMs: Math.max(this.progress.throughMs, beganMs) }
    progressed()
    if (isWoken) await this.sayProgress(beganMs)
    await reading.pause(settings.pollMs, turn)
  }

  /**
   * Says how far it is, since another may have written to ask. Not more often than every second: to say it is to write,
   * which wakes it again. A clock that stands still is that of a test.
   */
  private async sayProgress(nowMs: number): Promise<void> {
    if (nowMs - this.keptMs >= REPORT_MS || nowMs === this.keptMs) await this.keep()
  }

  private async finish(): Promise<ReaderEnd> {
    this.behindMs = undefined
    this.progress = { ...this.progress, done: true }
    await this.writing
    const noted = await this.persist(() => this.write())
    return noted && !this.lost ? 'done' : 'lost'
  }

  private async leave(): Promise<ReaderEnd> {
    await this.writing
    if (this.lost) return 'lost'
    const { ledger } = this.following
    try {
      if (await ledger.keep(this.lease, this.progress, 0)) await ledger.release(this.lease)
    } catch (error) {
      this.report(error)
    }
    return 'released'
  }

  /** What another has taken since cannot be written to. */
  private async write(): Promise<void> {
    const { ledger, settings } = this.following
    if (this.lost) return
    const nowMs = settings.clock()
    this.lost = !(await ledger.keep(this.lease, this.progress, nowMs + settings.leaseMs))
    this.keptMs = nowMs
  }
}

function createdMs(change: ChangeRecord | undefined): number | undefined {
  return change?.dynamodb?.ApproximateCreationDateTime?.getTime()
}
