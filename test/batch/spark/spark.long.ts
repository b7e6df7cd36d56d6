import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Item } from 'edgewise/dynamodb'
import { itemToJson } from 'edgewise/jobs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runSteps } from '../../../src/batch/algorithms/run-program.js'
import type { SqlRow } from '../../../src/batch/duckdb.js'
import {
  connectedComponents,
  degree,
  distances,
  hopCounts,
  labelPropagation,
  openBatch,
  openSparkResults,
  pageRank,
  recommendations,
  runJob,
  runSpark,
  type SparkPlan,
  type SummaryJob,
  sparkPlan,
  sqlJob,
  subtreeSums,
  triangles,
  validate,
} from '../../../src/batch/index.js'
import { type BatchData, programContextOf } from '../../../src/batch/open-batch.js'
import { CHANGES, ROWS } from '../../../src/batch/spark/plan.js'
import type { SparkResults } from '../../../src/batch/spark/results.js'
import { allRowsQuery, changedQuery, resultQueries, targetsOf } from '../../../src/batch/summaries/result-query.js'
import { exportTable, itemsIn, writeExport } from '../export-files.js'
import { damageWorld, filledWorld, world } from './world.js'

const MOMENTS = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'] as const
const TO_PERSON = { node: 'person' } as const
const jobs: readonly SummaryJob[] = [
  degree({ ...TO_PERSON, edge: 'knows', weight: 'weight', into: { degree: 'links', total: 'total' } }),
  degree({ node: 'team', name: 'teams', edge: 'member', from: 'team', into: 'links' }),
  pageRank({ ...TO_PERSON, edge: ['knows', 'manages'], iterations: 4, tolerance: 0, into: 'rank' }),
  connectedComponents({ ...TO_PERSON, edge: 'knows', into: { component: 'group', size: 'links' } }),
  triangles({ ...TO_PERSON, edge: 'knows', into: { triangles: 'links', clustering: 'total' } }),
  labelPropagation({ ...TO_PERSON, edge: 'knows', weight: 'weight', iterations: 4, into: 'group' }),
  recommendations({ ...TO_PERSON, edge: 'knows', top: 3, into: { recommended: 'suggested', common: 'links' } }),
  hopCounts({ ...TO_PERSON, edge: 'manages', hops: 2, directed: true, into: 'links' }),
  subtreeSums({ ...TO_PERSON, edge: 'manages', parent: 'boss', of: 'size', into: 'total' }),
  distances({ ...TO_PERSON, edge: 'knows', weight: 'weight', sources: [{ tenant: 'acme', id: 'ann' }], into: 'far' }),
  sqlJob({
    name: 'shares',
    type: 'knows',
    into: { share: 'share' },
    sql: 'SELECT tenant, a, b, CAST(weight AS DOUBLE) / sum(CAST(weight AS DOUBLE)) OVER (PARTITION BY tenant, a) AS share FROM knows',
  }),
]

let bucket: string
let live: object
let duckdb: BatchData
let spark: SparkResults

/** The plan, with every view as a further job. */
function planWithViews(from: readonly string[]): SparkPlan {
  const plan = sparkPlan(world, { from, jobs, validation: true })
  const views = plan.views.map(({ name, schema }) => ({
    name: `${schema ?? 'view'}-${name}`,
    as: `SELECT * FROM ${schema === undefined ? '' : `${schema}.`}"${name}"`,
  }))
  return { ...plan, jobs: [...plan.jobs, { name: 'views', steps: [], results: views }] }
}

beforeAll(async () => {
  bucket = mkdtempSync(join(tmpdir(), 'edgewise-spark-test-'))
  const { store, g } = await filledWorld()
  live = g
  const full = await exportTable(store, 'world', bucket, MOMENTS[0])
  const before = await itemsIn(store, 'world')
  await damageWorld(store)
  const increment = writeExport(bucket, {
    id: '01700000000001-a1b2c3d5',
    since: MOMENTS[0],
    moment: MOMENTS[1],
    files: [changeLines(before, await itemsIn(store, 'world'))],
  })
  const from = [full, increment]
  duckdb = await openBatch(world, { from, threads: 1 })
  const folder = await runSpark(planWithViews(from), { output: join(bucket, 'results') })
  spark = openSparkResults(world, folder)
})

/** The lines of an incremental export between two states of a table. */
function changeLines(before: readonly Item[], after: readonly Item[]): string[] {
  const byKey = (items: readonly Item[]) => new Map(items.map(item => [keyJson(item), itemToJson(item)]))
  const [old, current] = [byKey(before), byKey(after)]
  const changed = [...new Set([...old.keys(), ...current.keys()])].filter(key => old.get(key) !== current.get(key))
  return changed.map(key => `{"Keys":${key}${current.has(key) ? `,"NewImage":${current.get(key)}` : ''}}`)
}

const keyJson = ({ PK, SK }: Item) => itemToJson({ PK: PK!, SK: SK! })

afterAll(() => {
  duckdb.close()
  rmSync(bucket, { recursive: true })
})

async function collected(rows: AsyncIterable<readonly SqlRow[]>): Promise<SqlRow[]> {
  const all: SqlRow[] = []
  for await (const chunk of rows) all.push(...chunk)
  return all
}

/** Rows whose JSON is parsed, whose members have one order, and whose fractions have 9 places. */
const comparable = (rows: readonly SqlRow[]): string[] =>
  rows.map(row =>
    JSON.stringify(row, (name, value) =>
      plain(name === 'item' && typeof value === 'string' ? JSON.parse(value) : value),
    ),
  )

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number' && !Number.isInteger(value)) return Number(value.toFixed(9))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

describe('on Spark', () => {
  it('the same number of items of the same moment is read', () => {
    expect([spark.items, spark.moment]).toEqual([duckdb.items, duckdb.moment])
  })

  it.each(jobs.map(job => [job.name, job] as const))('the job %s has the rows of DuckDB', async (_, job) => {
    const context = programContextOf(duckdb)
    const { steps, result } = job.program(context)
    await runSteps(duckdb.database, steps)
    const targets = targetsOf(context, job)
    const { rows } = resultQueries(context, job, targets, result)
    const expected = await duckdb.rows(changedQuery(context, rows, targets))
    expect(expected.length).toBeGreaterThan(0)
    expect(comparable(await collected(spark.rows(job.name, CHANGES)))).toEqual(comparable(expected))
    const all = await duckdb.rows(allRowsQuery(context, rows))
    expect(comparable(await collected(spark.rows(job.name, ROWS)))).toEqual(comparable(all))
  })

  it.each(sparkPlan(world, { jobs }).views.map(({ name, schema }) => [name, schema] as const))(
    'the view %s has the rows of DuckDB',
    async (name, schema) => {
      const expected = await duckdb.rows(`SELECT * FROM ${schema === undefined ? '' : `${schema}.`}"${name}"`)
      expect(expected.length).toBeGreaterThan(0)
      const found = await collected(spark.rows('views', `${schema ?? 'view'}-${name}`))
      expect(comparable(found).sort()).toEqual(comparable(expected).sort())
    },
  )

  it('a validation finds what it finds with DuckDB', async () => {
    const expected = await findingsOf(duckdb)
    expect(new Set(expected.map(finding => (JSON.parse(finding) as string[])[0])).size).toBeGreaterThan(9)
    expect(await findingsOf(spark)).toEqual(expected)
  })

  it('a validation with the live table confirms what it confirms with DuckDB', async () => {
    const expected = await findingsOf(duckdb, live)
    expect(expected.some(finding => finding.includes('"blocked"'))).toBe(true)
    expect(await findingsOf(spark, live)).toEqual(expected)
  })

  it('a run whose data lacks later writes compares with the live items', async () => {
    const [job] = jobs
    expect(await runJob(live, spark, job!, { dryRun: true })).toEqual(
      await runJob(live, duckdb, job!, { dryRun: true }),
    )
    const stop = () => Promise.reject(new Error('killed'))
    const former = degree({ ...TO_PERSON, edge: 'knows', into: { degree: 'links', total: 'total' } })
    await expect(runJob(live, spark, former)).rejects.toThrow('with other options, targets or SQL')
    await expect(runJob(live, duckdb, former, { progress: stop })).rejects.toThrow('killed')
    const expected = await runJob(live, duckdb, job!, { dryRun: true })
    expect(expected.changed).toBeGreaterThan(0)
    expect(await runJob(live, spark, job!, { dryRun: true })).toEqual(expected)
    expect(await runJob(live, spark, job!)).toMatchObject({ changed: expected.changed })
  })

  it('a failed run leaves no complete results of an earlier run in its output', async () => {
    const output = join(bucket, 'reused')
    cpSync(join(bucket, 'results'), output, { recursive: true })
    const plan = sparkPlan(world, { from: join(bucket, 'missing'), jobs })
    await expect(runSpark(plan, { output })).rejects.toThrow('missing')
    expect(() => openSparkResults(world, output)).toThrow('results.json: it does not exist')
  })
})

async function findingsOf(data: BatchData | SparkResults, opened?: object): Promise<string[]> {
  const found: string[] = []
  await validate(data, {
    live: opened,
    onFinding: ({ code, type, row, name, key, tenant, expected, found: actual }) => {
      found.push(JSON.stringify([code, type, row, name, key, tenant, expected, actual], (_, value) => plain(value)))
    },
  })
  return found.sort()
}
