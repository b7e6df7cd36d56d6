import { appendFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { wrap } from '../../../src/index.js'
import { CINEMA, commands, endpoint, folderWith } from '../cinema-folder.js'

const { run } = await commands()

describe('edgewise verify and repair', { timeout: 60_000 }, () => {
  it('verify reports inconsistencies, and repair fixes them', async () => {
    const { url, store } = await endpoint()
    const at = folderWith({ 'graph.ts': CINEMA, 'movie.csv': 'name,year\nBig,1988\nJaws,1975\n' })
    const to = [at('graph.ts'), '--endpoint', url]
    await run(['deploy', ...to, '--yes'])
    await run(['load', at('graph.ts'), at('movie.csv'), '--endpoint', url])
    const whole = await run(['verify', ...to])
    expect(whole).toMatchObject({ code: 0, errors: '' })
    expect(whole.output).toMatch(/^cinema has no inconsistencies: \d+ items read\.\n$/)

    const Item = { PK: { S: 'movie#Ghost' }, SK: { S: 'role#Nobody' }, _type: { S: 'role' }, character: { S: 'x' } }
    await store.putItem({ TableName: 'cinema', Item })
    const found = await run(['verify', ...to])
    expect(found).toMatchObject({
      code: 1,
      errors: 'verify: the table has inconsistencies; run `edgewise repair` with the same options to repair them.\n',
    })
    expect(found.output).toContain('1 × index.stale: the index keys of an item differ from its values\n')
    expect(found.output).toContain('2 × edge.dangling: an edge leads to a node that does not exist')

    const told = await run(['repair', ...to, '--json'])
    expect(told.code).toBe(1)
    expect(JSON.parse(told.output)).toMatchObject({
      table: 'cinema',
      repaired: 1,
      faults: { 'index.stale': 1, 'edge.dangling': 2 },
    })
    await store.deleteItem({ TableName: 'cinema', Key: { PK: Item.PK, SK: Item.SK } })
    expect(await run(['verify', ...to, '--type', 'movie', '--id', 'Big'])).toMatchObject({ code: 0, errors: '' })
    const none = await run(['verify', ...to, '--type', 'movie', '--id', 'Bog'])
    expect(none).toMatchObject({ code: 0, output: "No movie 'Bog' and no edge of it was found.\n" })
  })

  it('verify and repair create no folder', async () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    for (const [name, ...more] of [['verify'], ['repair'], ['backfill'], ['dump', at('rows')]] as const) {
      const { code, errors } = await run([name, at('graph.ts'), ...more, '--path', at('dtaa')])
      expect({ code, errors }).toEqual({
        code: 1,
        errors: expect.stringContaining("table 'cinema': the table does not exist"),
      })
    }
    expect(existsSync(at('dtaa'))).toBe(false)
  })

  it('verify and repair do not change a folder without edgewise data', async () => {
    const at = folderWith({ 'graph.ts': CINEMA, 'a.jpg': 'x' })
    mkdirSync(at('empty'))
    for (const folder of ['', 'empty']) {
      const path = ['--path', at(folder)]
      for (const [name, ...more] of [['verify'], ['repair'], ['backfill'], ['dump', at('rows')]] as const) {
        const { code, errors } = await run([name, at('graph.ts'), ...more, ...path])
        expect({ code, errors }).toEqual({
          code: 1,
          errors: expect.stringContaining("table 'cinema': the table does not exist"),
        })
      }
      const shown = await run(['deploy', at('graph.ts'), '--dry-run', ...path])
      expect(shown).toMatchObject({ code: 0, output: expect.stringMatching(/^cinema: does not exist yet, /) })
    }
    expect([readdirSync(at('')), readdirSync(at('empty'))]).toEqual([['a.jpg', 'empty', 'graph.ts'], []])
  })

  it('verify rejects a file in place of a folder', async () => {
    const at = folderWith({ 'graph.ts': CINEMA, data: 'x' })
    expect(await run(['verify', at('graph.ts'), '--path', at('data')])).toMatchObject({
      code: 1,
      errors: `${at('data')}: the data folder cannot be opened (the path is a file); use a folder that this process can write.\n`,
    })
  })

  it('verify and repair reject an empty path, such as that of an unset variable', async () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    const errors = "error: option '--path <folder>' argument '' is invalid. Give the path of a folder.\n"
    for (const command of [['verify', at('graph.ts')], ['load', at('graph.ts'), at('rows.jsonl')], ['serve']])
      expect(await run([...command, '--path', ''])).toMatchObject({ code: 2, errors: expect.stringContaining(errors) })
  })

  it('verify reports faults from before an interruption too, and continues only the same run', async () => {
    const inner = memory()
    let isCut = true
    const failing = wrap(inner, async (operation, request, options, send) => {
      const isLater = operation === 'scan' && 'ExclusiveStartKey' in request
      if (isCut && isLater) throw Object.assign(new Error('no'), { name: 'ValidationException' })
      return send(request, options)
    })
    const { url } = await endpoint(failing)
    const at = folderWith({ 'graph.ts': CINEMA })
    const to = [at('graph.ts'), '--endpoint', url, '--json']
    await run(['deploy', ...to, '--yes'])
    for (let i = 0; i < 300; i++) {
      const Item = { PK: { S: `movie#${i}` }, SK: { S: 'role#Nobody' }, _type: { S: 'role' }, character: { S: 'x' } }
      await inner.putItem({ TableName: 'cinema', Item })
    }
    const words = ['verify', ...to, '--checkpoint', at('state')]
    expect(await run(words)).toMatchObject({ code: 1, output: '' })
    isCut = false
    const other = await run(['repair', ...to, '--checkpoint', at('state')])
    expect(other.errors).toMatch(/state: the checkpoint belongs to another interrupted run/)
    // An entry after the checkpoint, from a run that was killed there, is reported once.
    appendFileSync(at('state.found'), '{"code":"edge.dan')
    const rest = JSON.parse((await run(words)).output)
    expect([existsSync(at('state')), existsSync(at('state.found'))]).toEqual([false, false])
    const whole = JSON.parse((await run(words)).output)
    const { found } = whole as { found: object[] }
    expect(rest).toEqual({ ...whole, found: expect.arrayContaining(found) })
    expect([rest.found.length, found.length]).toEqual([900, 900])
    expect(whole.faults).toMatchObject({ 'edge.dangling': 600 })
  })

  it('verify reports rows with values that JSON does not have', async () => {
    const { url, store } = await endpoint()
    const text = CINEMA.replaceAll('integer', 'bigint')
    expect(text).not.toBe(CINEMA)
    const at = folderWith({ 'graph.ts': text, 'movie.csv': 'name,year\nBig,1988\n' })
    const to = [at('graph.ts'), '--endpoint', url]
    await run(['deploy', ...to, '--yes'])
    await run(['load', at('graph.ts'), at('movie.csv'), '--endpoint', url])
    const Key = { PK: { S: 'movie#Big' }, SK: { S: '#' } }
    const wrong = { UpdateExpression: 'SET #c = :n', ExpressionAttributeNames: { '#c': 'cast' } }
    await store.updateItem({ TableName: 'cinema', Key, ...wrong, ExpressionAttributeValues: { ':n': { N: '7' } } })
    const found = await run(['verify', ...to])
    expect(found.code).toBe(1)
    expect(found.output).toMatch(/^counter\.drift movie \{"name":"Big","year":"1988"/)
  })

  it('verify reports the identity and the beginning of a large row', async () => {
    const graph = `
import { edge, graph, node, string } from 'edgewise'
const page = node('page', { text: string(), site: string(), path: string() }, { id: ['site', 'path'] })
export default graph('pages', [page, edge('links', { from: page, to: page }, { text: string(), rel: string() }, { key: ['rel'] })])
`
    const [path, text] = ['p'.repeat(150), 't'.repeat(90_000)]
    const [from, to] = [
      { site: 'a', path },
      { site: 'b', path },
    ]
    const rows = [
      { type: 'page', text, ...from },
      { type: 'links', text, rel: 'next', from, to },
    ]
    const at = folderWith({ 'graph.ts': graph, 'rows.jsonl': rows.map(row => JSON.stringify(row)).join('\n') })
    await run(['load', at('graph.ts'), at('rows.jsonl'), '--path', at('data')])
    const { output } = await run(['verify', at('graph.ts'), '--path', at('data')])
    const [line] = output.split('\n')
    const told = JSON.stringify({ from, to, rel: 'next' }).slice(0, -1)
    expect(line).toMatch(new RegExp(`^edge\\.dangling links ${told}.{1,9}… to$`))
    const { output: json } = await run(['verify', at('graph.ts'), '--path', at('data'), '--json'])
    expect(JSON.parse(json).found[0].row.text).toBe(text)
  })

  it.each([
    ['bill', '3392'],
    ['day', '2024-02-29'],
    ['page', '{"bill":3392,"at":"2024-02-29T10:00:00Z"}'],
  ])('verify accepts a %s by its id %s, with parts of any type', async (type, id) => {
    const graph = `
import { date, graph, integer, node } from 'edgewise'
const bill = node('bill', { no: integer() }, { id: 'no' })
const day = node('day', { at: date() }, { id: 'at' })
const page = node('page', { at: date() }, { id: 'at', within: bill })
export default graph('bills', [bill, day, page])
`
    const rows = `{"type":"bill","no":3392}
{"type":"day","at":"2024-02-29"}
{"type":"page","bill":3392,"at":"2024-02-29T10:00:00Z"}
`
    const at = folderWith({ 'graph.ts': graph, 'rows.jsonl': rows })
    const to = ['--path', at('data')]
    await run(['load', at('graph.ts'), at('rows.jsonl'), ...to])
    const ended = await run(['verify', at('graph.ts'), '--type', type, '--id', id, ...to])
    expect(ended).toMatchObject({ code: 0, errors: '' })
    expect(ended.output).toMatch(/^bills has no inconsistencies: [12] items? read/)
  })

  it('verify names the parts of an id that is given as text', async () => {
    const graph = `
import { graph, integer, node, string } from 'edgewise'
export default graph('bills', [node('bill', { year: integer(), no: string() }, { id: ['year', 'no'] })])
`
    const at = folderWith({ 'graph.ts': graph, 'rows.jsonl': '{"type":"bill","year":2026,"no":"1"}' })
    const to = ['--path', at('data')]
    await run(['load', at('graph.ts'), at('rows.jsonl'), ...to])
    const ended = await run(['verify', at('graph.ts'), '--type', 'bill', '--id', '2026/1', ...to])
    expect(ended.errors).toBe(
      `--id 2026/1: this is not JSON of the parts of the id; use the form '{"year":…,"no":…}'.\n`,
    )
    const number = await run(['verify', at('graph.ts'), '--type', 'bill', '--id', '2026', ...to])
    expect(number.errors).toBe(
      `--id 2026: this is not JSON of the parts of the id; use the form '{"year":…,"no":…}'.\n`,
    )
  })

  it('verify reports the tenant of a fault, and the owner of a nested node', async () => {
    const graph = `
import { edge, graph, node, string } from 'edgewise'
const team = node('team', { key: string() }, { id: 'key' })
const task = node('task', { no: string() }, { id: 'no', within: team })
export default graph('teams', [team, task, edge('next', { before: task, after: task })], { tenant: true })
`
    const rows = '{"type":"next","tenant":"acme","before":{"team":"a","no":"1"},"after":{"team":"a","no":"2"}}'
    const at = folderWith({ 'graph.ts': graph, 'rows.jsonl': rows })
    const to = ['--path', at('data')]
    await run(['load', at('graph.ts'), at('rows.jsonl'), ...to])
    const { output } = await run(['verify', at('graph.ts'), ...to])
    const next = '{"before":{"team":"a","no":"1"},"after":{"team":"a","no":"2"}}'
    expect(output.split('\n').slice(0, 2)).toEqual(
      ['before', 'after'].map(end => `edge.dangling next ${next} ${end}, tenant acme`),
    )
    expect(JSON.parse((await run(['verify', at('graph.ts'), '--json', ...to])).output)).toMatchObject({
      found: [{ tenant: 'acme' }, { tenant: 'acme' }],
    })
    const one = ['verify', at('graph.ts'), '--type', 'task', ...to]
    const within = `use the form '{"team":…,"no":…}'`
    expect((await run([...one, '--id', '1'])).errors).toBe(
      `--id 1: this is not JSON of the parts of the id; ${within}.\n`,
    )
    const alone = await run([...one, '--id', '{"team":"a","no":"1"}'])
    expect(alone.errors).toContain("id: the graph has tenants, but 'tenant' is missing; add the tenant of the node.")
  })

  it.each([
    [['verify', 'none.ts'], 1, / does not exist/],
    [['verify', 'graph.ts', '--id', 'x', '--path', 'data'], 2, /add --type/],
    [['verify', 'graph.ts', '--path', 'data'], 1, /table 'cinema': the table does not exist; run `edgewise deploy/],
    [['repair', 'graph.ts', '--path', 'data'], 1, /table 'cinema': the table does not exist; run `edgewise deploy/],
    [
      ['verify', 'graph.ts', '--type', 'movi', '--path', 'data'],
      1,
      /^--type: the graph has no type 'movi'; use one of movie, actor, role\./,
    ],
    [['repair', 'graph.ts', '--endpoint', 'http://127.0.0.1:9'], 1, /^http:\/\/127\.0\.0\.1:9: the connection failed /],
    [['repair'], 2, /missing required argument/],
  ])('verify and repair reject %s', async (words, code, errors) => {
    const at = folderWith({ 'graph.ts': CINEMA })
    const named = words.map(word => (/\.ts$|^data$/.test(word) ? at(word) : word))
    const ended = await run(named)
    expect(ended).toMatchObject({ code, output: '' })
    expect(ended.errors).toMatch(errors)
  })
})
