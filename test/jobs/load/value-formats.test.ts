import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { bigint, binary, date, graph, node, open, set, string } from '../../../src/index.js'
import { csvLine } from '../../../src/jobs/dump/row-texts.js'
import { type FailedRow, load } from '../../../src/jobs/load/load.js'
import { lines, source } from './sources.js'

const attributes = {
  id: string(),
  vast: bigint().optional(),
  bytes: binary().optional(),
  tags: set(bigint()).optional(),
}
const things = graph('things', [node('thing', attributes, { id: 'id' })])

/** Returns the errors for a row with this value, in JSON lines and in CSV. */
async function refusals(name: string, value: unknown, cell: string): Promise<readonly string[]> {
  const failed: FailedRow[] = []
  const sources = [
    source('a', 'json', lines({ type: 'thing', id: '1', [name]: value })),
    source('b', 'csv', `id,${name}\n${csvLine(['1', cell])}`, { type: 'thing' }),
  ]
  await load(await open(things, memory()), sources, { failed: rows => void failed.push(...rows) })
  return failed.map(({ code, message }) => `${code}: ${message}`)
}

it.each([
  ['vast', 'x', 'x', "value.type: vast: 'x' is not accepted; give an integer."],
  ['vast', '1e999999999', '1e999999999', "value.type: vast: '1e999999999' is not accepted; give an integer."],
  ['vast', '1.5', '1.5', "value.type: vast: '1.5' is not accepted; give an integer."],
  ['bytes', '#', '#', "value.type: bytes: '#' is not accepted; give bytes as a base64 string."],
  ['tags', 'x', 'x', "value.type: tags: 'x' is not accepted; give a JSON array."],
  ['tags', ['x'], '["x"]', "value.type: tags: 'x' is not accepted; give an integer."],
  ['tags', [], '[]', 'value.set: tags: Array is not accepted; give an array with elements, or leave it out.'],
])('errors describe the expected value in terms of the file format: %s %j', async (name, value, cell, words) => {
  expect(await refusals(name, value, cell)).toEqual([words, words])
})

it('accepts integers and times in the formats of databases and spreadsheets', async () => {
  const thing = node('thing', { id: string(), vast: bigint(), at: date() }, { id: 'id' })
  const g = await open(graph('things', [thing]), memory())
  const written = ['2020-01-31 12:00:00+00', '2020-01-31 14:00:00.5+02', '2020-01-31T12:00:00-0530', '2020-01-31']
  const numbers = ['1e3', '5.0', '123456789012345680000', '-7']
  const cells = written.map((at, i) => csvLine([`c${i}`, numbers[i]!, at]))
  const rows =
    '{"id":"j0","vast":100000000000000000000,"at":"2020-01-31 12:00+00"}\n{"id":"j1","vast":1e20,"at":"2020-01-31"}\n'
  const sources = [
    source('a', 'csv', ['id,vast,at', ...cells].join('\n'), { type: 'thing' }),
    source('b', 'json', rows, { type: 'thing' }),
  ]
  expect(await load(g, sources)).toMatchObject({ written: 6, failed: 0 })
  const found = await g.thing.many(['c0', 'c1', 'c2', 'c3', 'j0', 'j1'])
  expect(found.map(row => [row?.vast, row?.at.toISOString()])).toEqual([
    [1000n, '2020-01-31T12:00:00.000Z'],
    [5n, '2020-01-31T12:00:00.500Z'],
    [123456789012345680000n, '2020-01-31T17:30:00.000Z'],
    [-7n, '2020-01-31T00:00:00.000Z'],
    [10n ** 20n, '2020-01-31T12:00:00.000Z'],
    [10n ** 20n, '2020-01-31T00:00:00.000Z'],
  ])
})
