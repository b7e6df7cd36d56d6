import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { bigint, binary, graph, node, open, set, string } from '../../../src/index.js'
import { csvLine } from '../../../src/jobs/dump/texts.js'
import { type FailedRow, load } from '../../../src/jobs/load/load.js'
import { lines, source } from './sources.js'

const attributes = {
  id: string(),
  vast: bigint().optional(),
  bytes: binary().optional(),
  tags: set(bigint()).optional(),
}
const things = graph('things', [node('thing', attributes, { id: 'id' })])

/** What a row with this value is refused with, in a file of JSON lines and in a table. */
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
  ['vast', 'x', 'x', "value.type: vast: give a whole number instead of 'x'"],
  ['vast', '1.5', '1.5', "value.type: vast: give a whole number instead of '1.5'"],
  ['bytes', '#', '#', "value.type: bytes: give bytes as a text of base64 instead of '#'"],
  ['tags', 'x', 'x', "value.type: tags: give a list of JSON instead of 'x'"],
  ['tags', ['x'], '["x"]', "value.type: tags: give a whole number instead of 'x'"],
  ['tags', [], '[]', 'value.set: tags: give a list with members, or leave it out, instead of Array'],
])('who writes a file is told in its own words what to give: %s %j', async (name, value, cell, words) => {
  expect(await refusals(name, value, cell)).toEqual([words, words])
})
