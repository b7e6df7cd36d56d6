import { GraphError } from '../../schema/error.js'
import { chooseDelayMs } from '../../store/backoff.js'
import type { DeliveryCounts } from './delivery.js'
import type { FollowerContext } from './follower-context.js'
import type { Gap } from './gap.js'
import { GapRepair } from './gap-repair.js'
import { gapSortKeyOf, type Lease } from './lease.js'
import { type ReaderOutcome, ShardReader } from './reader.js'
import type { FollowSettings } from './settings.js'
import { selectLeasesToTake } from './shard-assignment.js'
import { findReadableLeases, shardNameOf } from './shards.js'
import { findStreamSources, removeStaleLeases } from './streams.js'
import { WakeableTimer } from './wakeable-timer.js'

/** How a follower is doing, since it was started. */
export interface FollowStats {
  /** How old the oldest record is that was read and not handled yet; 0 where all is. */
  readonly lagMs: number
  readonly applied: number
  readonly skipped: number
  /** Failures, of which one record can have several. */
  readonly failed: number
  readonly deadLettered: number
  /** The shards that this follower reads. */
  readonly shards: number
  /** Times whose changes may have been missed, and that were not healed yet. */
  readonly gaps: readonly Gap[]
}

/** What a follower knew when it last looked around. */
interface RoundState {
  readonly wakeCount: number
  /** What others read, or nobody yet. */
  readonly otherLeases: readonly Lease[]
  readonly gaps: readonly Gap[]
}

const RETRY = { baseDelayMs: 100, maxDelayMs: 10_000 }
/** What a consumer writes asks for more at most so often, less one: a record, a tombstone, a counter. */
const MAX_PASSES = 4

/** Looks for shards, takes its share of them, and keeps their leases, round after round. */
export class ShardCoordinator {
  private readonly readers = new Map<string, ShardReader>()
  private readonly runningReaders = new Set<Promise<void>>()
  private readonly roundTimer: WakeableTimer
  private readonly readTimer: WakeableTimer
  private readonly context: FollowerContext
  private readonly gapRepair: GapRepair
  private readonly counts: DeliveryCounts = { applied: 0, skipped: 0, failed: 0, deadLettered: 0 }
  private readonly pendingChecks = new Set<() => void>()
  private readonly settings: FollowSettings
  private lastRound: RoundState = { wakeCount: -1, otherLeases: [], gaps: [] }
  /** The first round that knows of every gap that was found here. */
  private gapWakeCount = 0
  /** Gaps that were to be noted, and of which nobody was told yet. */
  private readonly unreportedGaps = new Set<string>()
  private isStopping = false
  private isDisabled = false
  private loop: Promise<void> | undefined

  constructor(
    parts: Pick<FollowerContext, 'consumer' | 'table' | 'store' | 'streams' | 'ledger' | 'dead' | 'settings'>,
  ) {
    this.settings = parts.settings
    this.roundTimer = new WakeableTimer(this.settings.sleep)
    this.readTimer = new WakeableTimer(this.settings.sleep)
    this.context = {
      ...parts,
      readTimer: this.readTimer,
      counts: this.counts,
      isStopping: () => this.isStopping,
      onProgress: () => this.runPendingChecks(),
      requestRound: () => void this.roundTimer.wake(),
      openGap: gap => this.openGap(gap),
    }
    this.gapRepair = new GapRepair(this.context)
  }

  /** Resolves when it looks for nothing more. */
  start(): Promise<void> {
    this.loop = this.run()
    return this.loop
  }

  /** There may be something to read. */
  wake(): void {
    this.readTimer.wake()
  }

  async stop(): Promise<void> {
    this.isStopping = true
    this.roundTimer.stop()
    this.readTimer.stop()
    await this.loop
    await Promise.all(this.runningReaders)
    await this.gapRepair.waitUntilIdle()
    this.runPendingChecks()
  }

  async settled(): Promise<void> {
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const appliedBefore = this.counts.applied
      await this.waitForPass()
      const isAlone = this.lastRound.otherLeases.every(lease => this.readers.has(shardNameOf(lease)))
      if (this.counts.applied === appliedBefore && (isAlone || pass > 0)) return
    }
  }

  /** All that was there before is read. What was written about it meanwhile may be in a shard that was done with. */
  private async waitForPass(): Promise<void> {
    if (this.settings.visibleMs > 0) await this.roundTimer.waitFully(this.settings.visibleMs)
    const sinceMs = this.settings.clock()
    const roundWakeCount = this.roundTimer.wake()
    const readWakeCount = this.readTimer.wake()
    let isWaiting = true
    const passed = new Promise<void>((resolve, reject) => {
      const check = () => {
        const wasStopped = this.isStopping
        if (!wasStopped && !this.isSettled(roundWakeCount, readWakeCount, sinceMs)) return
        this.pendingChecks.delete(check)
        if (wasStopped) reject(new GraphError('open.follow', 'the follower was stopped before all was handled'))
        else resolve()
      }
      this.pendingChecks.add(check)
      check()
    })
    void this.requestProgress(sinceMs, () => isWaiting)
    try {
      await passed
    } finally {
      isWaiting = false
    }
  }

  /** A follower of a store in a process may sleep until something is written, and say only then how far it is. */
  private async requestProgress(sinceMs: number, isWaiting: () => boolean): Promise<void> {
    const { settings, context } = this
    while (isWaiting() && !this.isStopping) {
      const isBehind = this.leasesOfOthers().some(({ throughMs }) => throughMs < sinceMs)
      if (isBehind)
        await context.ledger
          .requestProgress(settings.clock())
          .catch(error => settings.listener({ kind: 'error', error }))
      await this.roundTimer.waitFully(settings.progressRequestMs)
      if (isBehind && isWaiting()) this.roundTimer.wake()
    }
  }

  private leasesOfOthers(): Lease[] {
    return this.lastRound.otherLeases.filter(lease => !this.readers.has(shardNameOf(lease)))
  }

  stats(): FollowStats {
    const { applied, skipped, failed, deadLettered } = this.counts
    const readers = [...this.readers.values()]
    const lagMs = Math.max(0, ...readers.map(reader => reader.lagMs(this.settings.clock())))
    return { lagMs, applied, skipped, failed, deadLettered, shards: readers.length, gaps: this.lastRound.gaps }
  }

  /** Everything that was there is read, here and, as far as they said, by the others, and gaps are healed. */
  private isSettled(roundWakeCount: number, readWakeCount: number, sinceMs: number): boolean {
    const minWakeCount = Math.max(roundWakeCount, this.gapWakeCount)
    if (this.lastRound.wakeCount < minWakeCount || (this.settings.heal && this.lastRound.gaps.length > 0)) return false
    return (
      [...this.readers.values()].every(reader => reader.caughtUpWakeCount >= readWakeCount) &&
      this.leasesOfOthers().every(({ throughMs }) => throughMs >= sinceMs)
    )
  }

  private runPendingChecks(): void {
    for (const check of [...this.pendingChecks]) check()
  }

  private async run(): Promise<void> {
    const { roundMs, random, listener } = this.settings
    const maxDelayMs = Math.min(RETRY.maxDelayMs, roundMs)
    for (let failures = 0; !this.isStopping; ) {
      const wakeCount = this.roundTimer.wakeCount
      try {
        await this.runRound(wakeCount)
        failures = 0
        this.runPendingChecks()
        await this.roundTimer.waitUntilWoken(roundMs, wakeCount)
      } catch (error) {
        listener({ kind: 'error', error })
        await this.roundTimer.waitFully(chooseDelayMs(failures++, { ...RETRY, maxDelayMs, random }))
      }
    }
  }

  private async runRound(wakeCount: number): Promise<void> {
    const { store, table, ledger } = this.context
    const { Table = {} } = await store.describeTable({ TableName: table })
    this.noteDisabled(!Table.StreamSpecification?.StreamEnabled)
    const state = await ledger.readForTable(Table.TableName ?? table)
    const sources = await findStreamSources(this.context, Table, state)
    await removeStaleLeases(this.context, sources, state.leases)
    const leases = findReadableLeases(sources.streams, state.leases, sources.unknownMs)
    await this.takeLeases(leases)
    await Promise.all([...this.readers.values()].map(reader => reader.renew()))
    await this.gapRepair.repairGaps(state.gaps)
    this.lastRound = { wakeCount, otherLeases: leases, gaps: state.gaps }
  }

  private noteDisabled(disabled: boolean): void {
    if (disabled && !this.isDisabled) this.settings.listener({ kind: 'disabled' })
    this.isDisabled = disabled
  }

  /** It is noted before anything goes on, and looked at in the next round. */
  private async openGap(gap: Gap): Promise<void> {
    const { listener, onGap } = this.settings
    const id = gapSortKeyOf(gap)
    // Where the answer was lost the time before, it may be there by that.
    const isOurs = this.unreportedGaps.has(id)
    this.unreportedGaps.add(id)
    const isNew = await this.context.ledger.openGap(gap)
    this.unreportedGaps.delete(id)
    this.gapWakeCount = this.roundTimer.wake()
    if (!isNew && !isOurs) return
    listener({ kind: 'gap', gap })
    onGap(gap)
  }

  private async takeLeases(leases: readonly Lease[]): Promise<void> {
    const { clock, name, random, leaseMs } = this.settings
    const assignment = { name, held: new Set(this.readers.keys()), nowMs: clock(), random }
    await Promise.all(
      selectLeasesToTake(leases, assignment).map(async lease => {
        const taken = await this.context.ledger.takeLease(lease, name, clock() + leaseMs)
        if (taken && this.isStopping) await this.context.ledger.releaseLease(taken)
        else if (taken) this.startReader(taken)
      }),
    )
  }

  private startReader(lease: Lease): void {
    const { listener } = this.settings
    const reader = new ShardReader(this.context, lease)
    this.readers.set(shardNameOf(lease), reader)
    listener({ kind: 'shard', shard: lease.shard, state: 'taken' })
    const finished = reader.run().then(outcome => this.onReaderEnd(lease, outcome))
    this.runningReaders.add(finished)
    void finished.finally(() => this.runningReaders.delete(finished))
  }

  private onReaderEnd(lease: Lease, outcome: ReaderOutcome): void {
    this.readers.delete(shardNameOf(lease))
    this.settings.listener({ kind: 'shard', shard: lease.shard, state: outcome })
    // Its children can be read now.
    this.lastRound = { ...this.lastRound, wakeCount: -1 }
    if (outcome === 'done') this.roundTimer.wake()
  }
}
