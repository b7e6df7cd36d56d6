import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { degree, openSparkResults, packageSpark, pageRank, sparkPlan, sqlJob } from '../../../src/batch/index.js'
import { programPath } from '../../../src/batch/spark/program-file.js'
import { findSpark } from '../../../src/batch/spark/run-spark.js'
import { sparkDialect } from '../../../src/batch/spark/spark-dialect.js'
import { parseSparkValue } from '../../../src/batch/spark/spark-value.js'
import { memory } from '../../../src/engine/memory.js'
import { graph, node, open, string } from '../../../src/index.js'
import { itemToJson } from '../../../src/jobs/index.js'
import { itemsIn } from '../export-files.js'
import { world } from './world.js'

const ranking = pageRank({ edge: 'knows', node: 'person', into: 'rank' })

describe('a plan for Spark', () => {
  it('a plan is plain JSON', () => {
    const plan = sparkPlan(world, { from: 's3://bucket/export', jobs: [ranking], validation: true })
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
    expect(structuredClone(plan)).toEqual(plan)
    expect(plan.source).toEqual(['s3://bucket/export'])
    expect(plan.jobs.map(({ name }) => name)).toEqual(['pageRank.knows', '$validation'])
  })

  it('holds the iterations of a job with their end', () => {
    const [job] = sparkPlan(world, { jobs: [ranking] }).jobs
    expect(job!.steps.find(step => 'repeat' in step)).toMatchObject({ times: 100, until: expect.stringMatching(/abs/) })
  })

  it('stops with the message of the job when its query lacks a column', () => {
    const job = sqlJob({ name: 'shares', type: 'knows', into: { share: 'share' }, sql: 'SELECT 1 AS one' })
    const steps = sparkPlan(world, { jobs: [job] }).jobs[0]!.steps
    expect(steps).toContainEqual({
      columns: ['tenant', 'a', 'b', 'share'],
      of: 'edgewise_result',
      message: "job 'shares': the result has no column '{name}', only {columns}; add it.",
    })
  })

  it('rejects two jobs of one name, and no job', () => {
    const other = degree({ name: ranking.name, edge: 'knows', node: 'person', into: 'links' })
    expect(() => sparkPlan(world, { jobs: [ranking, other] })).toThrow("two jobs have the name 'pageRank.knows'")
    expect(() => sparkPlan(world, {})).toThrow('nothing would run')
  })
})

describe('the SQL of Spark', () => {
  it('reads names with dots, quotes and other characters', () => {
    expect(sparkDialect.jsonText('item', ['a.b $', 'S'])).toBe(
      "variant_get(item, concat('$[', chr(39), 'a.b $', chr(39), '][', chr(39), 'S', chr(39), ']'), 'string')",
    )
    expect(sparkDialect.json('item', ["it's"])).toContain('"it')
    expect(() => sparkDialect.json('item', ['\'"'])).toThrow("use the engine 'duckdb'")
  })

  it('has the replacements of Java', () => {
    expect(sparkDialect.replaceAll('x', '([a-z])', '$\\1')).toBe("regexp_replace(x, '([a-z])', concat(chr(92), '$$1'))")
  })
})

describe('values from Spark', () => {
  it.each([
    ['long', '9007199254740991', 9007199254740991],
    ['long', '9007199254740993', 9007199254740993n],
    ['double', '1.0E-5', 0.00001],
    ['boolean', 'true', true],
    ['timestamp', '2026-11-01 00:00:00.123', new Date('2026-11-01T00:00:00.123Z')],
    ['date', '2026-11-01', new Date('2026-11-01T00:00:00Z')],
    ['variant', '{"a":[1]}', { a: [1] }],
    ['string', '12', '12'],
    ['string', undefined, null],
  ])('a %s %s is the value that DuckDB returns', (type, text, value) => {
    expect(parseSparkValue(type, text)).toEqual(value)
  })
})

describe('Spark on this machine', () => {
  it('a missing Spark is reported with the commands that install it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewise-path-'))
    expect(() => findSpark({ PATH: folder })).toThrow(
      "Spark: it is not installed; install Java 17 and run 'pip install pyspark', or set SPARK_HOME.",
    )
    rmSync(folder, { recursive: true })
  })

  it('SPARK_HOME is searched for Spark before PATH', () => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewise-path-'))
    writeFileSync(join(folder, 'spark-submit'), '')
    expect(findSpark({ PATH: folder })).toEqual({ file: join(folder, 'spark-submit'), isPython: false })
    rmSync(folder, { recursive: true })
  })
})

describe('a package for a cluster', () => {
  it('has the program, the plan, and commands for each service', () => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewise-package-'))
    const plan = sparkPlan(world, { from: ['s3://bucket/full', 's3://bucket/monday'], jobs: [ranking] })
    expect(packageSpark(plan, folder)).toEqual(['edgewise_batch.py', 'plan.json', 'README.md'])
    expect(JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'))).toEqual(plan)
    expect(readFileSync(join(folder, 'edgewise_batch.py'), 'utf8')).toBe(readFileSync(programPath(), 'utf8'))
    const readme = readFileSync(join(folder, 'README.md'), 'utf8')
    for (const command of ['aws emr-serverless start-job-run', 'aws emr add-steps', 'aws glue start-job-run'])
      expect(readme).toContain(command)
    expect(readme).toContain('"--from":"s3://bucket/full,s3://bucket/monday"')
    rmSync(folder, { recursive: true })
  })
})

describe('results of Spark', () => {
  const withResults = (document: object | string, use: (folder: string) => void) => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewise-results-'))
    writeFileSync(join(folder, 'results.json'), typeof document === 'string' ? document : JSON.stringify(document))
    use(folder)
    rmSync(folder, { recursive: true })
  }

  it('results are rejected unless the run has ended', () => {
    expect(() => openSparkResults(world, '/nowhere')).toThrow('give the folder of a run on Spark that has ended')
    withResults('{', folder => expect(() => openSparkResults(world, folder)).toThrow('it is not JSON'))
  })

  it('results of another graph are rejected', () => {
    withResults({ fingerprint: 'other' }, folder =>
      expect(() => openSparkResults(world, folder)).toThrow('the results are of a graph with another layout'),
    )
  })

  it('results of a job with other options are rejected', () => {
    const [job] = sparkPlan(world, { jobs: [ranking] }).jobs
    const { fingerprint } = sparkPlan(world, { jobs: [ranking] })
    const jobs = { [ranking.name]: {} }
    withResults({ fingerprint, jobs, definitions: { [ranking.name]: job!.definition } }, folder => {
      const results = openSparkResults(world, folder)
      results.assertDefinition(ranking.name, job!.definition!)
      const weighted = pageRank({ edge: 'knows', node: 'person', into: 'rank', weight: 'weight' })
      const [other] = sparkPlan(world, { jobs: [weighted] }).jobs
      expect(() => results.assertDefinition(ranking.name, other!.definition!)).toThrow(
        "it has the results of the job 'pageRank.knows' with other options, targets or SQL; run the job on Spark again",
      )
    })
  })

  it('results of data with another layout are rejected', async () => {
    const other = node('other', { id: string() }, { id: 'id' })
    const store = memory()
    await open(graph('others', [other]), store)
    const items = await itemsIn(store, 'others')
    const storedLayout = items.map(itemToJson).find(text => text.includes('$edgewise'))
    const { fingerprint } = sparkPlan(world, { jobs: [ranking] })
    withResults({ fingerprint, source: ['s3://bucket/export'], storedLayout }, folder =>
      expect(() => openSparkResults(world, folder)).toThrow('s3://bucket/export: it was written under another layout'),
    )
  })

  it('without the job are rejected with the jobs that they have', async () => {
    const { fingerprint } = sparkPlan(world, { jobs: [ranking] })
    const folder = mkdtempSync(join(tmpdir(), 'edgewise-results-'))
    const document = {
      version: 1,
      fingerprint,
      source: [],
      moment: '2026-11-01T00:00:00.000Z',
      items: 0,
      jobs: { a: {} },
    }
    writeFileSync(join(folder, 'results.json'), JSON.stringify(document))
    await expect(openSparkResults(world, folder).rows('b', 'changes').next()).rejects.toThrow(
      "it has no results of the job 'b', only of the job 'a'; run it on Spark first",
    )
    rmSync(folder, { recursive: true })
  })
})
