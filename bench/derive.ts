import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { disk } from '../src/engine/index.js'
import { begin, type Cost, catchUp, type Mode } from './derive-world.js'

const EDGES = 200
const BATCH = 100
const HOT_EDGES = 10_000
const BEGIN = '<!-- written by npm run bench:derive -- --docs -->\n'
const END = '<!-- end -->\n'

type World = Awaited<ReturnType<typeof begin>>

const difference = (after: Cost, before: Cost): Cost => ({
  requests: after.requests - before.requests,
  read: after.read - before.read,
  write: after.write - before.write,
})

/** The average cost of a change, for the writer and the consumer. */
async function each(world: World, times: number, batch: number, change: (i: number) => PromiseLike<unknown>) {
  const before = { writer: world.costs.writer(), consumer: world.costs.consumer() }
  for (let i = 0; i < times; i++) {
    await change(i)
    if (batch === 1) await catchUp(world, 1000)
  }
  await catchUp(world, batch)
  const share = (cost: Cost) => `${per(cost.requests, times)} / ${per(cost.read, times)} / ${per(cost.write, times)}`
  return [
    share(difference(world.costs.writer(), before.writer)),
    share(difference(world.costs.consumer(), before.consumer)),
  ] as const
}

const per = (total: number, times: number) => String(Number((total / times).toFixed(2)))

async function costs(mode: Mode, batch: number, isNaive = false): Promise<Record<string, readonly [string, string]>> {
  const world = await begin(mode, undefined, isNaive)
  const { g } = world
  await g.user.put({ id: 'star', name: 'Star' })
  for (let i = 0; i < EDGES; i++) await g.user.put({ id: `u${i}`, name: 'Fan' })
  await catchUp(world, 1000)
  const inserted = await each(world, EDGES, batch, i => g.likes.put({ user: 'star', fan: `u${i}`, stars: 3 }))
  const updated = await each(world, EDGES, batch, i => g.likes.update({ user: 'star', fan: `u${i}` }, { stars: 4 }))
  const renamed = await each(world, EDGES, batch, i => g.user.update(`u${i}`, { name: 'Other' }))
  const deleted = await each(world, EDGES, batch, i => g.likes.delete({ user: 'star', fan: `u${i}` }))
  return {
    'an edge put': inserted,
    'its summed value changed': updated,
    'a node renamed, with one edge': renamed,
    'an edge deleted': deleted,
  }
}

async function speed(kind: 'memory' | 'disk'): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-'))
  const store = kind === 'disk' ? disk(folder) : undefined
  const world = await begin('stream', store)
  for (let i = 0; i < 50; i++) await world.g.user.put({ id: `u${i}`, name: 'Fan' })
  for (let i = 0; i < 50; i++)
    for (let j = 0; j < 20; j++) await world.g.likes.put({ user: `u${i}`, fan: `u${(i + j) % 50}`, stars: j })
  const start = performance.now()
  const handled = await catchUp(world, BATCH)
  const seconds = (performance.now() - start) / 1000
  await store?.close()
  rmSync(folder, { recursive: true })
  return `${(handled / seconds).toFixed(0)} records/s`
}

async function hot(): Promise<{ writes: number; units: number; seconds: number }> {
  const world = await begin('stream')
  await world.g.user.put({ id: 'star', name: 'Star' })
  for (let i = 0; i < HOT_EDGES; i++) await world.g.user.put({ id: `u${i}`, name: 'Fan' })
  await catchUp(world, 1000)
  for (let i = 0; i < HOT_EDGES; i++) await world.g.likes.put({ user: 'star', fan: `u${i}`, stars: 1 })
  const before = world.costs.consumer()
  let writes = 0
  const start = performance.now()
  const records = await world.read()
  for (let at = 0; at < records.length; at += 1000) await world.derive.handle(records.slice(at, at + 1000))
  const seconds = (performance.now() - start) / 1000
  for (const { dynamodb } of await world.read())
    if (dynamodb?.Keys?.PK?.S === 'user#star' && dynamodb.Keys.SK?.S === '#') writes++
  const { got } = (await world.g.user.get('star'))!
  if (got !== HOT_EDGES) throw new Error(`the counter says ${got}`)
  return { writes, units: difference(world.costs.consumer(), before).write, seconds }
}

async function main(): Promise<void> {
  const [alone, batched, naive, transaction, none] = [
    await costs('stream', 1),
    await costs('stream', BATCH),
    await costs('stream', BATCH, true),
    await costs('transaction', 1),
    await costs('none', 1),
  ]
  const rows = Object.keys(alone).map(what => {
    const [writer, consumer] = alone[what]!
    return `| ${what} | ${writer} | ${consumer} | ${batched[what]![1]} | ${naive[what]![1]} | ${transaction[what]![0]} | ${none[what]![0]} |`
  })
  const star = await hot()
  const machine = `${cpus().length} cores of ${cpus()[0]!.model.trim()}, Node ${process.versions.node}`
  const text = [
    `| requests / RCU / WCU of | the writer | the consumer, one record at a time | the consumer, batches of ${BATCH} | a consumer that adds what each record says | counted by transaction instead | neither counted nor copied |`,
    '|-|-|-|-|-|-|-|',
    ...rows,
    '',
    `An edge with a mirror, counted at both ends, summed at one, with one copy. The documented pattern, which adds what each record says, is measured without its faults: it is wrong after the first record that comes twice.`,
    '',
    `One consumer handles ${await speed('memory')} in memory and ${await speed('disk')} on disk, in batches of ${BATCH}. ${HOT_EDGES.toLocaleString('en')} edges that are added to one node take ${star.writes} writes of that node, ${star.units.toLocaleString('en')} WCU in all and ${star.seconds.toFixed(1)} s; an ADD for each takes ${HOT_EDGES.toLocaleString('en')} writes of the node. ${machine}, ${new Date().toISOString().slice(0, 10)} (\`npm run bench:derive\`).`,
  ].join('\n')
  console.log(text)
  if (process.argv.includes('--docs')) writeDocs(text)
}

function writeDocs(text: string): void {
  const path = 'docs/derived-data.md'
  const page = readFileSync(path, 'utf8')
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`${path} has no place for the numbers`)
  writeFileSync(path, `${page.slice(0, begin + BEGIN.length)}${text}\n${page.slice(end)}`)
}

await main()
