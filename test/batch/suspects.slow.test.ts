import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runSteps } from '../../src/batch/algorithms/run-program.js'
import { openBatch, type SparkResults, validate } from '../../src/batch/index.js'
import { type BatchData, programContextOf } from '../../src/batch/open-batch.js'
import { validationSteps } from '../../src/batch/spark/validation-plan.js'
import { suspectQuery } from '../../src/batch/validation/suspect-queries.js'
import { memory } from '../../src/engine/memory.js'
import type { Layout, Store } from '../../src/index.js'
import { keyOfItem } from '../../src/plan/identity.js'
import { Commands } from '../graph/model/runner/commands.js'
import { ModelClock, opened } from '../graph/model/runner/handles.js'
import { Machine } from '../graph/model/runner/machine.js'
import { Choice } from '../graph/model/runner/random-choice.js'
import { settling } from '../graph/model/runner/run-consumer.js'
import { anySchema, anyStreamedSchema, type Schema } from '../graph/model/schemas/random-schemas.js'
import { runs } from '../graph/model/suite.js'
import { itemsIn } from './export-files.js'
import { damagesOf } from './item-damages.js'
import { damageWorld, filledWorld, world } from './spark/world.js'

const anySeeds = fc.array(fc.noShrink(fc.nat()), { minLength: 1, maxLength: 25, size: 'max' })

/** The results of the statements that a validation runs on Spark, from DuckDB. */
async function resultsOf(data: BatchData): Promise<SparkResults> {
  const { steps, results } = validationSteps(programContextOf(data))
  await runSteps(data.database, steps)
  const rows = new Map<string, unknown>()
  for (const { name, as } of results) rows.set(name, await data.rows(as))
  const made = {
    layout: data.layout,
    moment: data.moment,
    items: data.items,
    async *rows(_: string, name: string) {
      yield rows.get(name)
    },
  }
  // The class reads files, which only Spark writes.
  return made as unknown as SparkResults
}

async function findingsOf(data: BatchData | SparkResults, live?: object): Promise<string[]> {
  const found: string[] = []
  await validate(data, {
    live,
    onFinding: ({ code, type, name, key, expected, found: actual }) => {
      found.push(JSON.stringify([code, type, name, key, expected, actual]))
    },
  })
  return found.sort()
}

async function compare(layout: Layout, store: Store): Promise<void> {
  await using data = await openBatch(layout, { from: { store }, clock: () => 0 })
  expect(await findingsOf(await resultsOf(data))).toEqual(await findingsOf(data))
}

it.each([
  ['by its writers', anySchema],
  ['by the stream', anyStreamedSchema],
])('comparing sets finds what comparing items finds in any graph that is kept %s', async (_, schemas) => {
  const holds = async (schema: Schema, seeds: readonly number[], pick: number) => {
    const store = memory()
    const clock = new ModelClock()
    const handles = await opened(schema, store, clock, seeds[0]!)
    const machine = new Machine(schema, store, handles)
    machine.settle = await settling(machine, ~seeds[0]!)
    const commands = new Commands(schema.graph.declared)
    for (const seed of seeds) {
      const command = commands.of(seed)
      if (/write|transact|batch/.test(command.does)) await machine.perform(command)
    }
    const { layout } = machine
    await compare(layout, store)
    const own = (await itemsIn(store, layout.design.name)).filter(item => item.PK?.S !== '$edgewise')
    if (own.length === 0) return
    const choice = new Choice(pick)
    const item = choice.of(own)
    const key = keyOfItem(layout.names, item)
    const damaged = choice.of([undefined, ...damagesOf(item, Object.keys(key))])
    if (damaged) await store.putItem({ TableName: layout.design.name, Item: damaged })
    else await store.deleteItem({ TableName: layout.design.name, Key: key })
    await compare(layout, store)
  }
  await fc.assert(fc.asyncProperty(schemas, anySeeds, fc.noShrink(fc.nat()), holds), { numRuns: runs(6) })
})

it('comparing sets finds what comparing items finds in a damaged table, and the live table confirms the same', async () => {
  const { store, g } = await filledWorld()
  await damageWorld(store)
  await using data = await openBatch(world, { from: { store } })
  // A table has no item twice, but a copy of an export may.
  await data.run(`INSERT INTO physical.items SELECT * FROM physical.items WHERE mark = 'note' LIMIT 1`)
  const results = await resultsOf(data)
  const expected = await findingsOf(data)
  for (const text of [
    'item.duplicate',
    '"blocked"',
    'counter.drift',
    'edges.uncounted',
    'entry.drift',
    'closure.stale',
    'closure.orphan',
  ])
    expect(expected.some(finding => finding.includes(text))).toBe(true)
  expect(await findingsOf(results)).toEqual(expected)
  const confirmed = await findingsOf(data, g)
  expect(confirmed.some(finding => finding.includes('"blocked"'))).toBe(true)
  expect(await findingsOf(results, g)).toEqual(confirmed)
})

it('no item of a consistent table is suspected, except that of its layout', async () => {
  const { store } = await filledWorld()
  await using data = await openBatch(world, { from: { store } })
  expect(await data.rows(suspectQuery(programContextOf(data)))).toEqual([{ pk: '$edgewise', sk: '#' }])
})
