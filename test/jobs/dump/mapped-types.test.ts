import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { date, graph, layout, list, node, number, open, string } from '../../../src/index.js'
import { dump } from '../../../src/jobs/dump/dump.js'
import { neptuneTexts } from '../../../src/jobs/dump/neptune.js'
import { csvTexts, jsonTexts } from '../../../src/jobs/dump/row-texts.js'
import { type FailedRow, load } from '../../../src/jobs/load/load.js'
import { computed, encrypted, mapped } from '../../../src/schema/transformed/index.js'
import { source } from '../load/sources.js'

const keys = { one: new Uint8Array(32).fill(1) }
const day = mapped(date(), {
  write: (text: string) => new Date(text),
  read: stored => stored.toISOString().slice(0, 10),
})
const bits = mapped(number(), { write: (value: boolean) => Number(value), read: stored => stored === 1 })
const name = string()
const thing = node(
  'thing',
  {
    id: string(),
    name,
    key: computed(string(), { name }, row => row.name.toLowerCase()),
    day: day.optional(),
    days: list(day).optional(),
    is: bits,
    secret: encrypted(string(), { keys, current: 'one', context: 'thing.secret' }),
  },
  { id: 'id', by: { key: { in: ['key'] } } },
)
const things = graph('things', [thing])
const rows = [
  { id: '1', name: 'Ann', day: '2026-01-02', days: ['2026-01-02', '2026-03-04'], is: true, secret: 'hush' },
  { id: '2', name: 'Bob', is: false, secret: '' },
]

describe('rows with mapped attributes', () => {
  it.each([
    ['json', jsonTexts],
    ['csv', csvTexts],
  ] as const)('mapped attributes are dumped as stored, and loaded, by %s', async (format, textsOf) => {
    const g = await open(things, memory())
    for (const row of rows) await g.thing.put(row)
    const texts = textsOf(layout(things))
    let text = ''
    await dump(g, page => {
      for (const row of page.rows) text += (text === '' ? texts.header(row.type) : '') + texts.line(row)
    })
    expect(text).not.toContain('hush')
    expect(text).not.toContain('ann')
    const again = await open(things, memory())
    const failed: unknown[] = []
    await load(again, [source('thing', format, text, { type: 'thing' })], { failed: each => void failed.push(...each) })
    expect(failed).toEqual([])
    const found = await again.thing.many(['1', '2'])
    expect(found.map(row => row && { ...row, secret: row.secret.value })).toEqual([
      { ...rows[0], key: 'ann' },
      { ...rows[1], key: 'bob' },
    ])
  })

  it('rows with mapped attributes are written for Neptune in their stored form', async () => {
    const g = await open(things, memory())
    await g.thing.put(rows[0]!)
    const texts = neptuneTexts('opencypher')
    let text = ''
    await dump(g, page => {
      for (const row of page.rows) text += texts.header(row.type) + texts.line(row)
    })
    const [header = '', line = ''] = text.split('\n')
    expect(header).toBe(':ID,:LABEL,id:String,name:String,day:DateTime,days:String,is:Double,secret:String')
    expect(line).toMatch(/^thing#1,thing,1,Ann,2026-01-02T00:00:00Z,"\[.*\]",1,[\w+/=]+$/)
  })

  it('a dump of mapped attributes is rejected with the name of an unreadable attribute', async () => {
    const g = await open(things, memory())
    const failed: FailedRow[] = []
    const text =
      '{"id":"1","name":"A","day":"never","is":1,"secret":"AA=="}\n{"id":"2","name":"B","is":5,"secret":"hush"}\n'
    await load(g, [source('thing', 'json', text, { type: 'thing' })], { failed: each => void failed.push(...each) })
    expect(failed.map(({ code }) => code)).toEqual(['load.row', 'load.row'])
    expect(failed.map(({ message }) => message.split(': ')[0])).toEqual(['day', 'secret'])
    expect(await g.thing.scan().all()).toEqual([])
  })
})
