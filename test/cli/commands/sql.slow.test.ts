import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, integer, node, open, string, wrap } from '../../../src/index.js'
import { exportTable } from '../../batch/export-files.js'
import { CINEMA, commands, endpoint, folderWith } from '../cinema-folder.js'
import { withoutDuckDB, withoutPackage } from '../without-duckdb.js'

const { begin, run } = await commands()

const movie = node('movie', { name: string(), year: integer(), cast: counter() }, { id: 'name' })
const actor = node('actor', { name: string() }, { id: 'name' })
const role = edge('role', { movie, actor }, { character: string() }, { count: { movie: 'cast' } })
const cinema = graph('cinema', [movie, actor, role])

async function filled() {
  const store = memory()
  const g = await open(cinema, store)
  await g.movie.put({ name: 'Big', year: 1988 })
  await g.movie.put({ name: 'Cast Away', year: 2000 })
  await g.actor.put({ name: 'Tom Hanks' })
  await g.role.put({ movie: 'Big', actor: 'Tom Hanks', character: 'Josh, "J"' })
  return store
}

describe('edgewise sql', { timeout: 60_000 }, () => {
  it('prints the rows of an export as a table, CSV, JSON lines and one JSON document', async () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    await exportTable(await filled(), 'cinema', at('export'))
    const sql = (...words: string[]) => run(['sql', at('graph.ts'), '--from', at('export'), ...words])
    const movies = 'select name, year, "cast" from movie order by name'
    expect(await sql(movies)).toMatchObject({
      code: 0,
      errors: '',
      output: 'name       year  cast\nBig        1988  1\nCast Away  2000  0\n',
    })
    const roles = 'select character, null as nothing from role;'
    expect((await sql('--format', 'csv', roles)).output).toBe('character,nothing\n"Josh, ""J""",\n')
    expect((await sql('--format', 'json', movies)).output).toBe(
      '{"name":"Big","year":1988,"cast":1}\n{"name":"Cast Away","year":2000,"cast":0}\n',
    )
    expect(JSON.parse((await sql('--json', movies)).output)).toHaveLength(2)
  })

  it('writes files, Parquet among them', async () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    await exportTable(await filled(), 'cinema', at('export'))
    const sql = (...words: string[]) => run(['sql', at('graph.ts'), '--from', at('export'), ...words])
    const wrote = await sql('--format', 'parquet', '--output', at('movies.parquet'), 'select * from movie;')
    expect(wrote).toMatchObject({ code: 0, output: `Wrote 2 rows to ${at('movies.parquet')}.\n` })
    expect(readFileSync(at('movies.parquet')).subarray(0, 4).toString()).toBe('PAR1')
    const again = await sql(`select name from '${at('movies.parquet')}' order by name`, '--format', 'csv')
    expect(again.output).toBe('name\nBig\nCast Away\n')
  })

  it('a signal stops the read of a table with a message and the exit code of the signal', async () => {
    const inner = memory()
    const g = await open(cinema, inner)
    const name = (i: number) => `${i}${'x'.repeat(900)}`
    await g.$batch(Array.from({ length: 4000 }, (_, i) => g.movie.put({ name: name(i), year: i })))
    let scans = 0
    const slow = wrap(inner, async (operation, request, options, send) => {
      if (operation === 'scan') {
        scans++
        await new Promise(resolve => setTimeout(resolve, 300))
      }
      return send(request, options)
    })
    const { url } = await endpoint(slow)
    const at = folderWith({ 'graph.ts': CINEMA })
    const running = begin(['sql', at('graph.ts'), 'select 1', '--endpoint', url, '--segments', '1'])
    while (scans === 0 && running.process.exitCode === null) await new Promise(resolve => setTimeout(resolve, 5))
    running.process.kill('SIGINT')
    expect(await running.ended).toMatchObject({
      code: 130,
      output: '',
      errors: 'edgewise: a signal stopped the command; run the same command again.\n',
    })
  })

  it('reads a live table with a share of its capacity', async () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    const { url } = await endpoint(await filled())
    const asked = ['sql', at('graph.ts'), 'select count(*) as n from physical.items', '--json', '--read-units', '50']
    expect(JSON.parse((await run([...asked, '--endpoint', url])).output)).toEqual([{ n: 5 }])
    expect(await run([...asked, '--endpoint', url, '--table', 'none'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining("table 'none': the table does not exist"),
    })
  })

  it('names the command that installs DuckDB where it is missing', async () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    await exportTable(await filled(), 'cinema', at('export'))
    expect(await run(['sql', at('graph.ts'), '--from', at('export'), 'select 1'], withoutDuckDB())).toMatchObject({
      code: 1,
      errors: expect.stringContaining("is not installed; run 'npm install @duckdb/node-api@^1.5.6-r.1'"),
    })
  })

  it('names the command that installs the S3 client where a source needs it', async () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    const words = ['sql', at('graph.ts'), '--from', 's3://backups/nightly', 'select 1']
    expect(await run(words, withoutPackage('@aws-sdk/client-s3'))).toMatchObject({
      code: 1,
      errors: expect.stringContaining("is not installed; run 'npm install @aws-sdk/client-s3'"),
    })
  })

  it('reports an invalid statement, an invalid source and an invalid option', async () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    await exportTable(await filled(), 'cinema', at('export'))
    const sql = (...words: string[]) => run(['sql', at('graph.ts'), ...words])
    const wrong = await sql('--from', at('export'), 'select nothing from movie')
    expect(wrong).toMatchObject({ code: 1, errors: expect.stringContaining('(batch.sql)') })
    expect(wrong.errors).not.toContain('Unexpected error')
    expect(await sql('--from', at('nowhere'), 'select 1')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('it does not exist'),
    })
    expect(await sql('--from', at('export'), '--format', 'parquet', 'select 1')).toMatchObject({ code: 2 })
    expect(await sql('--from', at('export'), '--read-units', '0', 'select 1')).toMatchObject({ code: 2 })
  })
})
