import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { type GraphError, layout as layoutOf, open, type Store, wrap } from '../../../src/index.js'
import { dump } from '../../../src/jobs/dump/dump.js'
import { csvTexts, jsonTexts } from '../../../src/jobs/dump/row-texts.js'
import { verify } from '../../../src/jobs/index.js'
import { type LoadCursor, load } from '../../../src/jobs/load/load.js'
import type { LoadSource } from '../../../src/jobs/load/source.js'
import type { Layout } from '../../../src/layout/layout.js'
import { faulty } from '../../../src/store/faulty.js'
import { ModelClock, opened } from '../../graph/model/runner/handles.js'
import { Machine } from '../../graph/model/runner/machine.js'
import { outcomeOf } from '../../graph/model/runner/outcome.js'
import { Choice } from '../../graph/model/runner/random-choice.js'
import { anyRow } from '../../graph/model/runner/random-values.js'
import { settling } from '../../graph/model/runner/run-consumer.js'
import { difference, tableState } from '../../graph/model/runner/table-state.js'
import { anySchema, anyStreamedSchema, type Schema } from '../../graph/model/schemas/random-schemas.js'
import { runs } from '../../graph/model/suite.js'
import { source } from './sources.js'

/** A random graph with random rows and stream-derived data. */
async function filled(schema: Schema, seed: number): Promise<Store> {
  const store = memory()
  const machine = new Machine(schema, store, await opened(schema, store, new ModelClock(), seed))
  machine.settle = await settling(machine, ~seed)
  const { nodes, edges } = schema.graph.declared
  const types = [...nodes, ...nodes, ...edges]
  for (let i = 0; i < 60; i++) {
    const type = types[(seed + i) % types.length]!
    await outcomeOf(() => machine.handles[type.name]!.put(anyRow(type, new Choice(seed + i))))
  }
  await machine.settle()
  return store
}

async function dumped(store: Store, schema: Schema, seed: number): Promise<LoadSource[]> {
  const g = await open(schema.graph, store, { clock: () => new ModelClock().now(), follow: false })
  const layout = layoutOf(schema.graph) as Layout
  const format = seed % 2 ? 'csv' : 'json'
  const made = (seed % 2 ? csvTexts : jsonTexts)(layout)
  const { nodes, edges } = schema.graph.declared
  const files = new Map([...nodes, ...edges].map(type => [type.name, made.header(type)]))
  await dump(g, ({ rows }) => {
    for (const row of rows) files.set(row.type.name, files.get(row.type.name)! + made.line(row))
  })
  return [...files].map(([type, text]) => source(type, format, text, { type, chunkBytes: 100 + (seed % 400) }))
}

class Died extends Error {}

/** A store with network failures, whose user crashes or is aborted at some request. */
function mortal(store: Store, choice: Choice, lives: number) {
  let left = 1 + choice.below(6 * (lives + 1))
  const isDone = choice.chance(0.5)
  const how = choice.of(['dies', 'is stopped', 'fails and dies'] as const)
  const stop = new AbortController()
  const inner = how === 'fails and dies' ? faulty(store, { seed: choice.below(1e6) }) : store
  const dying = wrap(inner, async (_, request, options, send) => {
    if (left-- > 0) return send(request, options)
    if (how === 'is stopped') stop.abort(new Died())
    else if (!isDone) throw new Died()
    const answer = await send(request, options)
    if (how !== 'is stopped') throw new Died()
    return answer
  })
  return { dying, signal: stop.signal }
}

/** Whether the load ended for another reason than its rows. */
const isDeath = (error: unknown) => error instanceof Died || /^store\./.test((error as Partial<GraphError>).code ?? '')

/** Repeats the load in a sequence of processes until it is done. Returns their number. */
async function loadAnyhow(
  schema: Schema,
  store: Store,
  sources: readonly LoadSource[],
  choice: Choice,
  between: () => Promise<void>,
) {
  let from: LoadCursor | undefined
  for (let lives = 1; ; lives++) {
    const { dying, signal } = mortal(store, choice, lives)
    try {
      const retry = { clock: new ModelClock() }
      const g = await open(schema.graph, dying, { follow: false, create: false, retry })
      await load(g, sources, {
        from,
        signal,
        concurrency: 1 + choice.below(3),
        failed: rows => expect(rows).toEqual([]),
        progress: place => {
          from = JSON.parse(JSON.stringify(place))
          if (choice.chance(0.1)) throw new Died()
        },
      })
      return lives
    } catch (error) {
      if (!isDeath(error)) throw error
    }
    if (choice.chance(0.3)) await between()
  }
}

it.each([
  ['by its writers', anySchema],
  ['by the stream', anyStreamedSchema],
])(
  'a load that crashes and resumes has the same result as an uninterrupted one, with data maintained %s',
  { timeout: 120_000 },
  async (_, schemas) => {
    let lives = 0
    const holds = async (schema: Schema, seed: number) => {
      const from = await filled(schema, seed)
      const store = memory()
      const g = await open(schema.graph, store, { follow: false })
      const layout = layoutOf(schema.graph) as Layout
      const settle = await settling({ store, layout }, seed)
      lives += await loadAnyhow(schema, store, await dumped(from, schema, seed), new Choice(seed), settle)
      await settle()
      expect(difference(await tableState(store, layout), await tableState(from, layout))).toBe('')
      const faults: unknown[] = []
      await verify(g, { onFault: fault => fault.code === 'edge.dangling' || faults.push(fault) })
      expect(faults).toEqual([])
    }
    const numRuns = runs(30)
    await fc.assert(fc.asyncProperty(schemas, fc.noShrink(fc.nat()), holds), { numRuns })
    expect(lives).toBeGreaterThan(2 * numRuns)
  },
)
