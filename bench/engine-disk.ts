import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { disk } from '../src/engine/index.js'
import type { Bars } from './bars.js'
import { loaded } from './engine-data.js'
import { type Lmdb, lmdbAlone } from './engine-lmdb.js'
import { DYNAMODB_LOCAL, serversOnDisk } from './engine-servers.js'
import { sqliteOnDisk } from './engine-sqlite.js'
import { REPETITIONS, SMALL, workloads } from './engine-work.js'
import { compare, median, perSecond, type Work } from './measure.js'

const IN_FLIGHT = 16
const ROUNDS = 5
const ROUND_MS = 600
const OURS = 'edgewise'
const LMDB = 'LMDB alone'

/** A measured store. */
interface Side {
  readonly works: Record<string, Work>
  /** Returns the processor time of the store so far. For an embedded store, that of the process. */
  cpuMs(): number
}

/** A folder on the disk of the project, because the temporary folder may be in memory. */
export function benchFolder(): string {
  mkdirSync('build', { recursive: true })
  const folder = mkdtempSync(join('build', 'bench-disk-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Measures the engine on disk with every write flushed, and compares it with LMDB alone and with other disk stores. */
export async function measureDisk(bars: Bars): Promise<void> {
  console.log(`\nthe engine on disk, ${SMALL} items of 200 B in partitions of 100, one inverted GSI (ALL)\n`)
  const folder = benchFolder()
  const store = disk(join(folder, 'ours'))
  const ours = workloads(await loaded(store, SMALL), SMALL)
  const lmdb = await lmdbAlone(join(folder, 'lmdb'))
  await compareReads(bars, ours, lmdb)
  const servers = await serversOnDisk(folder, IN_FLIGHT)
  const sqlite = await sqliteOnDisk(folder)
  const sides = new Map<string, Side>([
    [OURS, inProcess(ours)],
    [LMDB, inProcess({ GetItem: lmdb.get, 'Query of 50': lmdb.range, PutItem: lmdb.put })],
    ...(sqlite ? [['better-sqlite3', inProcess(sqlite)] as const] : []),
    ...servers.map(server => [server.name, server] as const),
  ])
  await compareWrites(bars, sides)
  await printTable(sides)
  for (const server of servers) await server.close()
  await lmdb.close()
  await store.close()
}

function inProcess(works: Record<string, Work>): Side {
  const cpuMs = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  return { works, cpuMs }
}

async function compareReads(bars: Bars, ours: Record<string, Work>, lmdb: Lmdb): Promise<void> {
  const micros = (nanos: number) => `${(nanos / 1000).toFixed(1)} µs`
  const rows = [
    ['GetItem', lmdb.get, 'a decoded get of LMDB', 4, REPETITIONS],
    ['Query of 50', lmdb.range, "LMDB's range, decoded alike", 2, REPETITIONS / 10],
  ] as const
  for (const [label, floor, of, bar, repetitions] of rows) {
    const { subject, floor: base, ratio } = await compare(ours[label]!, floor, repetitions)
    bars.atMost(`${label}, in ${of}`, ratio, bar, `${micros(subject)} to ${micros(base)}`)
  }
}

/** Measures durable puts with the given concurrency, in alternating rounds. */
async function compareWrites(bars: Bars, sides: ReadonlyMap<string, Side>): Promise<void> {
  const rounds: Map<string, number>[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const figures = new Map<string, number>()
    for (const [name, { works }] of sides) figures.set(name, await perSecond(works.PutItem!, IN_FLIGHT, ROUND_MS))
    // The first round warms up.
    if (round > 0) rounds.push(figures)
  }
  const ratioTo = (name: string) => median(rounds.map(round => round.get(OURS)! / round.get(name)!))
  const perSecondOf = (name: string) => `${median(rounds.map(round => round.get(name)!)).toFixed(0)}/s`
  const barOf = new Map([
    [LMDB, 0.5],
    [DYNAMODB_LOCAL, 5],
  ])
  for (const name of sides.keys()) {
    if (name === OURS) continue
    const label = `durable PutItem with a GSI, to ${name}`
    const detail = `${perSecondOf(OURS)} to ${perSecondOf(name)}, ${IN_FLIGHT} in flight`
    const bar = barOf.get(name)
    if (bar !== undefined) bars.atLeast(label, ratioTo(name), bar, detail)
    else bars.report(label, `${ratioTo(name).toFixed(2)}  ${detail}`)
  }
}

const ROWS: [label: string, shown: string, inFlight: number][] = [
  ['GetItem', 'GetItem', 1],
  ['Query of 50', 'Query of 50', 1],
  ['Query of 50 on the GSI', 'Query of 50 on the GSI', 1],
  ['PutItem', 'PutItem, one at a time', 1],
  ['PutItem', `PutItem, ${IN_FLIGHT} in flight`, IN_FLIGHT],
]

/** Returns processor time per operation and operations per second, for README.md. */
async function printTable(sides: ReadonlyMap<string, Side>): Promise<void> {
  console.log(`\n| | ${[...sides.keys()].join(' | ')} |\n|-|${'-|'.repeat(sides.size)}`)
  for (const [label, shown, inFlight] of ROWS) {
    const cells: string[] = []
    for (const side of sides.values()) cells.push(await cellOf(side, label, inFlight))
    console.log(`| ${shown} | ${cells.join(' | ')} |`)
  }
  console.log('')
}

/** `5.1 µs, 180,000/s`. */
async function cellOf({ works, cpuMs }: Side, label: string, inFlight: number): Promise<string> {
  const work = works[label]
  if (!work) return '–'
  const rates: number[] = []
  const costs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = cpuMs()
    const start = performance.now()
    const rate = await perSecond(work, inFlight, ROUND_MS)
    rates.push(rate)
    costs.push((cpuMs() - before) / (rate * (performance.now() - start)))
  }
  const cost = median(costs) * 1_000_000
  return `${cost.toFixed(cost < 10 ? 1 : 0)} µs, ${Math.round(median(rates)).toLocaleString('en')}/s`
}
