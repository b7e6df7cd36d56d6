import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../../src/engine/memory.js'
import { layout as layoutOf, open, type Store, wrap } from '../../../../src/index.js'
import { backfill } from '../../../../src/jobs/backfill/backfill.js'
import { deploy, deployment } from '../../../../src/jobs/deploy/deploy.js'
import type { Layout } from '../../../../src/layout/layout.js'
import { Commands } from '../../../graph/model/runner/commands.js'
import { callOf, ModelClock, opened } from '../../../graph/model/runner/handles.js'
import { Machine } from '../../../graph/model/runner/machine.js'
import { outcomeOf } from '../../../graph/model/runner/outcome.js'
import { Choice } from '../../../graph/model/runner/random-choice.js'
import { settling } from '../../../graph/model/runner/run-consumer.js'
import { difference, expectedState, tableState } from '../../../graph/model/runner/table-state.js'
import { anyGivenSchema } from '../../../graph/model/schemas/custom-keys.js'
import { anyChange, anyReturn } from '../../../graph/model/schemas/layout-changes.js'
import type { Schema } from '../../../graph/model/schemas/random-schemas.js'
import { runs } from '../../../graph/model/suite.js'

/** The mark that distinguishes a moved item from one that is still to be moved. */
const MOVED = /"\$moved":\{"S":"\w+"\},/

const anyGiven = anyGivenSchema.chain(given => {
  const { layout: _, ...plain } = given
  return fc.constantFrom([plain, given] as const, [given, plain] as const)
})

/** Gives one of the two layouts another type attribute. */
const anyMarked = fc.tuple(anyChange(true), fc.boolean()).map(([changes, isFirst]) =>
  changes.map((schema, at): Schema => {
    const layout = layoutOf(schema.graph, { type: 'T' }) as Layout
    return (at === 0) === isFirst ? { ...schema, layout } : schema
  }),
)

it.each([
  ['with another type attribute', anyMarked],
  ['by its writers', anyChange(false)],
  ['by the stream', anyChange(true)],
  ['under given names', anyGiven],
  ['by writers, then dropped, then by writers', anyReturn(false)],
  ['by the stream, then dropped, then by the stream', anyReturn(true)],
])('aggregates maintained %s are migrated from any layout to any other', async (_, changes) => {
  const seeds = fc.array(fc.noShrink(fc.nat()), { minLength: 5, maxLength: 30, size: 'max' })
  let changed = 0
  const holds = async ([first, ...rest]: readonly Schema[], all: readonly number[]) => {
    const store = memory()
    let machine = new Machine(first!, store, await opened(first!, store, new ModelClock(), all[0]!))
    await write(machine, all, ~all[0]!)
    for (const [at, after] of rest.entries()) {
      const next = await broughtUp(store, machine, after, ~all[0]! + at)
      if (!next) return
      machine = next
      // A separate random source, because the earlier one would repeat its tokens.
      if (at < rest.length - 1) await write(machine, all, all[0]! + 1 + at)
    }
    await withoutEdges(machine, all[0]!)
    expect(await strayIn(machine)).toBe('')
    changed++
  }
  await fc.assert(fc.asyncProperty(changes, seeds, holds), { numRuns: runs(60) })
  expect(changed).toBeGreaterThan(20)
})

async function write(machine: Machine, seeds: readonly number[], settledBy: number): Promise<void> {
  machine.settle = await settling(machine, settledBy)
  const commands = new Commands(machine.model.graph)
  for (const seed of seeds) {
    const command = commands.of(seed)
    if (/write|transact|batch/.test(command.does)) await machine.perform(command)
  }
}

/** Reopens a world under another layout. Undefined if the table cannot be migrated to it. */
async function broughtUp(
  store: ReturnType<typeof memory>,
  { layout: from, model }: Machine,
  after: Schema,
  seed: number,
): Promise<Machine | undefined> {
  const layout = (after.layout ?? layoutOf(after.graph)) as Layout
  const { difference: steps } = await deployment(layout, store)
  // Local indexes of a table cannot change.
  fc.pre(steps.impossible.length === 0)
  await deploy(layout, store, { clock })
  const outcome = await outcomeOf(() => survived(store, ~seed, each => backfill(layout, each, { from })))
  // An end without a path cannot count.
  if (outcome.code === 'layout.drift' && /no path reads them from their end/.test(outcome.error.message))
    return undefined
  expect(outcome.code && outcome.error).toBeUndefined()
  await open(layout, store, { follow: false }).then(handle => (handle as { $close(): Promise<void> }).$close())
  const next = new Machine(after, store, await opened(after, store, new ModelClock(), seed))
  next.model = model.under(after.graph.declared)
  expect(await strayIn(next)).toBe('')
  const state = await tableState(store, layout)
  await backfill(layout, store, { from })
  expect(await tableState(store, layout)).toEqual(state)
  return next
}

/** Returns superfluous and missing items of the table. */
async function strayIn({ store, layout, model, tenant }: Machine): Promise<string> {
  const state = (await tableState(store, layout)).map(item => item.replace(MOVED, ''))
  return difference(state, expectedState(layout, model, tenant))
}

/** Deletes every edge, which subtracts the contributions that were counted before the backfill. */
async function withoutEdges(machine: Machine, seed: number): Promise<void> {
  const settle = await settling(machine, seed)
  for (const { name } of machine.model.graph.edges)
    for (const row of machine.model.stored(name)) {
      const write = { verb: 'delete', type: name, row } as const
      await callOf(machine.handles, machine.model, write)
      machine.model = machine.model.after(write)
    }
  await settle()
}

/** A clock that resolves every sleep at once. */
const clock = { now: () => 0, sleep: () => new Promise<void>(resolve => setTimeout(resolve, 1)) }

class Died extends Error {}

/** Runs the work in a sequence of processes that crash before or after a random request. */
async function survived<T>(store: Store, seed: number, work: (store: Store) => Promise<T>): Promise<T> {
  const choice = new Choice(seed)
  for (let lives = 0; ; lives++) {
    // Later processes run longer, so that the sequence ends.
    let left = 5 + choice.below(20 * (lives + 1))
    const isDone = choice.chance(0.5)
    const mortal = wrap(store, async (_, request, options, send) => {
      if (left-- > 0) return send(request, options)
      if (isDone) await send(request, options)
      throw new Died()
    })
    try {
      return await work(mortal)
    } catch (error) {
      if (!(error instanceof Died)) throw error
    }
  }
}
