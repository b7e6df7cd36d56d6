import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGzip } from 'node:zlib'
import { runSteps } from '../src/batch/algorithms/run-program.js'
import { openBatch, pageRank, runSpark, sparkPlan, validate } from '../src/batch/index.js'
import { findSpark } from '../src/batch/spark/run-spark.js'
import { counterQueries } from '../src/batch/validation/counter-queries.js'
import { disk } from '../src/engine/index.js'
import { counter, edge, graph, integer, node, string, summary } from '../src/index.js'
import { itemToJson } from '../src/jobs/index.js'
import { itemsOfStoredRow } from '../src/layout/items/items.js'
import { layoutOf } from '../src/layout/layout.js'
import { toSlotValues } from '../src/layout/slots.js'
import { createTableInput } from '../src/table/table-inputs.js'

// Each measurement runs in a separate process, so that peak memory is measured separately.
const user = node(
  'user',
  { id: string(), name: string(), followers: counter(), weight: counter(), rank: summary() },
  { id: 'id' },
)
const follow = edge(
  'follow',
  { follower: user, followed: user },
  { weight: integer(), since: string() },
  {
    count: { followed: 'followers' },
    sum: { followed: { into: 'weight', of: 'weight' } },
  },
)
const social = graph('social', [user, follow])
const layout = layoutOf(social)

const FILES = 16
/** The number of edges of each node. */
const DEGREE = 24
const MB = 1024 * 1024

const [task, path, count] = process.argv.slice(2)
if (task === undefined || /^\d/.test(task)) await measureAll(Number(task ?? 1_000_000))
else await run(task, path!, Number(count))

async function measureAll(items: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-bench-'))
  try {
    const exported = join(folder, 'export')
    await writeExport(exported, items)
    const memory = items > 2_000_000 ? 'in 1 GB' : 'in 600 MB'
    print(`${items.toLocaleString('en-US')} items, one thread ${memory}`)
    child('recount', exported, items)
    child('rank', exported, items)
    child('spark', exported, items)
    if (items <= 2_000_000) {
      child('validate', exported, items)
      child('load', join(folder, 'disk'), Math.min(items, 200_000))
      child('scan', join(folder, 'disk'), Math.min(items, 200_000))
      await writeExport(join(folder, 'small'), Math.min(items, 200_000))
      child('read', join(folder, 'small'), Math.min(items, 200_000))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function child(...words: readonly (string | number)[]): void {
  const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...words.map(String)], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`${words[0]} failed`)
}

async function run(name: string, from: string, items: number): Promise<void> {
  const memory = items > 2_000_000 ? '700MB' : '250MB'
  const options = { threads: 1, memory, temporaryFolder: join(from, '..', 'spilled') }
  if (name === 'load') return loadDisk(from, items)
  if (name === 'spark') return measureSpark(from)
  const source = name === 'scan' ? { store: disk(from), segments: 1 } : from
  let startMs = performance.now()
  const step = (what: string) => {
    const seconds = ((performance.now() - startMs) / 1000).toFixed(2)
    const peak = Math.round((process.resourceUsage().maxRSS * 1024) / MB)
    print(`  ${what}: ${seconds} s, peak ${peak} MB`)
    startMs = performance.now()
  }
  await using data = await openBatch(social, { from: source, ...options })
  const context = { layout, dialect: data.dialect, views: data.views, momentMs: data.moment.getTime() }
  if (name === 'recount') {
    step('read the export')
    for (const { sql } of counterQueries(context)) await data.rows(`SELECT count(*) FROM (${sql})`)
    step('recount every counter')
  } else if (name === 'rank') {
    startMs = performance.now()
    const { steps } = pageRank({ edge: 'follow', node: 'user', into: 'rank', iterations: 20, tolerance: 0 }).program(
      context,
    )
    await runSteps(data.database, steps)
    step('PageRank, 20 iterations')
  } else if (name === 'validate') {
    startMs = performance.now()
    const { findings } = await validate(data)
    step(`validate everything (${findings} findings)`)
  } else step(`${name === 'scan' ? 'scan a folder on disk' : 'read the same from an export'} (${data.items} items)`)
}

/** The same PageRank on the Spark of this machine, with its session and the reading of the export. */
async function measureSpark(from: string): Promise<void> {
  try {
    findSpark(process.env)
  } catch (error) {
    return print(`  Spark local: skipped, because ${(error as Error).message}`)
  }
  const ranking = pageRank({ edge: 'follow', node: 'user', into: 'rank', iterations: 20, tolerance: 0 })
  const startMs = performance.now()
  const output = join(from, '..', 'spark')
  await runSpark(sparkPlan(social, { from, jobs: [ranking] }), { output, threads: 1, memory: '1GB' })
  const seconds = ((performance.now() - startMs) / 1000).toFixed(2)
  print(`  Spark local, one thread: session, export and PageRank of 20 iterations: ${seconds} s`)
}

/** The items of a graph with correct counters. */
function* itemsOfGraph(items: number) {
  const users = Math.max(1, Math.floor(items / (DEGREE + 1)))
  const counts = new Float64Array(users)
  const weights = new Float64Array(users)
  const edges = items - users
  const ends = (at: number) => [at % users, (at * 7919 + Math.floor(at / users) * 104_729 + 1) % users] as const
  for (let at = 0; at < edges; at++) {
    const [, to] = ends(at)
    counts[to]!++
    weights[to]! += at % 10
  }
  for (let at = 0; at < users; at++) {
    const values = toSlotValues(user.declared, { id: `u${at}`, name: `User number ${at}` })
    const counted = { ...values, followers: { N: String(counts[at]) }, weight: { N: String(weights[at]) } }
    yield* itemsOfStoredRow(layout, user.declared, counted)
  }
  const seen = new Set<number>()
  for (let at = 0; at < edges; at++) {
    const [from, to] = ends(at)
    if (items <= 200_000) {
      const pair = from * users + to
      if (seen.has(pair)) continue
      seen.add(pair)
    }
    const row = { follower: `u${from}`, followed: `u${to}`, weight: at % 10, since: '2026-01-01' }
    yield* itemsOfStoredRow(layout, follow.declared, toSlotValues(follow.declared, row))
  }
}

async function writeExport(folder: string, items: number): Promise<void> {
  mkdirSync(join(folder, 'data'), { recursive: true })
  const manifest: object[] = []
  const all = itemsOfGraph(items)
  const perFile = Math.ceil(items / FILES)
  for (let file = 0; file < FILES; file++) {
    const name = `part${String(file).padStart(2, '0')}.json.gz`
    const gzip = createGzip({ level: 3 })
    const written = once(gzip.pipe(createWriteStream(join(folder, 'data', name))), 'finish')
    let itemCount = 0
    let text = ''
    for (; itemCount < perFile; itemCount++) {
      const { value, done } = all.next()
      if (done) break
      text += `{"Item":${itemToJson({ ...value.item, _etag: { S: 'abcdef0123456789' } })}}\n`
      if (text.length > MB && !gzip.write(text)) await once(gzip, 'drain')
      if (text.length > MB) text = ''
    }
    gzip.end(text)
    await written
    manifest.push({ itemCount, dataFileS3Key: `AWSDynamoDB/bench/data/${name}` })
  }
  writeFileSync(join(folder, 'manifest-files.json'), manifest.map(entry => `${JSON.stringify(entry)}\n`).join(''))
  const exportTime = '2026-11-01T00:00:00Z'
  const summary = {
    manifestFilesS3Key: 'AWSDynamoDB/bench/manifest-files.json',
    outputFormat: 'DYNAMODB_JSON',
    exportTime,
  }
  writeFileSync(join(folder, 'manifest-summary.json'), JSON.stringify(summary))
}

/** A folder on disk with the items of the graph. */
async function loadDisk(folder: string, items: number): Promise<void> {
  const store = disk(folder, { sync: false })

  await store.createTable(createTableInput(layout.design))
  let puts: object[] = []
  const write = async () => {
    const batch = puts
    puts = []
    await store.batchWriteItem({ RequestItems: { social: batch as never } })
  }
  const pending: Promise<void>[] = []
  for (const { item } of itemsOfGraph(items)) {
    puts.push({ PutRequest: { Item: item } })
    if (puts.length === 25) pending.push(write())
    if (pending.length === 64) await Promise.all(pending.splice(0))
  }
  if (puts.length > 0) await write()
  await Promise.all(pending)
  await store.close()
  statSync(folder)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
