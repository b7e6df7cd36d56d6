import { expect } from 'vitest'
import { GraphError } from '../../../../src/index.js'
import type { Store } from '../../../../src/store/port.js'
import { Crashed, type FaultyStore, faulty, type InjectedFault } from '../../../../src/testing.js'
import { keyOf } from '../reference/identity.js'
import type { Model, Write } from '../reference/model.js'
import type { Schema } from '../schemas/random-schemas.js'
import type { Command } from './commands.js'
import { callOf, type Handles, ModelClock, opened } from './handles.js'
import { Machine } from './machine.js'
import { shown } from './outcome.js'
import { Choice } from './random-choice.js'
import { settling } from './run-consumer.js'
import { difference, tableState } from './table-state.js'

/** The lifetime of a process in requests. */
const LIFE = { min: 3, max: 60 }
/** The number of retries before a failure fails the test. */
const TRIES = 40

/** Whether the error leaves open if the call was applied. */
const isInDoubt = (error: unknown) =>
  error instanceof Crashed || (error instanceof GraphError && error.code.startsWith('store.'))

/** Runs commands on a faulty store in crashing processes, and determines after each what was applied. */
export class FaultyMachine {
  private readonly machine: Machine
  private lives = 0
  private store: FaultyStore | undefined
  private readonly past: InjectedFault[] = []
  private readonly clock = new ModelClock()

  private constructor(
    private readonly schema: Schema,
    private readonly inner: Store,
    private readonly seed: number,
    /** Handles on the store without faults. */
    private readonly plain: Handles,
  ) {
    this.machine = new Machine(schema, inner, plain)
  }

  static async of(schema: Schema, inner: Store, seed: number): Promise<FaultyMachine> {
    const made = new FaultyMachine(schema, inner, seed, await opened(schema, inner, new ModelClock(), seed))
    made.machine.settle = await settling(made.machine, ~seed)
    await made.live()
    return made
  }

  get trace(): string[] {
    return this.machine.trace
  }

  /** The expected contents of the table. */
  get end(): readonly string[] {
    return this.machine.expected(this.machine.model)
  }

  /** The injected faults so far. */
  get faults(): readonly InjectedFault[] {
    return [...this.past, ...(this.store?.faults ?? [])]
  }

  /** Starts a process after a crash. The next process retries if opening fails. */
  private async live(): Promise<void> {
    for (;;) {
      this.past.push(...(this.store?.faults ?? []))
      const seed = this.seed + 7919 * this.lives++
      this.store = faulty(this.inner, { seed, crashAfter: LIFE })
      try {
        this.machine.handles = await opened(this.schema, this.store, this.clock, seed)
        return
      } catch (error) {
        if (!isInDoubt(error)) throw error
      }
    }
  }

  async perform(command: Command, seed: number): Promise<void> {
    const choice = new Choice(seed)
    switch (command.does) {
      case 'write':
        return this.write(command, choice)
      case 'race':
      case 'transact':
        return this.transact(command.writes, choice)
      case 'batch':
        return this.batch(command.writes)
      default:
        return this.read(command)
    }
  }

  /** A read returns the correct result, or fails. */
  private async read(command: Command): Promise<void> {
    try {
      await this.machine.perform(command)
    } catch (error) {
      if (!isInDoubt(error)) throw error
      if (error instanceof Crashed) await this.live()
    }
  }

  private async write({ write, returning }: Extract<Command, { does: 'write' }>, choice: Choice): Promise<void> {
    const { model } = this.machine
    this.trace.push(shown({ ...write, returning }))
    if (model.isJob(write)) {
      // The condition applied to the node before its partial deletion.
      const { condition: _, ...unconditional } = write
      return this.job(unconditional)
    }
    const token = !returning && choice.chance(0.5) ? `t${this.trace.length}` : undefined
    const after = model.after(write)
    const now = write.verb === 'delete' ? undefined : after.get(write.type, keyOf(model.type(write.type), write.row))
    const old = model.replaced(write)
    const uncounted = old ? {} : model.uncounted(model.type(write.type))
    const expected = returning === 'old' ? old : now && { ...now, ...uncounted }
    await this.settle(model.refusals(write), after, token, async () => {
      const call = callOf(this.machine.handles, model, write)
      const type = model.type(write.type)
      const told = (row: unknown) => this.machine.withoutCopies(type, row)
      if (returning) expect(told(await call.returning(returning))).toEqual(told(expected))
      else await call.run(token === undefined ? {} : { token })
    })
  }

  private async transact(writes: readonly Write[], choice: Choice): Promise<void> {
    const { model } = this.machine
    const apart = this.machine.apart(writes).filter(write => !model.isJob(write))
    this.trace.push(`transact ${shown(apart)}`)
    const token = choice.chance(0.5) ? `t${this.trace.length}` : undefined
    const reasons = apart.flatMap(write => model.refusals(write))
    const after = apart.reduce((before, write) => before.after(write), model)
    await this.settle(reasons, after, token, () => {
      const calls = apart.map(write => callOf(this.machine.handles, model, write))
      return this.machine.handles.$transact(calls, token === undefined ? {} : { token })
    })
  }

  /**
   * Runs a call until its outcome is known. When it succeeds or is refused for a reason of the model, the table must
   * agree. When the outcome is unknown, the write must be atomic; with a token it is retried until the outcome is
   * known, and applied only once.
   */
  private async settle(
    reasons: readonly string[],
    after: Model,
    token: string | undefined,
    run: () => PromiseLike<unknown>,
  ): Promise<void> {
    let isRepeated = token === undefined
    for (let tries = 0; ; tries++) {
      expect(tries, 'it never ends').toBeLessThan(TRIES)
      const error = await failure(run)
      if (error === undefined) {
        expect(reasons, 'done, although there are reasons against it').toEqual([])
        this.machine.model = after
        if (!isRepeated) {
          // The token allows any number of retries.
          isRepeated = true
          continue
        }
      } else if (!isInDoubt(error)) {
        expect(reasons, String(error)).toContain((error as GraphError).code)
      } else {
        if (reasons.length === 0) await this.recognize([this.machine.model, after], error)
        if (error instanceof Crashed) await this.live()
        if (token !== undefined) continue
        return reasons.length === 0 ? undefined : this.machine.expectTable()
      }
      return this.machine.expectTable()
    }
  }

  /** Expects the table to equal one of the models, and continues from that model. */
  private async recognize(models: readonly Model[], error: unknown): Promise<void> {
    await this.machine.settle()
    const state = await tableState(this.inner, this.machine.layout)
    const found = models.find(model => difference(state, this.machine.expected(model)) === '')
    const closest = difference(state, this.machine.expected(models.at(-1)!))
    expect(found, `${String(error)}: neither done nor undone\n${closest}`).toBeDefined()
    this.machine.model = found!
  }

  /** Each write of a batch is atomic. */
  private async batch(writes: readonly Write[]): Promise<void> {
    const { model } = this.machine
    const single = this.machine.batchable(writes)
    this.trace.push(`batch ${shown(single)}`)
    const error = await failure(() =>
      this.machine.handles.$batch(single.map(write => callOf(this.machine.handles, model, write))),
    )
    const possible = single.filter(write => model.refusals(write).length === 0)
    const known = error instanceof GraphError && error.code === 'batch.failed' ? error : undefined
    if (error !== undefined && !known && !isInDoubt(error)) throw error
    if (error === undefined) expect(possible).toEqual(single)
    // Every write that the error does not name was applied.
    const { failed = [] } = (known?.details ?? {}) as { failed?: readonly { call: number; error: unknown }[] }
    const doubtful = (write: Write) => {
      const found = failed.find(({ call }) => single[call] === write)
      return known ? found !== undefined && isInDoubt(found.error) : error !== undefined
    }
    let models = [model]
    for (const write of possible) {
      const done = models.map(each => each.after(write))
      models = doubtful(write) ? [...models, ...done] : done
    }
    await this.recognize(models, error)
    if (isCrash(error, failed)) await this.live()
  }

  /** A node that is being deleted reads as missing. */
  private async expectGone(write: Write): Promise<void> {
    const { model, layout } = this.machine
    await this.machine.settle()
    const state = await tableState(this.inner, layout)
    if (difference(state, this.machine.expected(model)) === '') return
    const type = model.type(write.type)
    expect(await this.plain[write.type]!.get(keyOf(type, write.row)), shown(write)).toBeUndefined()
  }

  /** A deletion of several requests continues when it is called again. */
  private async job(write: Write): Promise<void> {
    const { model } = this.machine
    const reasons = model.refusals(write)
    for (let tries = 0; ; tries++) {
      expect(tries, 'it never ends').toBeLessThan(TRIES)
      const error = await failure(() => callOf(this.machine.handles, model, write))
      if (error !== undefined && isInDoubt(error)) {
        await this.expectGone(write)
        if (error instanceof Crashed) await this.live()
        continue
      }
      if (error === undefined) expect(reasons, shown(write)).toEqual([])
      else expect(reasons, String(error)).toContain((error as GraphError).code)
      if (error === undefined) this.machine.model = model.after(write)
      return this.machine.expectTable()
    }
  }
}

async function failure(run: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    await run()
    return undefined
  } catch (error) {
    return error
  }
}

const isCrash = (error: unknown, failed: readonly { readonly error: unknown }[]) =>
  error instanceof Crashed || failed.some(each => each.error instanceof Crashed)
