import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { layout as layoutOf, open, type Store } from '../../../src/index.js'
import { dump } from '../../../src/jobs/dump/dump.js'
import { csvTexts, jsonTexts, type RowTexts } from '../../../src/jobs/dump/row-texts.js'
import { load } from '../../../src/jobs/load/load.js'
import type { LoadSource } from '../../../src/jobs/load/source.js'
import { itemToJson } from '../../../src/jobs/rows/item-json.js'
import type { Layout } from '../../../src/layout/layout.js'
import { ModelClock, opened } from '../../graph/model/runner/handles.js'
import { outcomeOf } from '../../graph/model/runner/outcome.js'
import { Choice } from '../../graph/model/runner/random-choice.js'
import { anyRow } from '../../graph/model/runner/random-values.js'
import { difference, tableState } from '../../graph/model/runner/table-state.js'
import { anySchema, type Schema } from '../../graph/model/schemas/random-schemas.js'
import { source } from '../load/sources.js'

const ROWS = 40

/** A random graph with random rows. */
async function filled(schema: Schema, seed: number): Promise<Store> {
  const store = memory()
  const handles = await opened(schema, store, new ModelClock(), seed)
  const { nodes, edges } = schema.graph.declared
  const types = [...nodes, ...nodes, ...edges]
  for (let i = 0; i < ROWS; i++) {
    const type = types[(seed + i) % types.length]!
    await outcomeOf(() => handles[type.name]!.put(anyRow(type, new Choice(seed + i))))
  }
  return store
}

/** The dumped text of each type. */
async function dumped(store: Store, schema: Schema, texts: (layout: Layout) => RowTexts, format: 'json' | 'csv') {
  const g = await open(schema.graph, store, { clock: () => new ModelClock().now() })
  const { nodes, edges } = schema.graph.declared
  const made = texts(layoutOf(schema.graph) as Layout)
  const files = new Map([...nodes, ...edges].map(type => [type.name, made.header(type)]))
  await dump(g, ({ rows }) => {
    for (const row of rows) files.set(row.type.name, files.get(row.type.name)! + made.line(row))
  })
  return [...files].map(([type, text]) => source(type, format, text, { type, chunkBytes: 1000 }))
}

async function dumpedItems(store: Store, schema: Schema): Promise<LoadSource[]> {
  const g = await open(schema.graph, store)
  let text = ''
  await dump(g, ({ items }) => {
    text += items.map(item => `{"Item":${itemToJson(item)}}\n`).join('')
  })
  return [source('items', 'dynamodb', text, { chunkBytes: 1000 })]
}

async function holds(schema: Schema, seed: number, sourcesOf: (store: Store) => Promise<LoadSource[]>): Promise<void> {
  const store = await filled(schema, seed)
  const again = memory()
  const g = await open(schema.graph, again)
  const failed: unknown[] = []
  const { written } = await load(g, await sourcesOf(store), { failed: rows => void failed.push(...rows) })
  expect(failed).toEqual([])
  // The first row is a node, which cannot be rejected.
  expect(written).toBeGreaterThan(0)
  const layout = layoutOf(schema.graph) as Layout
  expect(difference(await tableState(again, layout), await tableState(store, layout))).toBe('')
}

const seeds = fc.noShrink(fc.nat({ max: 100_000 }))
const RUNS = { numRuns: 25 }

describe('a table that is dumped and loaded again', { timeout: 120_000 }, () => {
  it('a table that is dumped and loaded again is equal, with JSON lines', async () => {
    const property = fc.asyncProperty(anySchema, seeds, (schema, seed) =>
      holds(schema, seed, store => dumped(store, schema, jsonTexts, 'json')),
    )
    await fc.assert(property, RUNS)
  })

  it('a table that is dumped and loaded again is equal, with CSV', async () => {
    const property = fc.asyncProperty(anySchema, seeds, (schema, seed) =>
      holds(schema, seed, store => dumped(store, schema, csvTexts, 'csv')),
    )
    await fc.assert(property, RUNS)
  })

  it('a table that is dumped and loaded again is equal, with DynamoDB JSON', async () => {
    const property = fc.asyncProperty(anySchema, seeds, (schema, seed) =>
      holds(schema, seed, store => dumpedItems(store, schema)),
    )
    await fc.assert(property, RUNS)
  })
})
