import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import {
  bigint,
  binary,
  boolean,
  counter,
  date,
  edge,
  graph,
  integer,
  layout,
  list,
  node,
  number,
  open,
  set,
  string,
  wrap,
} from '../../../src/index.js'
import { type DumpCursor, type DumpOptions, dump } from '../../../src/jobs/dump/dump.js'
import { neptuneOwnerTexts, neptuneTexts } from '../../../src/jobs/dump/neptune.js'
import { csvTexts, jsonTexts, type RowTexts } from '../../../src/jobs/dump/row-texts.js'

const movie = node(
  'movie',
  {
    year: integer(),
    name: string(),
    cast: counter(),
    score: number().optional(),
    gross: bigint().optional(),
    shown: date().optional(),
    colour: boolean().optional(),
    tags: set(string()).optional(),
    acts: list(string()).optional(),
    poster: binary().optional(),
  },
  { id: ['name', 'year'] },
)
const actor = node('actor', { name: string(), born: integer().immutable() }, { id: 'name' })
const role = edge(
  'role',
  { movie, actor },
  { character: string(), since: date().optional() },
  { key: ['character'], count: { movie: 'cast' }, carry: { born: 'actor.born' } },
)
const cinema = graph('cinema', [movie, actor, role])

async function filled() {
  const g = await open(cinema, memory())
  await g.movie.put({
    name: 'Big; "the" #1',
    year: 1988,
    score: 7.3,
    gross: 151_927_281n,
    shown: new Date('1988-06-03T00:00:00Z'),
    colour: true,
    tags: new Set(['fun']),
    acts: ['one', 'two'],
    poster: new Uint8Array([1, 2]),
  })
  await g.actor.put({ name: 'Tom $ Hanks', born: 1956 })
  await g.role.put({
    movie: { name: 'Big; "the" #1', year: 1988 },
    actor: 'Tom $ Hanks',
    character: 'Josh',
    since: new Date('1988-01-02T03:04:05.678Z'),
  })
  return g
}

async function textOf(g: object, texts: RowTexts): Promise<string> {
  const { nodes, edges } = cinema.declared
  const files = new Map([...nodes, ...edges].map(type => [type.name, texts.header(type)]))
  await dump(g, ({ rows }) => {
    for (const row of rows) files.set(row.type.name, files.get(row.type.name)! + texts.line(row))
  })
  return [...files.values()].join('')
}

describe('dump', () => {
  it('writes rows without derived values as JSON lines', async () => {
    expect(await textOf(await filled(), jsonTexts(layout(cinema)))).toBe(
      [
        String.raw`{"type":"movie","year":1988,"name":"Big; \"the\" #1","score":7.3,"gross":"151927281","shown":"1988-06-03T00:00:00.000Z","colour":true,"tags":["fun"],"acts":["one","two"],"poster":"AQI="}`,
        '{"type":"actor","name":"Tom $ Hanks","born":1956}',
        String.raw`{"type":"role","movie":{"name":"Big; \"the\" #1","year":1988},"actor":"Tom $ Hanks","character":"Josh","since":"1988-01-02T03:04:05.678Z"}`,
        '',
      ].join('\n'),
    )
  })

  it('writes rows as CSV tables', async () => {
    expect(await textOf(await filled(), csvTexts(layout(cinema)))).toBe(
      [
        'year,name,score,gross,shown,colour,tags,acts,poster',
        '1988,"Big; ""the"" #1",7.3,151927281,1988-06-03T00:00:00.000Z,true,"[""fun""]","[""one"",""two""]",AQI=',
        'name,born',
        'Tom $ Hanks,1956',
        'movie.name,movie.year,actor,character,since',
        '"Big; ""the"" #1",1988,Tom $ Hanks,Josh,1988-01-02T03:04:05.678Z',
        '',
      ].join('\n'),
    )
  })

  it("writes rows for Neptune's Gremlin loader, with ids of edges and single-valued properties", async () => {
    expect(await textOf(await filled(), neptuneTexts('gremlin'))).toBe(
      [
        '~id,~label,year:Long(single),name:String(single),score:Double(single),gross:String(single),shown:Date(single),colour:Bool(single),tags:String[],acts:String(single),poster:String(single)',
        '"movie#Big; ""the"" $#1#1988",movie,1988,"Big; ""the"" #1",7.3,151927281,1988-06-03T00:00:00Z,true,fun,"[""one"",""two""]",AQI=',
        '~id,~label,name:String(single),born:Long(single)',
        'actor#Tom $$ Hanks,actor,Tom $ Hanks,1956',
        '~id,~from,~to,~label,character:String,since:Date',
        '"role#Big; ""the"" $#1#1988#Tom $$ Hanks#Josh","movie#Big; ""the"" $#1#1988",actor#Tom $$ Hanks,role,Josh,1988-01-02T03:04:05.678Z',
        '',
      ].join('\n'),
    )
  })

  it("writes rows for Neptune's openCypher loader", async () => {
    const text = await textOf(await filled(), neptuneTexts('opencypher'))
    expect(text.split('\n').filter(line => line.startsWith(':'))).toEqual([
      ':ID,:LABEL,year:Long,name:String,score:Double,gross:String,shown:DateTime,colour:Bool,tags:String[],acts:String,poster:String',
      ':ID,:LABEL,name:String,born:Long',
      ':ID,:START_ID,:END_ID,:TYPE,character:String,since:DateTime',
    ])
  })

  it('writes edges from owned nodes to their owners', async () => {
    const shop = node('shop', { id: string() }, { id: 'id' })
    const order = node('order', { no: integer(), note: string() }, { id: 'no', within: shop })
    const line = node('line', { at: integer() }, { id: 'at', within: order })
    const g = await open(graph('shops', [shop, order, line]), memory())
    await g.line.put({ order: { shop: 'a#', no: 7 }, at: 1 })
    const [texts, owners] = [neptuneTexts('gremlin'), neptuneOwnerTexts('gremlin')]
    const seen: string[] = []
    await dump(g, page => {
      for (const row of page.rows) seen.push(owners.header(row.type), owners.line(row), texts.line(row))
    })
    expect(seen).toEqual([
      '~id,~from,~to,~label\n',
      'line.order#a$##7#1,line#a$##7#1,order#a$##7,order\n',
      'line#a$##7#1,line,a#,7,1\n',
    ])
  })

  it('writes ids of any type, with their tenant', async () => {
    const file = node('file', { name: string(), open: boolean(), size: integer() }, { id: ['name', 'open', 'size'] })
    const g = await open(graph('files', [file], { tenant: true }), memory())
    await g.$tenant('a#').file.put({ name: 'b', open: false, size: 3 })
    const seen: string[] = []
    await dump(g, page => void seen.push(...page.rows.map(row => neptuneTexts('gremlin').line(row))))
    expect(seen).toEqual(['a$##file#b#false#3,file,b,false,3\n'])
  })

  it('writes only rows of the selected types', async () => {
    const seen: string[] = []
    await dump(await filled(), ({ rows }) => void seen.push(...rows.map(({ type }) => type.name)), { types: ['actor'] })
    expect(seen).toEqual(['actor'])
  })

  it('rejects an unknown type, and a tenant for a graph without tenants, instead of an empty dump', async () => {
    const g = await filled()
    const codeOf = (opened: object, options: DumpOptions) =>
      dump(opened, () => undefined, options).catch(error => error.code)
    expect(await codeOf(g, { types: ['movie', 'movies'] })).toBe('read.path')
    expect(await codeOf(g, { tenant: 'acme' })).toBe('call.argument')
    const shared = await open(graph('cinema', [actor], { tenant: true }), memory())
    expect(await codeOf(shared, { tenant: '' })).toBe('call.argument')
    expect(await codeOf(shared, { tenant: 'acme' })).toMatchObject({ rows: 0 })
  })

  it('omits deleted items, and reports unreadable and unknown ones', async () => {
    const store = memory()
    const note = node('note', { id: string(), until: date(), pages: integer() }, { id: 'id', expires: 'until' })
    const g = await open(graph('notes', [note]), store)
    await g.note.put({ id: 'kept', until: new Date('2999-01-01'), pages: 1 })
    await g.note.put({ id: 'gone', until: new Date('2001-01-01'), pages: 1 })
    const key = (id: string) => ({ PK: { S: `note#${id}` }, SK: { S: '$' } })
    await store.updateItem({
      TableName: 'notes',
      Key: g.note.keyOf('kept'),
      UpdateExpression: 'SET pages = :s',
      ExpressionAttributeValues: { ':s': { S: 'large' } },
    })
    await store.putItem({ TableName: 'notes', Item: { ...key('x'), PK: { S: 'foreign' } } })
    const failed: unknown[] = []
    const counts = await dump(g, page => void failed.push(...page.failed))
    expect(counts).toMatchObject({ items: 4, rows: 0, unknown: 1, failed: 1 })
    expect(failed).toMatchObject([{ key: g.note.keyOf('kept'), code: 'stored.type' }])
  })

  it('reports unreadable items only of the selected types and tenant', async () => {
    const note = node('note', { id: string(), text: string() }, { id: 'id' })
    const other = node('other', { id: string() }, { id: 'id' })
    const store = memory()
    const g = await open(graph('notes', [note, other], { tenant: true }), store)
    await g.$tenant('acme').note.put({ id: 'a', text: 'x' })
    const Key = g.$tenant('acme').note.keyOf('a')
    await store.updateItem({
      TableName: 'notes',
      Key,
      UpdateExpression: 'SET #t = :n',
      ExpressionAttributeNames: { '#t': 'text' },
      ExpressionAttributeValues: { ':n': { N: '1' } },
    })
    const failedOf = async (options: object) => (await dump(g, () => undefined, options)).failed
    expect(await failedOf({ types: ['note'], tenant: 'acme' })).toBe(1)
    expect(await failedOf({ types: ['other'] })).toBe(0)
    expect(await failedOf({ tenant: 'else' })).toBe(0)
  })

  it('yields no page after a failed one, and ends when all requests have ended', async () => {
    let reading = 0
    const store = wrap(memory(), async (operation, request, options, send) => {
      if (operation !== 'scan') return send(request, options)
      reading++
      await new Promise(resolve => setTimeout(resolve, 5 * (request as { Segment: number }).Segment))
      const answer = await send(request, options)
      reading--
      return answer
    })
    const g = await open(cinema, store, { create: true })
    await g.$batch(Array.from({ length: 40 }, (_, i) => g.actor.put({ name: `${i}`, born: i })))
    let taken = 0
    const take = () => {
      taken++
      throw new Error('the disk is full')
    }
    await expect(dump(g, take, { segments: 4 })).rejects.toThrow('the disk is full')
    expect({ reading, taken }).toEqual({ reading: 0, taken: 1 })
  })

  it('rejects an invalid cursor instead of ending at once', async () => {
    const note = node('note', { id: string() }, { id: 'id' })
    const g = await open(graph('notes', [note]), memory())
    const counts = { items: 0, rows: 0, unknown: 0, failed: 0, units: 0 }
    for (const from of [{}, [], 'place', counts, { ...counts, segments: [] }, { segments: ['begin'] }])
      await expect(dump(g, () => undefined, { from: from as never })).rejects.toMatchObject({ code: 'call.argument' })
  })

  it('resumes at its cursor without duplicates or omissions', async () => {
    const store = memory()
    const note = node('note', { id: string(), text: string() }, { id: 'id' })
    const g = await open(graph('notes', [note]), store)
    const text = 'x'.repeat(10_000)
    await g.$batch(Array.from({ length: 600 }, (_, i) => g.note.put({ id: String(i), text })))
    const seen: string[] = []
    let place: DumpCursor | undefined
    for (let left = 2; ; left = 2) {
      const stop = new AbortController()
      const take = (page: { rows: readonly { row: Record<string, unknown> }[] }, at: DumpCursor) => {
        if (left-- === 0) throw new Error('cut off')
        seen.push(...page.rows.map(({ row }) => row.id as string))
        place = JSON.parse(JSON.stringify(at))
        if (left === 0 && seen.length % 2 === 0) stop.abort(new Error('cut off'))
      }
      const ended = await dump(g, take, { from: place, segments: 3, signal: stop.signal }).catch(error => {
        expect(error.message).toBe('cut off')
      })
      if (ended) break
    }
    expect(seen.length).toBe(600)
    expect(new Set(seen).size).toBe(600)
  })
})
