import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pageRank, sparkPlan } from '../../../src/batch/index.js'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, layout, node, open, string, summary } from '../../../src/index.js'
import { itemToJson } from '../../../src/jobs/index.js'
import { commands, endpoint, folderWith } from '../cinema-folder.js'
import { withoutDuckDB } from '../without-duckdb.js'

const { run } = await commands()

const SOCIAL = `
import { edge, graph, node, string, summary } from 'edgewise'
import { pageRank } from 'edgewise/batch'
const user = node('user', { id: string(), rank: summary() }, { id: 'id' })
const follow = edge('follow', { follower: user, followed: user })
export default graph('social', [user, follow])
export const ranking = pageRank({ edge: 'follow', node: 'user', into: 'rank' })
`
const user = node('user', { id: string(), rank: summary() }, { id: 'id' })
const follow = edge('follow', { follower: user, followed: user })
const social = graph('social', [user, follow])

async function filled() {
  const store = memory()
  const g = await open(social, store)
  for (const id of ['ann', 'bob']) await g.user.put({ id })
  return { store, g }
}

const key = (id: string) => ({ PK: { S: `user#${id}` }, SK: { S: '#' } })
const COLUMNS = [
  { name: 'pk', type: 'string' },
  { name: 'sk', type: 'string' },
  { name: 'rank', type: 'double' },
  { name: 'item', type: 'string' },
]

const plan = sparkPlan(social, { jobs: [pageRank({ edge: 'follow', node: 'user', into: 'rank' })] })

/** The folder that a run on Spark writes. */
function resultsFolder(lines: readonly object[]): string {
  const at = folderWith({
    'results.json': JSON.stringify({
      version: 1,
      fingerprint: layout(social).fingerprint,
      source: ['s3://bucket/export'],
      moment: '2026-11-01T00:00:00.000Z',
      items: 3,
      jobs: { 'pageRank.follow': { changes: { folder: '0-changes', columns: COLUMNS, rows: 2 } } },
      definitions: { 'pageRank.follow': plan.jobs[0]!.definition },
    }),
  })
  mkdirSync(at('0-changes'))
  writeFileSync(at('0-changes/part-00000.json'), lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  return at('.')
}

async function ranks(store: ReturnType<typeof memory>) {
  const lines = []
  for (const [id, rank] of [
    ['ann', '0.25'],
    ['bob', '0.75'],
  ] as const) {
    const { Item } = await store.getItem({ TableName: 'social', Key: key(id) })
    lines.push({ pk: `user#${id}`, sk: '#', rank, item: itemToJson(Item!) })
  }
  return lines
}

describe('edgewise batch on Spark', { timeout: 60_000 }, () => {
  it('writes the results of a run back, once and without DuckDB', async () => {
    const at = folderWith({ 'graph.ts': SOCIAL })
    const { store, g } = await filled()
    const { url } = await endpoint(store)
    const results = resultsFolder(await ranks(store))
    const batch = (...words: string[]) =>
      run(['batch', at('graph.ts'), 'ranking', '--results', results, '--endpoint', url, ...words], withoutDuckDB())
    expect((await batch('--dry-run')).output).toMatch(/^pageRank\.follow would change 2 rows: /)
    expect(await batch()).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^pageRank\.follow changed 2 rows: /),
    })
    expect((await g.user.get('bob'))!.rank).toBe(0.75)
    expect((await batch()).output).toBe('pageRank.follow ran with this data before; nothing was written.\n')
  })

  it('rejects results with a missing line', async () => {
    const at = folderWith({ 'graph.ts': SOCIAL })
    const { store } = await filled()
    const { url } = await endpoint(store)
    const results = resultsFolder((await ranks(store)).slice(1))
    const words = ['batch', at('graph.ts'), 'ranking', '--results', results, '--endpoint', url, '--dry-run']
    const { code, errors } = await run(words)
    expect(code).toBe(1)
    expect(errors).toContain('it has 1 rows instead of 2; download the results again. (batch.source)')
  })

  it('says how to install Spark', async () => {
    const at = folderWith({ 'graph.ts': SOCIAL })
    const { url } = await endpoint((await filled()).store)
    const words = ['batch', at('graph.ts'), 'ranking', '--engine', 'spark', '--endpoint', url]
    const environment = { PATH: at('.'), SPARK_HOME: '' }
    expect(await run([...words, '--from', at('export')], environment)).toMatchObject({
      code: 1,
      errors:
        "Spark: it is not installed; install Java 17 and run 'pip install pyspark', or set SPARK_HOME. (batch.spark)\n",
    })
    expect(await run(words)).toMatchObject({
      code: 2,
      errors: '--engine spark: Spark reads an export and not a table; add --from.\n',
    })
    const verify = await run(['verify', at('graph.ts'), '--engine', 'spark', '--endpoint', url])
    expect(verify.errors).toContain('add --from')
  })

  it('writes a package with jobs and a validation', async () => {
    const at = folderWith({ 'graph.ts': SOCIAL })
    const words = ['batch', 'package', at('graph.ts'), 'ranking', '--validation', '--out', at('job')]
    const { code, output, errors } = await run([...words, '--from', 's3://bucket/export'], withoutDuckDB())
    expect([code, errors]).toEqual([0, ''])
    expect(output).toBe(
      `Wrote edgewise_batch.py, plan.json, README.md to ${at('job')}. README.md has the commands that run it.\n`,
    )
    const plan = JSON.parse(readFileSync(at('job/plan.json'), 'utf8'))
    expect(plan.source).toEqual(['s3://bucket/export'])
    expect(plan.jobs.map(({ name }: { name: string }) => name)).toEqual(['pageRank.follow', '$validation'])
    expect((await run(['batch', 'package', at('graph.ts'), '--out', at('none')])).errors).toContain('nothing would run')
  })
})
