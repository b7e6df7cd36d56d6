import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { layout as layoutOf, open, type Store, wrap } from '../../src/index.js'
import { backfill } from '../../src/jobs/backfill.js'
import { deploy, deployment } from '../../src/jobs/deploy/deploy.js'
import type { Layout } from '../../src/layout/layout.js'
import { Choice } from '../graph/model/choice.js'
import { Commands } from '../graph/model/commands.js'
import { anyGivenSchema } from '../graph/model/given.js'
import { callOf, ModelClock, opened, tenantOf } from '../graph/model/handles.js'
import { Machine } from '../graph/model/machine.js'
import { outcomeOf } from '../graph/model/outcome.js'
import { anyChange, type Schema } from '../graph/model/schemas.js'
import { settling } from '../graph/model/settling.js'
import { difference, expectedState, tableState } from '../graph/model/state.js'
import { runs } from '../graph/model/suite.js'

/** What tells a moved item from one that is to be moved stays with it. */
const MOVED = /"\$moved":\{"S":"\w+"\},/

const anyGiven = anyGivenSchema.chain(given => {
  const { layout: _, ...plain } = given
  return fc.constantFrom([plain, given] as const, [given, plain] as const)
})

it.each([
  ['by its writers', anyChange(false)],
  ['by the stream', anyChange(true)],
  ['where somebody says', anyGiven],
])('what is kept %s is brought from any layout to any other', async (_, changes) => {
  const seeds = fc.array(fc.noShrink(fc.nat()), { minLength: 5, maxLength: 30, size: 'max' })
  let changed = 0
  const holds = async ([before, after]: readonly [Schema, Schema], all: readonly number[]) => {
    const store = memory()
    const machine = new Machine(before, store, await opened(before, store, new ModelClock(), all[0]!))
    machine.settle = await settling(machine, ~all[0]!)
    const commands = new Commands(before.graph.declared)
    for (const seed of all) {
      const command = commands.of(seed)
      if (/write|transact|batch/.test(command.does)) await machine.perform(command)
    }
    const layout = (after.layout ?? layoutOf(after.graph)) as Layout
    const { difference: steps } = await deployment(layout, store)
    // A table has the local indexes that it was made with.
    fc.pre(steps.impossible.length === 0)
    await deploy(layout, store, { clock })
    const outcome = await outcomeOf(() =>
      survived(store, all[0]!, each => backfill(layout, each, { from: machine.layout })),
    )
    // What is not read from an end cannot be counted there.
    if (outcome.code === 'layout.drift' && /is not read from its/.test(outcome.error.message)) return
    expect(outcome.code && outcome.error).toBeUndefined()
    await open(layout, store, { follow: false }).then(handle => (handle as { $close(): Promise<void> }).$close())
    const model = machine.model.under(after.graph.declared)
    const state = (await tableState(store, layout)).map(item => item.replace(MOVED, ''))
    expect(difference(state, expectedState(layout, model, tenantOf(after)))).toBe('')
    await backfill(layout, store, { from: machine.layout })
    expect((await tableState(store, layout)).map(item => item.replace(MOVED, ''))).toEqual(state)
    const next = new Machine(after, store, await opened(after, store, new ModelClock(), ~all[0]!))
    next.model = model
    await withoutEdges(next, all[0]!)
    const rest = (await tableState(store, layout)).map(item => item.replace(MOVED, ''))
    expect(difference(rest, expectedState(layout, next.model, tenantOf(after)))).toBe('')
    changed++
  }
  await fc.assert(fc.asyncProperty(changes, seeds, holds), { numRuns: runs(60) })
  expect(changed).toBeGreaterThan(20)
})

/** Deletes every edge: what was counted of it before it was brought up is taken away again. */
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

/** A clock by which nobody waits. */
const clock = { now: () => 0, sleep: () => new Promise<void>(resolve => setTimeout(resolve, 1)) }

class Died extends Error {}

/** Does something in one process after the other, each of which dies before or after some request. */
async function survived<T>(store: Store, seed: number, work: (store: Store) => Promise<T>): Promise<T> {
  const choice = new Choice(seed)
  for (let lives = 0; ; lives++) {
    // Later ones live longer, so that it ends.
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
