import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dynamodb } from '../src/aws/index.js'
import { disk, memory } from '../src/embedded.js'
import { add, type Call, counter, edge, graph, integer, node, open, type Store, string } from '../src/index.js'
import { sequence } from './measure.js'

const OBJECTS = 1_000
const LINKS = 20
const OPERATIONS = 4_000
const BATCH = 500
const TIMES = 1_000_000
const DATA = 'x'.repeat(120)

const object = node('object', { id: string(), version: integer(), data: string(), links: counter() }, { id: 'id' })
const link = edge(
  'link',
  { from: object, to: object },
  { time: integer({ min: 0, max: TIMES }), data: string() },
  { by: { from: { order: ['time'] } }, count: { from: 'links' } },
)
const social = graph('mixes', [object, link])

const opened = (store: Store) => open(social, store, { create: true })
type Objects = Awaited<ReturnType<typeof opened>>
type Random = (below: number) => number

const id = (at: number) => `o${at % OBJECTS}`
/** Links by the numbers used for loading, so that most exist. */
function linkOf(random: Random) {
  const at = random(OBJECTS)
  return { from: id(at), to: id(at * 7 + random(LINKS) * 13 + 1) }
}

/** The operations of the two papers as calls of the handle. */
const OPERATION = {
  'get node': (g: Objects, random: Random) => g.object.get(id(random(OBJECTS))),
  'add node': (g: Objects, random: Random) => g.object.put({ id: `n${random(1e9)}`, version: 1, data: DATA }),
  'update node': (g: Objects, random: Random) => g.object.update(id(random(OBJECTS)), { version: add(1), data: DATA }),
  'delete node': (g: Objects, random: Random) => g.object.delete(`n${random(1e9)}`),
  'get link': (g: Objects, random: Random) => g.link.get(linkOf(random)),
  'add or change link': (g: Objects, random: Random) =>
    g.link.put({ ...linkOf(random), time: random(TIMES), data: DATA }),
  'delete link': (g: Objects, random: Random) => g.link.delete(linkOf(random)),
  'count links': (g: Objects, random: Random) => g.object.get(id(random(OBJECTS))),
  'list links': (g: Objects, random: Random) =>
    g.link.by
      .from(id(random(OBJECTS)))
      .reverse()
      .limit(50)
      .all(),
  'list links by time': (g: Objects, random: Random) =>
    g.link.by
      .from(id(random(OBJECTS)))
      .where({ time: { from: TIMES / 4, to: (3 * TIMES) / 4 } })
      .reverse()
      .all(),
} as const

type OperationName = keyof typeof OPERATION
type Mix = Partial<Record<OperationName, number>>

/** Shares in percent: the defaults of LinkBench, and Facebook's traffic in the TAO paper. */
export const MIXES: Readonly<Record<string, Mix>> = {
  LinkBench: {
    'list links': 50.7,
    'get node': 12.9,
    'add or change link': 9 + 8,
    'update node': 7.4,
    'count links': 4.9,
    'delete link': 3,
    'add node': 2.6,
    'delete node': 1,
    'get link': 0.5,
  },
  TAO: {
    'list links': 40.8,
    'get node': 28.9,
    'get link': 15.7,
    'count links': 11.7,
    'list links by time': 2.8,
    'add or change link': 0.11,
    'update node': 0.04,
    'add node': 0.03,
    'delete link': 0.02,
  },
}

export interface Price {
  readonly requests: number
  readonly units: number
}

export interface MixFigures {
  readonly store: string
  readonly mix: string
  readonly perSecond: number
  /** The average cost of one operation. */
  readonly prices: ReadonlyMap<string, Price>
}

/** Measures both mixes in memory, on disk, and on the endpoint in the variable DYNAMODB. */
export async function mixes(): Promise<MixFigures[]> {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-mixes-'))
  const onDisk = disk(folder)
  const { DYNAMODB } = process.env
  const stores: [string, Store][] = [
    ['memory', memory()],
    ['disk', onDisk],
    ...(DYNAMODB ? [['DynamoDB Local', dynamodb({ endpoint: DYNAMODB })] as [string, Store]] : []),
  ]
  const figures: MixFigures[] = []
  try {
    for (const [store, on] of stores) {
      const g = await opened(on)
      await fill(g)
      for (const mix of Object.keys(MIXES)) figures.push({ store, mix, ...(await run(g, MIXES[mix]!)) })
      await g.$close()
    }
  } finally {
    await onDisk.close()
    rmSync(folder, { recursive: true })
  }
  return figures
}

async function fill(g: Objects): Promise<void> {
  const random = sequence(3)
  const objects = Array.from({ length: OBJECTS }, (_, at) => g.object.put({ id: id(at), version: 1, data: DATA }))
  for (let at = 0; at < OBJECTS; at += BATCH) await g.$batch(objects.slice(at, at + BATCH))
  for (let at = 0; at < OBJECTS; at++)
    for (let i = 0; i < LINKS; i++)
      await g.link.put({ from: id(at), to: id(at * 7 + i * 13 + 1), time: random(TIMES), data: DATA })
}

/** The time of a run without accounts, then the price of each operation from a short one with them. */
async function run(g: Objects, mix: Mix): Promise<Pick<MixFigures, 'perSecond' | 'prices'>> {
  const names = Object.keys(mix) as OperationName[]
  const random = sequence(11)
  const calls = Array.from({ length: OPERATIONS }, () => picked(mix, names, random))
  const start = performance.now()
  for (const name of calls) await (OPERATION[name](g, random) as Call<unknown>)
  const perSecond = (OPERATIONS * 1000) / (performance.now() - start)
  const prices = new Map<string, Price>()
  for (const name of names) prices.set(name, await priceOf(() => OPERATION[name](g, random)))
  return { perSecond, prices }
}

function picked(mix: Mix, names: readonly OperationName[], random: Random): OperationName {
  let left = random(1e6) / 1e4
  for (const name of names) {
    left -= mix[name]!
    if (left < 0) return name
  }
  return names[0]!
}

const SAMPLES = 100

async function priceOf(call: () => Call<unknown>): Promise<Price> {
  let [requests, units] = [0, 0]
  for (let i = 0; i < SAMPLES; i++) {
    const report = await call().run()
    requests += report.requests
    units += report.consumed.total
  }
  return { requests: requests / SAMPLES, units: units / SAMPLES }
}
