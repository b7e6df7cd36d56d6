import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openBatch, validate } from '../../src/batch/index.js'
import { memory } from '../../src/engine/memory.js'
import { type Layout, open, type Store } from '../../src/index.js'
import { verify } from '../../src/jobs/index.js'
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

const anySeeds = fc.array(fc.noShrink(fc.nat()), { minLength: 1, maxLength: 25, size: 'max' })

/** A table after random writes, whose stream has been handled. */
async function tableOf(schema: Schema, seeds: readonly number[]) {
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
  const whole = await open(schema.graph, store, { follow: false })
  return { store, whole, layout: machine.layout }
}

type Found = readonly string[]

/** What a validation of the items finds, each as one text. */
async function validated(graph: Layout, store: Store): Promise<Found> {
  await using data = await openBatch(graph, { from: { store } })
  const found: string[] = []
  const hidden = unfindable(graph)
  await validate(data, {
    onFinding: ({ code, type, name }) => {
      if (!hidden.has(`${type} ${name}`)) found.push(textOf(code, type, name))
    },
  })
  return found.sort()
}

/** What nodes keep of edges that they cannot find: only a validation of all items sees that it is wrong. */
function unfindable({ graph }: Layout): Set<string> {
  return new Set(
    graph.declared.edges.flatMap(({ ends, count, sum, embed }) =>
      ends
        .filter(({ by }) => by.as === 'none')
        .flatMap(end =>
          [...count, ...sum, ...embed]
            .filter(each => each.end === end.name)
            .map(({ into }) => `${end.node.name} ${into}`),
        ),
    ),
  )
}

async function verified(graph: object): Promise<Found> {
  const found: string[] = []
  await verify(graph, { onFault: ({ code, type, name }) => void found.push(textOf(code, type, name)) })
  return found.sort()
}

/** Whether a counter of a stream is behind or wrong is known only to the live table. */
const textOf = (code: string, type: string, name: string | undefined) =>
  [code.replace(/^counter\..*/, 'counter'), type, name].join(' ')

it.each([
  ['by its writers', anySchema],
  ['by the stream', anyStreamedSchema],
])('a validation finds what verify finds in any graph that is kept %s', async (_, schemas) => {
  let damages = 0
  const holds = async (schema: Schema, seeds: readonly number[], pick: number) => {
    const { store, whole, layout } = await tableOf(schema, seeds)
    expect(await validated(layout, store)).toEqual(await verified(whole))
    const choice = new Choice(pick)
    const items = (await itemsIn(store, layout.design.name)).filter(item => item.PK?.S !== '$edgewise')
    if (items.length === 0) return
    const item = choice.of(items)
    const key = keyOfItem(layout.names, item)
    const damaged = choice.of([undefined, ...damagesOf(item, Object.keys(key))])
    if (damaged) await store.putItem({ TableName: layout.design.name, Item: damaged })
    else await store.deleteItem({ TableName: layout.design.name, Key: key })
    const found = await verified(whole)
    if (found.length > 0) damages++
    expect(await validated(layout, store)).toEqual(found)
  }
  await fc.assert(fc.asyncProperty(schemas, anySeeds, fc.noShrink(fc.nat()), holds), { numRuns: runs(15) })
  expect(damages).toBeGreaterThan(0)
})
