import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBatch } from '../../src/batch/index.js'
import { changeLine, itemLine } from '../../src/dynamodb/export/lines.js'
import type { Item } from '../../src/dynamodb/index.js'
import { graph, node, string } from '../../src/index.js'
import { writeExport } from './export-files.js'

const things = graph('things', [node('thing', { id: string(), name: string().optional() }, { id: 'id' })])

const thing = (id: string, more: Item = {}): Item => ({
  PK: { S: `thing#${id}` },
  SK: { S: '#' },
  _type: { S: 'thing' },
  ...more,
})

/** Every type of DynamoDB, and texts and numbers that formats disagree about. */
const ITEMS: readonly Item[] = [
  thing('a', { name: { S: 'it\'s "q" \\ \n \u2028 {{x}} // é 😀' }, price: { N: `0.${'0'.repeat(129)}1` } }),
  thing('b', { name: { S: '2026-11-01T00:00:00Z' }, big: { N: '12345678901234567890123456789012345678' } }),
  thing('c', { bytes: { B: Uint8Array.of(0, 255, 7) }, yes: { BOOL: true }, none: { NULL: true } }),
  thing('d', { list: { L: [{ S: 'x' }, { M: { 'a b': { N: '600' } } }, { L: [] }] }, empty: { S: '' } }),
  thing('e', { ss: { SS: ['x', 'y'] }, ns: { NS: ['-0.5', '1000'] }, bs: { BS: [Uint8Array.of(1)] }, null: { M: {} } }),
]

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-ion-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The physical items of exports, with numbers by their value. */
async function itemsOf(from: readonly string[]) {
  await using data = await openBatch(things, { from, threads: 1 })
  const rows = await data.rows('SELECT * FROM physical.items ORDER BY pk')
  return { rows: JSON.parse(JSON.stringify(rows), numbersByValue), moment: data.moment, items: data.items }
}

/** Ion writes `600` as `6d2`, which DynamoDB reads as the same number. */
const numbersByValue = (name: string, value: unknown) =>
  name === 'N' ? Number(value) : name === 'NS' ? (value as string[]).map(Number) : value

const FORMATS = ['DYNAMODB_JSON', 'ION'] as const
const moment = '2026-11-01T00:00:00Z'

describe('an export in Ion', () => {
  it('has the same items as one in DynamoDB JSON', async () => {
    const [json, ion] = await Promise.all(
      FORMATS.map(format => {
        const lines = ITEMS.map(item => itemLine(item, format).trimEnd())
        const bucket = join(folder, format)
        return itemsOf([writeExport(bucket, { format, moment, files: [lines.slice(0, 2), lines.slice(2), []] })])
      }),
    )
    expect(json!.items).toBe(ITEMS.length)
    expect(ion).toEqual(json)
  })

  it('can be followed by incremental exports, as one in DynamoDB JSON', async () => {
    const changes = [
      { keys: { PK: { S: 'thing#a' }, SK: { S: '#' } }, writtenMicros: 1, oldImage: ITEMS[0], newImage: undefined },
      { keys: { PK: { S: 'thing#b' }, SK: { S: '#' } }, writtenMicros: 2, newImage: thing('b', { name: { S: 'B' } }) },
      { keys: { PK: { S: 'thing#f' }, SK: { S: '#' } }, writtenMicros: 3, newImage: thing('f') },
    ]
    const [json, ion] = await Promise.all(
      FORMATS.map(format => {
        const bucket = join(folder, format)
        const full = ITEMS.map(item => itemLine(item, format).trimEnd())
        const increment = changes.map(change => changeLine(change, format).trimEnd())
        const later = { id: 'increment', since: moment, moment: '2026-11-02T00:00:00Z' }
        return itemsOf([
          writeExport(bucket, { format, moment, files: [full] }),
          writeExport(bucket, { ...later, format, files: [increment] }),
        ])
      }),
    )
    expect(json!.items).toBe(ITEMS.length)
    expect(ion).toEqual(json)
  })

  it('an export in Ion is read as DynamoDB documents it', async () => {
    const line = `$ion_1_0 {Item:{PK:"thing#z",SK:"#",_type:"thing",name:"Z",tags:$dynamodb_SS::["a"],n:6d2,b:{{AQI=}}}}`
    await using data = await openBatch(things, { from: writeExport(folder, { format: 'ION', files: [[line]] }) })
    expect(await data.rows('SELECT * FROM thing')).toEqual([{ id: 'z', name: 'Z' }])
    const [{ item } = {}] = await data.rows('SELECT item FROM physical.items')
    expect(item).toMatchObject({ tags: { SS: ['a'] }, b: { B: 'AQI=' } })
  })

  it.each([
    ['a line that is not Ion', ['$ion_1_0 {Item:{PK:'], 'line 1: the line is not an item in Ion text'],
    ['a line of something else', ['{foo:"bar"}'], 'line 1: the line has no Item'],
    ['too few lines', [], 'it has 1 items instead of 2'],
  ])('an export in Ion is refused for %s', async (_, spoiled, message) => {
    const lines = [itemLine(ITEMS[0]!, 'ION').trimEnd(), itemLine(ITEMS[1]!, 'ION').trimEnd()]
    const path = writeExport(folder, { format: 'ION', files: [lines.slice(0, 1), lines.slice(1)] })
    const data = join(path, 'data', '0170001.ion.gz')
    writeFileSync(data, gzipSync(spoiled.map(line => `${line}\n`).join('')))
    withoutDataChecksums(path)
    await expect(openBatch(things, { from: path })).rejects.toMatchObject({
      code: 'batch.source',
      message: expect.stringContaining(message),
    })
  })

  it('an export in Ion is refused if a file was cut off', async () => {
    const path = writeExport(folder, { format: 'ION', files: [ITEMS.map(item => itemLine(item, 'ION').trimEnd())] })
    const data = join(path, 'data', '0170000.ion.gz')
    writeFileSync(data, gzipSync(itemLine(ITEMS[0]!, 'ION')).subarray(0, 60))
    withoutDataChecksums(path)
    await expect(openBatch(things, { from: path })).rejects.toMatchObject({ code: 'batch.source' })
  })
})

function withoutDataChecksums(path: string): void {
  const manifest = join(path, 'manifest-files.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replaceAll(/"md5Checksum":"[^"]*",/g, ''))
  rmSync(join(path, 'manifest-files.checksum'))
}
