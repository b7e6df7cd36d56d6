import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { memory } from '../../../src/engine/memory.js'
import type { Call } from '../../../src/index.js'
import type { Store } from '../../../src/store/port.js'
import type { Write } from './reference/model.js'
import { type Command, Commands } from './runner/commands.js'
import { callOf, ModelClock, opened } from './runner/handles.js'
import { Machine } from './runner/machine.js'
import { shown } from './runner/outcome.js'
import { settling } from './runner/run-consumer.js'
import { anyNarrowSchema } from './schemas/narrow-indexes.js'
import { anySchema, anyStreamedSchema, type Schema } from './schemas/random-schemas.js'
import { anySortlessSchema } from './schemas/sortless-tables.js'
import { runs } from './suite.js'

/** The maximum length of texts outside of keys, for items of up to several units around every limit. */
const MOST_BYTES = 9_000

it('the explained price of a write with the existing items equals its consumption on random graphs', async () => {
  await explainedIsConsumed(anySchema, runs(60))
})

it('the explained price equals the consumption with stream counters and copies', async () => {
  await explainedIsConsumed(anyStreamedSchema, runs(30))
})

it('the explained price equals the consumption with narrow indexes', async () => {
  await explainedIsConsumed(anyNarrowSchema, runs(40))
})

it('the explained price equals the consumption in a table without a sort key', async () => {
  await explainedIsConsumed(anySortlessSchema, runs(30))
})

/** Most combined writes are refused or collide, so additional commands contribute theirs. */
const MORE = [1, 2, 3, 4]

const writesOf = (command: Command): Write[] =>
  'write' in command ? [command.write] : 'writes' in command ? [...command.writes] : []

async function explainedIsConsumed(schemas: fc.Arbitrary<Schema>, numRuns: number): Promise<void> {
  const seeds = fc.array(fc.noShrink(fc.nat()), { minLength: 30, maxLength: 60, size: 'max' })
  const bytes = fc.nat({ max: MOST_BYTES })
  const done = { create: 0, put: 0, update: 0, delete: 0, transact: 0, batch: 0, large: 0 }
  const holds = async (schema: Schema, all: readonly number[], node: number, edge: number) => {
    const store = memory()
    const machine = new Machine(schema, store, await opened(schema, store, new ModelClock(), all[0]!))
    const settle = await settling(machine, ~all[0]!)
    const commands = new Commands(schema.graph.declared, 0)
    for (const seed of all) {
      const command = commands.of(seed)
      const writes = writesOf(command)
      if (writes.length > 1) writes.push(...MORE.flatMap(each => writesOf(commands.of(seed + each))))
      const possible = possibleOf(
        machine,
        command,
        writes.map(write => lengthened(write, node, edge)),
      )
      if (possible.length === 0) continue
      const { units } = await agrees(machine, callsOf(machine, command, possible), possible)
      await settle()
      for (const write of possible) machine.model = machine.model.after(write)
      const together = command.does === 'batch' ? command.does : 'transact'
      done[possible.length > 1 ? together : possible[0]!.verb]++
      if (units > 10) done.large++
    }
  }
  await fc.assert(fc.asyncProperty(schemas, seeds, bytes, bytes, holds), { numRuns })
  expect(Object.entries(done).filter(([, times]) => times < numRuns / 3)).toEqual([])
}

/** The writes that succeed; the consumption of a refused write is not reported. */
function possibleOf(machine: Machine, { does }: Command, writes: readonly Write[]): Write[] {
  const { model } = machine
  const apart = does === 'batch' ? machine.batchable(writes) : machine.apart(writes)
  return apart.filter(write => {
    const type = model.type(write.type)
    // The deletion of an only edge is refused silently when the node has a different edge.
    const isOther = write.verb === 'delete' && type.kind === 'edge' && type.one !== undefined && !model.replaced(write)
    return !model.isJob(write) && !isOther && model.refusals(write).length === 0
  })
}

/** The write with texts of the given length outside of keys. */
function lengthened(write: Write, node: number, edge: number): Write {
  const longer = (row: Write['row']) => ({
    ...row,
    ...(typeof row.mail === 'string' && { mail: row.mail + 'm'.repeat(node) }),
    ...(typeof row.note === 'string' && { note: row.note + 'n'.repeat(edge) }),
  })
  const { row, patch } = write
  return { ...write, row: longer(row), ...(patch && { patch: longer(patch) }) }
}

let tokens = 0

/** A call can be either explained or run, so two calls are created. */
function callsOf({ handles, model }: Machine, command: Command, writes: readonly Write[]): Call<unknown>[] {
  const token = command.does === 'race' ? { token: `t${tokens++}` } : {}
  return [0, 1].map(() => {
    const calls = writes.map(write => callOf(handles, model, write))
    if (calls.length > 1) return command.does === 'batch' ? handles.$batch(calls) : handles.$transact(calls, token)
    return 'returning' in command && command.returning ? calls[0]!.returning(command.returning) : calls[0]!
  })
}

async function agrees(machine: Machine, [asked, call]: readonly Call<unknown>[], writes: readonly Write[]) {
  const existing = await everything(machine.store, machine.layout.design.name)
  const { total } = asked!.explain({ existing })
  const { consumed, requests } = await call!.run()
  const told = { requests, read: consumed.read, write: consumed.write }
  expect(told, shown(writes)).toEqual(total)
  return { units: consumed.total }
}

async function everything(store: Store, TableName: string): Promise<Item[]> {
  const items: Item[] = []
  let last: Item | undefined
  do {
    const { Items = [], LastEvaluatedKey } = await store.scan({
      TableName,
      ConsistentRead: true,
      ...(last && { ExclusiveStartKey: last }),
    })
    items.push(...Items)
    last = LastEvaluatedKey
  } while (last)
  return items
}
