import { TREE_DEPTH } from '../../layout/items/derived-values.js'
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

/** Statistics of a follower since its start. */
export interface FollowStats {
  /** Age in milliseconds of the oldest record that was read and not handled yet; 0 if there is none. */
  readonly lagMs: number
  readonly applied: number
  readonly skipped: number
  /** Number of failures. A record that fails several times counts several times. */
  readonly failed: number
  readonly deadLettered: number
  /** Number of shards that this follower reads. */
  readonly shards: number
  /** Gaps that were not healed yet. */
  readonly gaps: readonly Gap[]
}

/** The knowledge of a follower after its last round. */
interface RoundState {
  readonly wakeCount: number
  /** Leases that are held by other followers or free. */
  readonly otherLeases: readonly Lease[]
  readonly gaps: readonly Gap[]
}

const RETRY = { baseDelayMs: 100, maxDelayMs: 10_000 }
/**
 * Derived writes trigger further records at most three levels deep (record, tombstone, counter), so four passes reach
 * a fixed point.
 */
const MAX_PASSES = 4
/** In a tree each level asks for two more: a counter, and the copy of it on the edge above. */
const PASSES_OF_TREE = MAX_PASSES + 2 * TREE_DEPTH

/** Finds shards, takes its share of them and renews their leases, round after round. */
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
  /** The first round that includes every gap that this follower opened. */
  private gapWakeCount = 0
  /** Gaps that were opened but not yet reported to the listener. */
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

  /** Runs the rounds. Resolves when the follower has stopped. */
  start(): Promise<void> {
    this.loop = this.run()
    return this.loop
  }

  /** Wakes the readers, because new records may be available. */
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
    const { edges } = this.context.consumer.layout.graph.declared
    const passes = edges.some(({ tree }) => tree) ? PASSES_OF_TREE : MAX_PASSES
    for (let pass = 0; pass < passes; pass++) {
      const appliedBefore = this.counts.applied
      await this.waitForPass()
      const isAlone = this.lastRound.otherLeases.every(lease => this.readers.has(shardNameOf(lease)))
      if (this.counts.applied === appliedBefore && (isAlone || pass > 0)) return
    }
  }

  /**
   * Waits until all earlier writes are handled. Their derived writes may be in a shard that was already read, so one
   * pass may not suffice.
   */
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
        if (wasStopped)
          reject(
            new GraphError('open.follow', 'follower: it was stopped before all records were handled; start it again.'),
          )
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

  /** Requests the progress of other followers: one that is woken by writes may sleep without saving its checkpoint. */
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

  /** Whether all shards are read up to now, by this follower and the others, and all gaps are healed. */
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

  /** Records a gap before reading goes on. The next round repairs it. */
  private async openGap(gap: Gap): Promise<void> {
    const { listener, onGap } = this.settings
    const id = gapSortKeyOf(gap)
    // The response to an earlier attempt may have been lost, so an existing gap may be our own.
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
    // The child shards are now readable.
    this.lastRound = { ...this.lastRound, wakeCount: -1 }
    if (outcome === 'done') this.roundTimer.wake()
  }
}
