import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseItem } from '../../../src/derive/settle/side-items.js'
import type { Item } from '../../../src/dynamodb/index.js'
import { memory } from '../../../src/engine/memory.js'
import { open } from '../../../src/index.js'
import { nodeIdOf } from '../../../src/jobs/backfill/own-items.js'
import { repair, type VerifyOptions, verify } from '../../../src/jobs/index.js'
import { TENANT_SLOT } from '../../../src/layout/slots.js'
import { keyOfItem } from '../../../src/plan/identity.js'
import type { DeclaredNode } from '../../../src/schema/declarations.js'
import { itemsIn } from '../../derive/simulator/check-table.js'
import { Commands } from '../../graph/model/runner/commands.js'
import { ModelClock, OTHER_TENANT, opened } from '../../graph/model/runner/handles.js'
import { Machine } from '../../graph/model/runner/machine.js'
import { Choice } from '../../graph/model/runner/random-choice.js'
import { settling } from '../../graph/model/runner/run-consumer.js'
import { anySchema, anyStreamedSchema, type Schema } from '../../graph/model/schemas/random-schemas.js'
import { runs } from '../../graph/model/suite.js'

const anySeeds = fc.array(fc.noShrink(fc.nat()), { minLength: 1, maxLength: 25, size: 'max' })

/** A table after random writes, whose stream has been handled. */
async function tableOf(schema: Schema, seeds: readonly number[]) {
  const store = memory()
  const handles = await opened(schema, store, new ModelClock(), seeds[0]!)
  const machine = new Machine(schema, store, handles)
  // A separate random source, because that of the writers would repeat its tokens.
  machine.settle = await settling(machine, ~seeds[0]!)
  if (schema.graph.tenant) await machine.shareWith(await opened(schema, store, new ModelClock(), -1, OTHER_TENANT))
  const commands = new Commands(schema.graph.declared)
  for (const seed of seeds) {
    const command = commands.of(seed)
    if (/write|transact|batch/.test(command.does)) await machine.perform(command)
  }
  const whole = await open(schema.graph, store, { follow: false })
  return { store, whole, machine, table: machine.layout.design.name }
}

/** Returns all faults except dangling edges, which any writer may create. */
async function wrongWith(graph: object, options: VerifyOptions = {}) {
  const found: unknown[] = []
  await verify(graph, { ...options, onFault: fault => fault.code === 'edge.dangling' || found.push(fault) })
  return found
}

it.each([
  ['by its writers', anySchema],
  ['by the stream', anyStreamedSchema],
])('data that is maintained %s has no faults in any graph', async (_, schemas) => {
  const holds = async (schema: Schema, seeds: readonly number[]) => {
    const { whole, machine, store, table } = await tableOf(schema, seeds)
    const { layout } = machine
    expect(await wrongWith(whole)).toEqual([])
    for (const item of await itemsIn(store, table)) {
      const found = parseItem(layout, item)
      if (found?.kind.role !== 'node') continue
      const { kind, values } = found
      const id = nodeIdOf(layout, kind.type as DeclaredNode, item)
      const tenant = values[TENANT_SLOT]?.S
      expect(await wrongWith(whole, { type: kind.type.name, id, ...(tenant !== undefined && { tenant }) })).toEqual([])
    }
    const { repaired } = await repair(whole)
    expect(repaired).toBe(0)
  }
  await fc.assert(fc.asyncProperty(schemas, anySeeds, holds), { numRuns: runs(15) })
})

it.each([
  ['its writers keep', anySchema],
  ['the stream keeps', anyStreamedSchema],
])('one repair restores any deleted side item that %s, and a second repair finds no faults', async (_, schemas) => {
  const holds = async (schema: Schema, seeds: readonly number[], pick: number) => {
    const { store, whole, machine, table } = await tableOf(schema, seeds)
    const { layout } = machine
    const sides = (await itemsIn(store, table)).filter(item => {
      const role = layout.kinds.find(({ typeMark }) => typeMark === item[layout.names.type]?.S)?.role
      return role !== undefined && role !== 'node' && role !== 'edge'
    })
    if (sides.length === 0) return
    const lost = new Choice(pick).of(sides)
    await store.deleteItem({ TableName: table, Key: keyOfItem(layout.names, lost) })
    expect((await wrongWith(whole)).length).toBeGreaterThan(0)
    await repair(whole)
    expect(await wrongWith(whole)).toEqual([])
    expect((await repair(whole)).repaired).toBe(0)
    await machine.expectTable()
    expect(await wrongWith(whole)).toEqual([])
  }
  await fc.assert(fc.asyncProperty(schemas, anySeeds, fc.noShrink(fc.nat()), holds), { numRuns: runs(15) })
})

/** Data that can be computed from other items: counters, entries and index keys. */
function damaged({ layout }: Machine, item: Item, choice: Choice): Item | undefined {
  const kind = layout.kinds.find(({ typeMark }) => typeMark === item[layout.names.type]?.S)
  if (kind?.role !== 'node' && kind?.role !== 'edge') return undefined
  const { type } = kind
  const own = [layout.names.partition, layout.names.sort]
  const isFound = (into: string) =>
    layout.graph.declared.edges.every(({ count, sum, embed, ends }) =>
      [...count, ...sum, ...embed].every(
        each => each.into !== into || ends.find(({ name }) => name === each.end)!.by.as !== 'none',
      ),
    )
  const kept = Object.keys(type.attributes).filter(name => type.attributes[name]!.derived && isFound(name))
  const keys = Object.keys(kind.indexKeySlots).filter(name => !own.includes(name) && item[name]?.S)
  const stored = kept.map(name => layout.names.attributeOf(type, name)).filter(name => item[name])
  if (keys.length + stored.length === 0) return undefined
  const name = choice.of([...keys, ...stored])
  const value = item[name]!
  return { ...item, [name]: value.S ? { S: `${value.S}~` } : value.N ? { N: `${Number(value.N) + 5}` } : { M: {} } }
}

it.each([
  ['its writers keep', anySchema],
  ['the stream keeps', anyStreamedSchema],
])('one repair fixes any foreign change of data that %s in another item', async (_, schemas) => {
  let damages = 0
  const holds = async (schema: Schema, seeds: readonly number[], pick: number) => {
    const { store, whole, machine, table } = await tableOf(schema, seeds)
    const choice = new Choice(pick)
    const items = (await itemsIn(store, table)).flatMap(item => {
      const made = damaged(machine, item, choice)
      return made ? [made] : []
    })
    if (items.length === 0) return
    damages++
    await store.putItem({ TableName: table, Item: choice.of(items) })
    await repair(whole)
    expect(await wrongWith(whole)).toEqual([])
    expect((await repair(whole)).repaired).toBe(0)
    await machine.expectTable()
  }
  await fc.assert(fc.asyncProperty(schemas, anySeeds, fc.noShrink(fc.nat()), holds), { numRuns: runs(15) })
  expect(damages).toBeGreaterThan(0)
})
