import { GraphError } from '../../schema/error.js'
import { delayMs } from '../../store/backoff.js'
import type { Delivered } from './delivery.js'
import type { Following } from './following.js'
import type { Gap } from './gap.js'
import { Healing } from './healing.js'
import { gapItem, type Lease } from './lease.js'
import { type ReaderEnd, ShardReader } from './reader.js'
import type { FollowSettings } from './settings.js'
import { nameOf, readable } from './shards.js'
import { toTake } from './shares.js'
import { forgetShards, sourcesOf } from './streams.js'
import { Waits } from './waits.js'

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
interface Round {
  readonly turn: number
  /** What others read, or nobody yet. */
  readonly others: readonly Lease[]
  readonly gaps: readonly Gap[]
}

const RETRY = { baseDelayMs: 100, maxDelayMs: 10_000 }
/** What a consumer writes asks for more at most so often, less one: a record, a tombstone, a counter. */
const PASSES = 4

/** Looks for shards, takes its share of them, and keeps their leases, round after round. */
export class Follower {
  private readonly readers = new Map<string, ShardReader>()
  private readonly running = new Set<Promise<void>>()
  private readonly rounds: Waits
  private readonly reading: Waits
  private readonly following: Following
  private readonly healing: Healing
  private readonly count: Delivered = { applied: 0, skipped: 0, failed: 0, dead: 0 }
  private readonly waiting = new Set<() => void>()
  private readonly settings: FollowSettings
  private round: Round = { turn: -1, others: [], gaps: [] }
  /** The first round that knows of every gap that was found here. */
  private gapTurn = 0
  /** Gaps that were to be noted, and of which nobody was told yet. */
  private readonly untold = new Set<string>()
  private stopping = false
  private isDisabled = false
  private loop: Promise<void> | undefined

  constructor(parts: Pick<Following, 'consumer' | 'table' | 'store' | 'streams' | 'ledger' | 'dead' | 'settings'>) {
    this.settings = parts.settings
    this.rounds = new Waits(this.settings.sleep)
    this.reading = new Waits(this.settings.sleep)
    this.following = {
      ...parts,
      reading: this.reading,
      count: this.count,
      isStopping: () => this.stopping,
      progressed: () => this.progressed(),
      lookAgain: () => void this.rounds.wake(),
      openGap: gap => this.openGap(gap),
    }
    this.healing = new Healing(this.following)
  }

  /** Resolves when it looks for nothing more. */
  start(): Promise<void> {
    this.loop = this.run()
    return this.loop
  }

  /** There may be something to read. */
  wake(): void {
    this.reading.wake()
  }

  async stop(): Promise<void> {
    this.stopping = true
    this.rounds.end()
    this.reading.end()
    await this.loop
    await Promise.all(this.running)
    await this.healing.ended()
    this.progressed()
  }

  async settled(): Promise<void> {
    for (let pass = 0; pass < PASSES; pass++) {
      const before = this.count.applied
      await this.pass()
      const isAlone = this.round.others.every(lease => this.readers.has(nameOf(lease)))
      if (this.count.applied === before && (isAlone || pass > 0)) return
    }
  }

  /** All that was there before is read. What was written about it meanwhile may be in a shard that was done with. */
  private async pass(): Promise<void> {
    if (this.settings.visibleMs > 0) await this.rounds.rest(this.settings.visibleMs)
    const sinceMs = this.settings.clock()
    const round = this.rounds.wake()
    const read = this.reading.wake()
    let isWaiting = true
    const settled = new Promise<void>((resolve, reject) => {
      const check = () => {
        const stopped = this.stopping
        if (!stopped && !this.isSettled(round, read, sinceMs)) return
        this.waiting.delete(check)
        if (stopped) reject(new GraphError('open.follow', 'the follower was stopped before all was handled'))
        else resolve()
      }
      this.waiting.add(check)
      check()
    })
    void this.askOthers(sinceMs, () => isWaiting)
    try {
      await settled
    } finally {
      isWaiting = false
    }
  }

  /** A follower of a store in a process may sleep until something is written, and say only then how far it is. */
  private async askOthers(sinceMs: number, isWaiting: () => boolean): Promise<void> {
    const { settings, following } = this
    while (isWaiting() && !this.stopping) {
      const isBehind = this.others().some(({ throughMs }) => throughMs < sinceMs)
      if (isBehind)
        await following.ledger.ask(settings.clock()).catch(error => settings.listener({ kind: 'error', error }))
      await this.rounds.rest(settings.askMs)
      if (isBehind && isWaiting()) this.rounds.wake()
    }
  }

  private others(): Lease[] {
    return this.round.others.filter(lease => !this.readers.has(nameOf(lease)))
  }

  stats(): FollowStats {
    const { applied, skipped, failed, dead: deadLettered } = this.count
    const readers = [...this.readers.values()]
    const lagMs = Math.max(0, ...readers.map(reader => reader.lagMs(this.settings.clock())))
    return { lagMs, applied, skipped, failed, deadLettered, shards: readers.length, gaps: this.round.gaps }
  }

  /** Everything that was there is read, here and, as far as they said, by the others, and gaps are healed. */
  private isSettled(round: number, read: number, sinceMs: number): boolean {
    const least = Math.max(round, this.gapTurn)
    if (this.round.turn < least || (this.settings.heal && this.round.gaps.length > 0)) return false
    return (
      [...this.readers.values()].every(reader => reader.tipTurn >= read) &&
      this.others().every(({ throughMs }) => throughMs >= sinceMs)
    )
  }

  private progressed(): void {
    for (const check of [...this.waiting]) check()
  }

  private async run(): Promise<void> {
    const { roundMs, random, listener } = this.settings
    const maxDelayMs = Math.min(RETRY.maxDelayMs, roundMs)
    for (let failures = 0; !this.stopping; ) {
      const turn = this.rounds.turn
      try {
        await this.lookAround(turn)
        failures = 0
        this.progressed()
        await this.rounds.pause(roundMs, turn)
      } catch (error) {
        listener({ kind: 'error', error })
        await this.rounds.rest(delayMs(failures++, { ...RETRY, maxDelayMs, random }))
      }
    }
  }

  private async lookAround(turn: number): Promise<void> {
    const { store, table, ledger } = this.following
    const { Table = {} } = await store.describeTable({ TableName: table })
    this.noteDisabled(!Table.StreamSpecification?.StreamEnabled)
    const state = await ledger.readFor(Table.TableName ?? table)
    const sources = await sourcesOf(this.following, Table, state)
    await forgetShards(this.following, sources, state.leases)
    const leases = readable(sources.streams, state.leases, sources.unknownMs)
    await this.takeShare(leases)
    await Promise.all([...this.readers.values()].map(reader => reader.renew()))
    await this.healing.answer(state.gaps)
    this.round = { turn, others: leases, gaps: state.gaps }
  }

  private noteDisabled(disabled: boolean): void {
    if (disabled && !this.isDisabled) this.settings.listener({ kind: 'disabled' })
    this.isDisabled = disabled
  }

  /** It is noted before anything goes on, and looked at in the next round. */
  private async openGap(gap: Gap): Promise<void> {
    const { listener, onGap } = this.settings
    const id = gapItem(gap)
    // Where the answer was lost the time before, it may be there by that.
    const isOurs = this.untold.has(id)
    this.untold.add(id)
    const isNew = await this.following.ledger.openGap(gap)
    this.untold.delete(id)
    this.gapTurn = this.rounds.wake()
    if (!isNew && !isOurs) return
    listener({ kind: 'gap', gap })
    onGap(gap)
  }

  private async takeShare(leases: readonly Lease[]): Promise<void> {
    const { clock, name, random, leaseMs } = this.settings
    const standing = { name, held: new Set(this.readers.keys()), nowMs: clock(), random }
    await Promise.all(
      toTake(leases, standing).map(async lease => {
        const taken = await this.following.ledger.take(lease, name, clock() + leaseMs)
        if (taken && this.stopping) await this.following.ledger.release(taken)
        else if (taken) this.begin(taken)
      }),
    )
  }

  private begin(lease: Lease): void {
    const { listener } = this.settings
    const reader = new ShardReader(this.following, lease)
    this.readers.set(nameOf(lease), reader)
    listener({ kind: 'shard', shard: lease.shard, became: 'taken' })
    const ended = reader.run().then(became => this.ended(lease, became))
    this.running.add(ended)
    void ended.finally(() => this.running.delete(ended))
  }

  private ended(lease: Lease, became: ReaderEnd): void {
    this.readers.delete(nameOf(lease))
    this.settings.listener({ kind: 'shard', shard: lease.shard, became })
    // Its children can be read now.
    this.round = { ...this.round, turn: -1 }
    if (became === 'done') this.rounds.wake()
  }
}
