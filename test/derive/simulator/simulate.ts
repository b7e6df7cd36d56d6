import type { SummaryJob } from '../../../src/batch/index.js'
import type { Consumer } from '../../../src/derive/port.js'
import { consumer } from '../../../src/derive/settle/consumer.js'
import type { ChangeRecord } from '../../../src/dynamodb/operation-types.js'
import { memory } from '../../../src/engine/index.js'
import { open } from '../../../src/index.js'
import { finishDeletes } from '../../../src/jobs/index.js'
import type { Layout } from '../../../src/layout/layout.js'
import type { Service, Streams } from '../../../src/store/port.js'
import { wrap } from '../../../src/store/wrap.js'
import { quietRunFault, runOver, type Snapshot } from './batch-runs.js'
import { faultOf, itemsIn } from './check-table.js'
import { Delivery } from './delivery.js'
import { type FaultRates, type Injected, seenBy } from './faults.js'
import { Naive, negativeIn } from './naive-consumer.js'
import { Random } from './random.js'
import { repairAny } from './random-repair.js'
import {
  anyWrite,
  foreignDelete,
  foreignPut,
  type Handles,
  isRefusal,
  PROFILES,
  type Profile,
} from './random-writes.js'
import type { Sabotage } from './sabotage.js'
import { Actor, Schedule } from './schedule.js'
import { Tap } from './stream.js'
import { JOBS, summaryFaultIn, summaryFaultOf } from './summaries.js'
import { worldOf } from './worlds.js'

export interface SimulateOptions {
  readonly writes?: number
  /** The disabled guard. */
  readonly sabotage?: Sabotage | undefined
  /** Index of the run's profile in PROFILES. Default: random. */
  readonly profile?: number | undefined
  readonly trace?: ((line: string) => void) | undefined
}

export interface Outcome {
  readonly seed: number
  /** The faults of the settled table. Undefined if there are none. */
  readonly failure: string | undefined
  readonly writes: number
  readonly turns: number
  readonly injected: Injected
  /** Whether counters that add one per record, as in AWS's documentation, were correct. */
  readonly naiveWasRight: boolean
}

const WRITERS = 3
const CONSUMERS = 2
const BATCHES = 2
/** The longest pause of a batch, in turns, and the most requests before it is killed. */
const BATCH_PAUSE = 120
const KILLED_WITHIN = 15
const WRITES = 300
const MOST_TURNS = 400_000
const START_MS = Date.UTC(2026, 0, 1)
const DAY_MS = 24 * 3600 * 1000

/** Runs writers, consumers, repairs and batch jobs on the engine with seeded faults of every kind. */
export async function simulate(seed: number, options: SimulateOptions = {}): Promise<Outcome> {
  const run = await Run.begin(seed, options)
  const failure = await run.whole().catch((error: unknown) => `threw ${(error as Error).stack}`)
  const { schedule, injected, writes } = run
  return { seed, failure, writes, turns: schedule.turns, injected, naiveWasRight: run.naiveWasRight }
}

/** A store handle per call, so that an unfinished call of an actor does not affect its next one. */
interface Current {
  actor: Actor
}

class Run {
  readonly schedule: Schedule
  readonly injected: Injected = {}
  readonly naive: Naive
  naiveWasRight = true
  writes = 0
  private readonly delivery: Delivery
  private writing = WRITERS
  private isCalm = false
  private failure: string | undefined
  private readonly profile: Profile

  private constructor(
    private readonly random: Random,
    private readonly world: ReturnType<typeof worldOf>,
    private readonly store: Service & Streams,
    private readonly layout: Layout,
    private readonly tap: Tap,
    private readonly clock: { ms: number },
    private readonly rates: FaultRates,
    private readonly options: SimulateOptions,
  ) {
    this.schedule = new Schedule(random)
    this.delivery = new Delivery(random, random.chance(0.5))
    this.naive = new Naive(layout)
    const picked = random.pick(PROFILES)
    this.profile = options.profile === undefined ? picked : PROFILES[options.profile]!
    this.schedule.slowness = this.profile.slowness
  }

  static async begin(seed: number, options: SimulateOptions): Promise<Run> {
    const random = new Random(seed)
    const world = worldOf(random)
    const clock = { ms: START_MS }
    const store = memory({
      now: () => clock.ms,
      seed,
      indexLag: { ms: 5, jitterMs: 500 },
      expiryDelayMs: 1000,
      streams: { shards: 1 + random.below(3), splitAfterRecords: 100 + random.below(400) },
    })
    const opened = await open(world.graph, store, { follow: false, clock: () => clock.ms })
    const layout = (opened as unknown as { $layout: Layout }).$layout
    const { Table } = await store.describeTable({ TableName: layout.design.name })
    const tap = new Tap(store, Table!.LatestStreamArn!)
    const most = random.pick([0, 0.02, 0.08])
    const rates = { throttled: most, conflict: most, lost: most, unsent: most / 2 }
    return new Run(random, world, store, layout, tap, clock, rates, options)
  }

  async whole(): Promise<string | undefined> {
    if (this.random.chance(0.8)) await this.prepare()
    const loops = [
      ...Array.from({ length: WRITERS }, (_, at) => this.writer(`writer ${at}`)),
      ...Array.from({ length: CONSUMERS }, (_, at) => this.consumer(`consumer ${at}`)),
      this.repairer('repair'),
      ...Array.from({ length: BATCHES }, (_, at) => this.batch(`batch ${at}`)),
    ]
    await this.until(Promise.all(loops))
    await this.settle()
    await this.look()
    if (this.failure) return this.failure
    this.naiveWasRight = this.naive.isRight(await itemsIn(this.store, this.layout.design.name))
    // Days later, many records are delivered again.
    this.clock.ms += 3 * DAY_MS
    this.delivery.add(
      this.delivery.history.filter(() => this.random.chance(0.1)),
      0,
    )
    await this.settle()
    await this.look()
    return this.failure && `after a replay: ${this.failure}`
  }

  private async look(): Promise<void> {
    const items = await this.items()
    this.failure ??= faultOf(this.layout, items, 'foreign put' in this.injected)
    this.failure ??= summaryFaultOf(this.layout, items, this.clock.ms)
  }

  private items() {
    return itemsIn(this.store, this.layout.design.name)
  }

  /** Most runs start with every node, because most edges would be dangling otherwise. */
  private async prepare(): Promise<void> {
    const handles = handlesOf(await this.opened({ actor: new Actor('first') }, this.store))
    const ids = Array.from({ length: this.profile.ids }, (_, i) => i)
    for (const { name, within, attributes } of this.world.nodes)
      for (const i of ids)
        for (const owner of within === undefined ? [undefined] : ids)
          await handles[name]!.put({
            id: `${name[0]}${i}`,
            ...(within !== undefined && { [within]: `${within[0]}${owner}` }),
            ...attributes(this.random, this.clock.ms),
          })
  }

  /** Ends the faults, finishes interrupted work, deletes expired items and handles all records. */
  private async settle(): Promise<void> {
    this.isCalm = true
    const opened = await this.opened({ actor: new Actor('calm') }, this.store)
    await finishDeletes(opened)
    this.clock.ms += DAY_MS / 2
    await this.store.listTables({})
    this.writing = 0
    await this.until(this.consumer('last consumer'))
    const graph = { graph: opened, layout: this.layout }
    this.failure ??= await quietRunFault(graph, () => this.snapshot(), this.random)
    await this.until(this.consumer('last consumer'))
  }

  /** The items of one moment, as an export has them. */
  private async snapshot(): Promise<Snapshot> {
    this.clock.ms++
    return { items: await this.items(), momentMs: this.clock.ms }
  }

  /** Runs turns, with crashes now and then, until the promise settles. */
  private async until(done: Promise<unknown>): Promise<void> {
    let isDone = false
    let error: unknown
    done.then(
      () => {
        isDone = true
      },
      thrown => {
        isDone = true
        error = thrown
      },
    )
    while (!isDone) {
      this.clock.ms += this.random.below(20)
      if (!this.isCalm && this.random.chance(0.004)) this.crashSomebody()
      if (!(await this.schedule.step()) && !isDone) await new Promise(resolve => setImmediate(resolve))
      if (this.schedule.turns > MOST_TURNS) throw new Error('it does not come to an end')
    }
    if (error) throw error
  }

  private crashSomebody(): void {
    const actors = this.schedule.actors
    if (actors.length === 0) return
    const actor = this.random.pick(actors)
    if (!actor.mayCrash) return
    this.count('crash')
    this.schedule.crash(actor)
  }

  private count(fault: string): void {
    this.injected[fault] = (this.injected[fault] ?? 0) + 1
  }

  private storeFor(current: Current, isWriter: boolean): Service {
    const rates = () => (this.isCalm ? undefined : this.rates)
    const sabotaged = this.options.sabotage?.(this.store, this.layout, isWriter, this.delivery) ?? this.store
    return seenBy(sabotaged, () => current.actor, this.schedule, this.random, rates, this.injected) as Service
  }

  private retry(current: Current) {
    const sleep = () => this.schedule.turn(current.actor)
    return { attempts: 4, clock: { now: () => this.clock.ms, sleep }, random: () => this.random.next() }
  }

  private opened(current: Current, store: Service) {
    return open(this.layout, store, {
      table: this.layout.design.name,
      follow: false,
      create: false,
      clock: () => this.clock.ms,
      random: bytes => this.random.bytes(bytes),
      retry: this.retry(current),
    })
  }

  private async writer(name: string): Promise<void> {
    const { random } = this
    const current = { actor: new Actor(name, false) }
    const handles = handlesOf(await this.opened(current, this.storeFor(current, true)))
    for (let i = 0; i < (this.options.writes ?? WRITES) / WRITERS; i++) {
      const actor = new Actor(name)
      current.actor = actor
      if (random.chance(this.profile.foreign)) {
        const isPut = random.chance(0.5)
        this.count(isPut ? 'foreign put' : 'foreign delete')
        await this.schedule.turn(new Actor(name, false))
        await (isPut ? foreignPut : foreignDelete)(random, this.layout, this.store)
      }
      const { name: call, run } = anyWrite(random, this.profile, this.world, handles, this.clock.ms)
      this.writes++
      const end = await Promise.race([run().then(() => 'done', refused), actor.ended.then(() => 'crashed')])
      this.options.trace?.(`${this.schedule.turns} ${name}: ${call}: ${end}`)
    }
    this.writing--
  }

  private async consumer(name: string): Promise<void> {
    while (!this.failure) {
      const actor = new Actor(name)
      await this.schedule.turn(new Actor(name, false))
      await this.poll()
      const replays = !this.isCalm && this.random.chance(0.2) ? 1 + this.random.below(3) : 0
      if (replays > 0) this.count('replay')
      const { records, done } = this.delivery.take(this.isCalm ? MOST_TURNS : this.schedule.turns, replays)
      if (records.length === 0) {
        if (this.writing <= 0 && this.delivery.isEmpty) return
        continue
      }
      this.naive.handle(records)
      this.options.trace?.(`${this.schedule.turns} ${name}: ${records.map(told).join(', ')}`)
      const end = await Promise.race([this.consumerFor(actor).handle(records), actor.ended.then(() => undefined)])
      done(new Set(end ? end.failures.map(({ record }) => record) : records))
      for (const { error } of end?.failures ?? []) if (!isRefusal(error) && !isStores(error)) throw error
    }
  }

  private consumerFor(actor: Actor): Consumer {
    return consumer(this.layout, this.storeFor({ actor }, false), {
      table: this.layout.design.name,
      clock: () => this.clock.ms,
      random: bytes => this.random.bytes(bytes),
      retry: this.retry({ actor }),
      concurrency: 1 + this.random.below(3),
    })
  }

  private async poll(): Promise<void> {
    const records = await this.tap.poll()
    this.delivery.add(records, this.schedule.turns)
    for (const record of records)
      this.failure ??= negativeIn(this.layout, record) ?? summaryFaultIn(this.layout, record)
  }

  /** Runs every job over a snapshot while the other actors go on. A killed job runs again, from its cursor or from the start. */
  private async batch(name: string): Promise<void> {
    const { random } = this
    while (this.writing > 0) {
      for (let pause = random.below(BATCH_PAUSE); pause > 0 && this.writing > 0; pause--)
        await this.schedule.turn(new Actor(name, false))
      const snapshot = await this.snapshot()
      for (const job of JOBS) {
        const resume: { cursor?: string | undefined } = {}
        while (!(await this.isComplete(name, snapshot, job, resume))) if (random.chance(0.5)) delete resume.cursor
      }
    }
  }

  /** Whether a run of a job came to its end: false if it was killed or gave up. */
  private async isComplete(
    name: string,
    snapshot: Snapshot,
    job: SummaryJob,
    resume: { cursor?: string | undefined },
  ): Promise<boolean> {
    const actor = new Actor(name)
    this.count('batch')
    let left = this.random.chance(0.3) ? this.random.below(KILLED_WITHIN) : Number.POSITIVE_INFINITY
    const store = wrap(this.storeFor({ actor }, false), (_, request, options, send) => {
      if (left-- === 0) this.kill(actor)
      return send(request, options)
    })
    const work = this.opened({ actor }, store as Service)
      .then(graph => runOver({ graph, layout: this.layout }, snapshot, job, this.random, resume))
      .then(
        ({ written, skipped }) => `${written} written, ${skipped} skipped`,
        (error: unknown) => {
          if (!isOfEarlierData(error)) refused(error)
          return isOfEarlierData(error) ? 'of earlier data' : undefined
        },
      )
    const end = await Promise.race([work, actor.ended.then(() => undefined)])
    this.options.trace?.(`${this.schedule.turns} ${name}: ${job.name} of ${snapshot.momentMs}: ${end ?? 'killed'}`)
    return end !== undefined
  }

  private kill(actor: Actor): void {
    this.count('killed batch')
    this.schedule.crash(actor)
  }

  private async repairer(name: string): Promise<void> {
    while (this.writing > 0) {
      for (let i = 0; i < this.profile.repairEvery && this.writing > 0; i++)
        await this.schedule.turn(new Actor(name, false))
      const actor = new Actor(name)
      this.count('repair')
      const current = { actor }
      const work = this.opened(current, this.storeFor(current, false)).then(opened =>
        repairAny(opened, this.layout, this.random, this.store),
      )
      await Promise.race([work.catch(refused), actor.ended])
    }
  }
}

function handlesOf(opened: object): Handles {
  const given = opened as Handles & { $tenant?: (tenant: string) => Handles }
  return given.$tenant?.('acme') ?? given
}

function refused(error: unknown): string {
  if (!isRefusal(error) && !isStores(error)) throw error
  return (error as Error).message
}

/** The other batch has run the job over later data since. */
const isOfEarlierData = (error: unknown) => (error as { code?: string }).code === 'batch.job'

const isStores = (error: unknown) => /injected|hang up/.test((error as Error).message)

const told = ({ eventName, dynamodb }: ChangeRecord) =>
  `${eventName} ${Object.values(dynamodb?.Keys ?? {})
    .map(({ S }) => S)
    .join(' ')}`
