import { expect } from 'vitest'
import { etagOf, layout as layoutOf, open } from '../../../../src/index.js'
import { load } from '../../../../src/jobs/index.js'
import type { Layout } from '../../../../src/layout/layout.js'
import { PatchOperation as Change } from '../../../../src/schema/patch-operations.js'
import type { Operation, Store } from '../../../../src/store/port.js'
import { Random } from '../../../derive/simulator/random.js'
import { Schedule } from '../../../derive/simulator/schedule.js'
import { isEqual, keyOf, placeOf } from '../reference/identity.js'
import { Model, type Placed, type Write } from '../reference/model.js'
import type { Command } from '../runner/commands.js'
import { callOf, type Handles, ModelClock, opened, tenantOf } from '../runner/handles.js'
import { ordersOf } from '../runner/machine.js'
import { type Outcome, outcomeOf, shown } from '../runner/outcome.js'
import type { Schema } from '../schemas/random-schemas.js'
import { type Begun, expectBatch, expectOutcome, expectTogether, ownText } from './check-outcome.js'
import { readAmidWrites } from './check-reads.js'
import { inTurns } from './request-turns.js'
import { goneFrom, inOrder, isOf, type Look, type Moment, Moments } from './state-history.js'

/** A job that runs concurrently with the callers and does not change the rows. */
export type Job = (opened: object) => Promise<unknown>

/** An upper bound for the requests of a run. */
const MOST_TURNS = 20_000

/**
 * Several callers of one graph. Their requests run one by one in an order that a seed determines. After each write
 * the table must equal the layout of the expected rows, so that no partial result is ever visible.
 */
export class Interleaved {
  readonly moments: Moments
  /** The requests and results, for the failure message. */
  readonly trace: string[] = []
  private readonly schedule: Schedule
  private readonly random: Random
  private failure: unknown
  private raw = ''

  private constructor(
    private readonly schema: Schema,
    private readonly store: Store,
    private readonly seed: number,
    private readonly lossRate: number,
  ) {
    const layout = (schema.layout ?? layoutOf(schema.graph)) as Layout
    this.moments = new Moments(layout, tenantOf(schema), Model.of(schema.graph.declared))
    this.random = new Random(seed)
    this.schedule = new Schedule(this.random)
  }

  static async of(schema: Schema, store: Store, seed: number, lossRate = 0): Promise<Interleaved> {
    await opened(schema, store, new ModelClock(), seed)
    return new Interleaved(schema, store, seed, lossRate)
  }

  /** Applies writes sequentially before the callers start. */
  async prepare(writes: readonly Write[]): Promise<void> {
    const handles = await opened(this.schema, this.store, new ModelClock(), ~this.seed)
    let { model } = this.moments.now
    for (const write of writes) {
      const { code } = await outcomeOf(() => callOf(handles, model, write))
      if (code === undefined) model = model.after(write)
    }
    const look = await this.moments.look(this.store)
    expect(this.moments.wrongWith(model, look)).toBe('')
    this.raw = look.raw
    this.moments.add(model, [])
  }

  /** Runs each caller's commands sequentially, and all callers concurrently. */
  async run(actors: readonly (readonly Command[])[], jobs: Readonly<Record<string, Job>> = {}): Promise<void> {
    let isDone = false
    const all = Promise.all([
      ...actors.map((commands, at) => this.act(`${at}`, commands)),
      ...Object.entries(jobs).map(([name, job]) => this.work(name, job)),
    ])
    const end = all
      .catch((error: unknown) => {
        this.failure ??= error
      })
      .finally(() => {
        isDone = true
      })
    while (!isDone && this.failure === undefined) {
      if (!(await this.schedule.step())) await new Promise(resolve => setImmediate(resolve))
      expect(this.schedule.turns, 'it does not come to an end').toBeLessThan(MOST_TURNS)
    }
    if (this.failure !== undefined) throw this.failure
    await end
    // A deletion with an unknown outcome may have left its mark.
    if (this.lossRate === 0) expect(this.moments.now.going, 'marks that are left').toEqual([])
  }

  private tell(line: string): void {
    this.trace.push(`${this.schedule.turns} ${line}`)
  }

  private storeOf(name: string, lossRate: number, wrote: (operation: Operation) => Promise<void>): Store {
    const { schedule, random } = this
    // A finding here does not fail the request, because the caller would see it as an error of the store.
    const noted = (operation: Operation) =>
      wrote(operation).catch((error: unknown) => {
        this.failure ??= error
      })
    return inTurns(this.store, name, { schedule, random, lossRate, wrote: noted })
  }

  private async act(by: string, commands: readonly Command[]): Promise<void> {
    let begun: Begun | undefined
    const store = this.storeOf(by, this.lossRate, operation => this.wrote(begun!, operation))
    const handles = await opened(this.schema, store, new ModelClock(), this.random.below(2 ** 31))
    for (const command of commands) {
      const meant =
        command.does === 'batch' ? { ...command, writes: batchable(this.moments.now.model, command) } : command
      begun = {
        command: meant,
        by,
        from: this.moments.count - 1,
        done: new Set(),
        lossRate: this.lossRate,
        once: false,
      }
      this.tell(`${by} begins ${shown(meant)}`)
      await this.perform(handles, begun)
    }
  }

  private async work(name: string, job: Job): Promise<void> {
    const store = this.storeOf(name, 0, async operation => {
      this.tell(`${name} ${operation}`)
      const look = await this.moments.look(this.store)
      const model = withoutGoing(this.moments.now, look)
      expect(this.moments.wrongWith(model, look), `${name} does harm`).toBe('')
      if (look.raw !== this.raw) this.moments.add(model, look.going)
      this.raw = look.raw
    })
    const clock = new ModelClock()
    const random = (bytes: number) => this.random.bytes(bytes)
    const retry = { clock, random: () => this.random.next() }
    const { layout, graph } = this.schema
    await job(await open(layout ?? graph, store, { follow: false, clock: () => clock.now(), random, retry }))
  }

  private async perform(handles: Handles, begun: Begun): Promise<void> {
    const { command } = begun
    const { moments } = this
    const call = (write: Write) => callOf(handles, moments.now.model, write)
    const token = () => (this.random.chance(0.3) ? { token: `t${this.random.below(2 ** 31)}` } : {})
    const ended = <T>(outcome: Outcome<T>): Outcome<T> => {
      this.tell(`${begun.by} ends ${outcome.code ?? 'done'}`)
      return outcome
    }
    if (command.does === 'write') {
      const { write, returning } = command
      const once = returning ? {} : token()
      begun.once = 'token' in once
      const etag = await this.locked(handles, begun, write)
      const held = () => (etag === undefined ? call(write) : call(write).ifEtag(etag))
      const run = () => (returning ? held().returning(returning) : held().run(once))
      return expectOutcome(moments, begun, write, ended(await outcomeOf<unknown>(run)))
    }
    if (command.does === 'transact' || command.does === 'race') {
      const run = () => handles.$transact(command.writes.map(call), token())
      return expectTogether(moments, begun, command.writes, ended(await outcomeOf(run)))
    }
    if (command.does === 'batch' && isLoadable(command.writes) && !tenantOf(this.schema) && this.random.chance(0.5))
      return expectBatch(moments, begun, command.writes, ended(await loaded(handles, command.writes)))
    if (command.does === 'batch')
      return expectBatch(
        moments,
        begun,
        command.writes,
        ended(await outcomeOf(() => handles.$batch(command.writes.map(call)))),
      )
    return readAmidWrites(moments, handles, begun)
  }

  /** Sometimes the caller reads a row first and requires its etag for the write. */
  private async locked(handles: Handles, begun: Begun, write: Write): Promise<string | undefined> {
    const { model } = this.moments.now
    const isHeld = write.verb !== 'create' && !model.isJob(write) && this.random.chance(0.3)
    const row = isHeld && (await handles[write.type]!.get(keyOf(model.type(write.type), write.row)))
    if (!row) return undefined
    begun.locked = { row, from: this.moments.count - 1 }
    return etagOf(row)
  }

  /**
   * Checks an applied request: it must turn the previous rows into the expected rows, and it must not have been
   * refused.
   */
  private async wrote(begun: Begun, operation: Operation): Promise<void> {
    const { moments } = this
    const look = await moments.look(this.store)
    // The deletion found no row, or a transaction was repeated under its token and had no effect.
    if (look.raw === this.raw) return
    this.raw = look.raw
    this.tell(`${begun.by} ${operation}`)
    const model = this.after(begun, look)
    const wrong = moments.wrongWith(model, look)
    expect(wrong, `${wrong}\nafter ${operation} of ${begun.by}: ${shown(begun.command)}`).toBe('')
    moments.add(model, look.going)
  }

  private after(begun: Begun, look: Look): Model {
    const { command, done } = begun
    const { model } = this.moments.now
    if (command.does === 'write') {
      if (model.isJob(command.write)) return afterJob(model, command.write, look)
      this.expectDoable(begun, command.write)
      done.add(command.write)
      return model.after(command.write)
    }
    const isIt = (after: Model) => this.moments.wrongWith(after, look) === ''
    if (command.does === 'batch') {
      const one = command.writes.find(write => model.refusals(write).length === 0 && isIt(model.after(write)))
      if (one) done.add(one)
      return one ? model.after(one) : model
    }
    expect(command.does, 'a read writes').toMatch(/transact|race/)
    const { writes } = command as { readonly writes: readonly Write[] }
    expect(done.size, `done twice: ${shown(writes)}`).toBe(0)
    for (const write of writes) done.add(write)
    // Two nodes may also swap their unique values in one transaction.
    const ends = ordersOf(writes).map(order => inOrder(model, order))
    const possible = ends.filter(each => each.reasons.every(code => code === 'unique.taken') && each.model.isUnique)
    expect(possible.length, `done, but: ${shown(ends[0]!.reasons)} ${shown(writes)}`).toBeGreaterThan(0)
    return (possible.find(each => isIt(each.model)) ?? possible[0]!).model
  }

  /**
   * Expects that nothing prevents the write, and that after a lost response only an idempotent write is applied
   * twice.
   */
  private expectDoable({ by, done, once, locked }: Begun, write: Write): void {
    const told = `${by} does ${shown(write)}`
    const { model, going, seen } = this.moments.now
    if (locked && !done.has(write)) {
      const now = seen.get(write.type, keyOf(model.type(write.type), write.row))
      expect(ownText(model, write, now), `${told}, which is not as it was read`).toBe(ownText(model, write, locked.row))
    }
    const mayBeTwice = this.lossRate > 0 && !once && !isAdding(write)
    expect(!done.has(write) || mayBeTwice, `${told} twice`).toBe(true)
    expect(model.refusals(write), told).toEqual([])
    // A marked node is not written and accepts no new edge.
    expect(seen.refusals(write), told).not.toContain('edge.end.absent')
    const isIt = going.some(node => isOf(node, { type: model.type(write.type), row: write.row }))
    expect(isIt && write.verb !== 'delete', `${told}, which goes`).toBe(false)
  }
}

const isAdding = ({ patch = {} }: Write) =>
  Object.values(patch).some(value => value instanceof Change && value.kind === 'add')

/** The rows during a deletion of several requests: some edges are deleted, or all edges and the node. */
function afterJob(model: Model, write: Write, look: Look): Model {
  const node = { type: model.type(write.type), row: write.row }
  const allowed = [node, ...model.goneWith(write)]
  const gone = goneFrom(model, look)
  const others = gone.filter(each => !allowed.some(one => isOf(one, each)))
  expect(others, `taken by ${shown(write)}`).toEqual([])
  return model.without(gone)
}

/** The rows during deletions of other callers, whose nodes and edges may be deleted already. */
function withoutGoing({ model, going }: Moment, look: Look): Model {
  const isOfGoing = (each: Placed) => going.some(node => isOf(node, each) || isEnd(node, each))
  return model.without(goneFrom(model, look).filter(isOfGoing))
}

const isEnd = (node: Placed, { type, row }: Placed) =>
  type.kind === 'edge' &&
  type.ends.some(end => end.node === node.type && isEqual(row[end.name], keyOf(node.type, node.row)))

const isLoadable = (writes: readonly Write[]) =>
  writes.every(({ verb, condition, checkingEnds }) => verb === 'put' && !condition && !checkingEnds)

/** Writes the same rows by a bulk load. */
async function loaded(handles: Handles, writes: readonly Write[]): Promise<Outcome<unknown>> {
  const plain = (_: string, value: unknown) => (value instanceof Set ? [...value] : value)
  const text = writes.map(({ type, row }) => `${JSON.stringify({ type, ...row }, plain)}\n`).join('')
  const failed: { call: number; error: { code: string } }[] = []
  const source = {
    name: 'rows',
    format: 'json' as const,
    async *open(start: number) {
      yield new TextEncoder().encode(text).subarray(start)
    },
  }
  await load(handles, [source], {
    failed: rows => {
      for (const { line, code, message } of rows)
        failed.push({ call: line - 1, error: Object.assign(new Error(message), { code }) })
    },
  })
  const error = Object.assign(new Error('failed'), { details: { failed } })
  return failed.length === 0 ? { value: undefined } : ({ code: 'batch.failed', error } as never)
}

/** Distinct nodes and edges that a batch accepts as a whole. */
function batchable(model: Model, { writes }: { readonly writes: readonly Write[] }): Write[] {
  const met = new Set<string>()
  return writes.filter(write => {
    const own = `${write.type} ${placeOf(model.type(write.type), write.row)}`
    const isWrong = model.isJob(write) || model.refusals(write).some(code => /write.empty|node.strict/.test(code))
    const isFirst = !met.has(own)
    met.add(own)
    return isFirst && !isWrong
  })
}
