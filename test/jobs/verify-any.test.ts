import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { open } from '../../src/index.js'
import { repair, verify } from '../../src/jobs/index.js'
import { keyOf } from '../../src/plan/identity.js'
import { itemsIn } from '../derive/simulator/check.js'
import { Choice } from '../graph/model/choice.js'
import { Commands } from '../graph/model/commands.js'
import { ModelClock, OTHER_TENANT, opened } from '../graph/model/handles.js'
import { Machine } from '../graph/model/machine.js'
import { anySchema, anyStreamedSchema, type Schema } from '../graph/model/schemas.js'
import { settling } from '../graph/model/settling.js'
import { runs } from '../graph/model/suite.js'

const anySeeds = fc.array(fc.noShrink(fc.nat()), { minLength: 1, maxLength: 25, size: 'max' })

/** A table after random writes, whose stream has been handled. */
async function tableOf(schema: Schema, seeds: readonly number[]) {
  const store = memory()
  const handles = await opened(schema, store, new ModelClock(), seeds[0]!)
  const machine = new Machine(schema, store, handles)
  machine.settle = await settling(machine, seeds[0]!)
  if (schema.graph.tenant) await machine.shareWith(await opened(schema, store, new ModelClock(), -1, OTHER_TENANT))
  const commands = new Commands(schema.graph.declared)
  for (const seed of seeds) {
    const command = commands.of(seed)
    if (/write|transact|batch/.test(command.does)) await machine.perform(command)
  }
  const whole = await open(schema.graph, store, { follow: false })
  return { store, whole, machine, table: machine.layout.design.name }
}

/** What is wrong but for edges that lead nowhere, which anybody may make. */
async function wrongWith(graph: object) {
  const found: unknown[] = []
  await verify(graph, { onFault: fault => fault.code === 'edge.dangling' || found.push(fault) })
  return found
}

it.each([
  ['by its writers', anySchema],
  ['by the stream', anyStreamedSchema],
])('nothing is wrong with what is kept %s in any graph', async (_, schemas) => {
  const holds = async (schema: Schema, seeds: readonly number[]) => {
    const { whole } = await tableOf(schema, seeds)
    expect(await wrongWith(whole)).toEqual([])
    const { mended } = await repair(whole)
    expect(mended).toBe(0)
  }
  await fc.assert(fc.asyncProperty(schemas, anySeeds, holds), { numRuns: runs(40) })
})

it.each([
  ['its writers keep', anySchema],
  ['the stream keeps', anyStreamedSchema],
])('whatever item goes that %s beside another, one repair brings it back, and a second has nothing to do', async (_, schemas) => {
  const holds = async (schema: Schema, seeds: readonly number[], pick: number) => {
    const { store, whole, machine, table } = await tableOf(schema, seeds)
    const { layout } = machine
    const sides = (await itemsIn(store, table)).filter(item => {
      const role = layout.kinds.find(({ mark }) => mark === item[layout.names.type]?.S)?.role
      return role !== undefined && role !== 'node' && role !== 'edge'
    })
    if (sides.length === 0) return
    const lost = new Choice(pick).of(sides)
    await store.deleteItem({ TableName: table, Key: keyOf(layout.names, lost) })
    expect((await wrongWith(whole)).length).toBeGreaterThan(0)
    await repair(whole)
    expect(await wrongWith(whole)).toEqual([])
    expect((await repair(whole)).mended).toBe(0)
    await machine.expectTable()
    expect(await wrongWith(whole)).toEqual([])
  }
  await fc.assert(fc.asyncProperty(schemas, anySeeds, fc.noShrink(fc.nat()), holds), { numRuns: runs(40) })
})
