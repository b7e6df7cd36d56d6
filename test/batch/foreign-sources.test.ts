import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBatch, validate } from '../../src/batch/index.js'
import { disk, memory } from '../../src/engine/index.js'
import { graph, integer, node, open, string } from '../../src/index.js'
import { exportTable, itemLine, itemsIn, writeExport } from './export-files.js'

const user = node('user', { id: string() }, { id: 'id' })
const social = graph('social', [user])

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-foreign-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function small() {
  const store = memory()
  const g = await open(social, store)
  for (const id of ['ann', 'bob']) await g.user.put({ id })
  return { store, g }
}

async function idsIn(from: string | readonly string[]) {
  await using data = await openBatch(social, { from })
  return (await data.rows('SELECT id FROM "user" ORDER BY id')).map(({ id }) => id)
}

const DELETED_BOB = '{"Keys":{"PK":{"S":"user#bob"},"SK":{"S":"#"}},"OldImage":{}}'

/** Changes the summary manifest of an export. */
function describeTable(path: string, table: { readonly tableArn?: string; readonly tableId?: string }): void {
  const manifest = join(path, 'manifest-summary.json')
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), ...table }))
  rmSync(join(path, 'manifest-summary.checksum'), { force: true })
}

describe('an incremental export', () => {
  const exports = async (since: string, moment: string) => {
    const { store } = await small()
    const full = await exportTable(store, 'social', folder, '2026-11-02T00:00:00Z')
    return [full, writeExport(folder, { id: 'increment', since, moment, files: [[DELETED_BOB]] })] as const
  }

  it('an increment that ends before the full export is rejected', async () => {
    const from = await exports('2026-11-01T00:00:00Z', '2026-11-01T01:00:00Z')
    await expect(idsIn(from)).rejects.toThrow(
      'it ends at 2026-11-01T01:00:00.000Z, before 2026-11-02T00:00:00.000Z; omit it.',
    )
  })

  it('an increment that begins before the full export and ends after it is applied', async () => {
    expect(await idsIn(await exports('2026-11-01T00:00:00Z', '2026-11-03T00:00:00Z'))).toEqual(['ann'])
  })

  it.each([{ tableArn: 'arn:aws:dynamodb:us-east-1:1:table/other' }, { tableId: 'a-table-that-was-created-again' }])(
    'an increment of another table is rejected: %o',
    async table => {
      const from = await exports('2026-11-02T00:00:00Z', '2026-11-03T00:00:00Z')
      const own = { tableArn: 'arn:aws:dynamodb:us-east-1:1:table/social', tableId: 'first' }
      for (const path of from) describeTable(path, own)
      expect(await idsIn(from)).toEqual(['ann'])
      describeTable(from[1], table)
      await expect(idsIn(from)).rejects.toMatchObject({
        code: 'batch.source',
        message: expect.stringContaining('give exports of one table'),
      })
    },
  )
})

describe('an export of another graph', () => {
  it('with the same names of keys is rejected by its fingerprint', async () => {
    const store = memory()
    const other = await open(graph('other', [node('car', { id: string() }, { id: 'id' })]), store)
    await other.car.put({ id: 'c' })
    const path = await exportTable(store, 'other', folder)
    await expect(idsIn(path)).rejects.toMatchObject({
      code: 'batch.source',
      message: expect.stringMatching(/was written under another layout \(.*type 'car' is gone/),
    })
    await expect(openBatch(social, { from: { store, table: 'other' } })).rejects.toMatchObject({ code: 'batch.source' })
  })

  it('without a fingerprint is rejected if no item has a type of the graph', async () => {
    const foreign = itemLine({ PK: { S: 'a' }, SK: { S: 'b' } })
    const path = writeExport(folder, { files: [[foreign]] })
    await expect(idsIn(path)).rejects.toThrow('none of its 1 items has a type of the graph')
    const own = itemLine({ PK: { S: 'user#q' }, SK: { S: '#' }, _type: { S: 'user' } })
    expect(await idsIn(writeExport(join(folder, 'mixed'), { files: [[foreign, own]] }))).toEqual(['q'])
  })

  it('another graph is not assumed after a compatible change of the layout', async () => {
    const { store } = await small()
    const path = await exportTable(store, 'social', folder)
    const later = graph('social', [user, node('team', { id: string(), size: integer() }, { id: 'id' })])
    await using data = await openBatch(later, { from: path })
    expect(await data.rows('SELECT count(*) AS n FROM "user"')).toEqual([{ n: 2 }])
  })
})

describe('a dump', () => {
  const line = `${itemLine({ PK: { S: 'user#q' }, SK: { S: '#' }, _type: { S: 'user' } })}\n`
  const part = (number: number, bytes: Uint8Array) => writeFileSync(join(folder, `part-0000${number}.json.gz`), bytes)

  it.each([4, 9, 20])('a dump of items whose gzip file lacks its last %i bytes is rejected', async lost => {
    part(1, gzipSync(line).subarray(0, -lost))
    await expect(idsIn(folder)).rejects.toMatchObject({
      code: 'batch.source',
      message: expect.stringContaining('part-00001.json.gz: the file is damaged or truncated'),
    })
  })

  it.each([4, 9])('a dump of rows whose gzip file lacks its last %i bytes is rejected', async lost => {
    const bytes = gzipSync('{"type":"user","id":"q"}\n'.repeat(3))
    writeFileSync(join(folder, 'user.jsonl.gz'), bytes.subarray(0, -lost))
    await expect(idsIn(folder)).rejects.toMatchObject({
      code: 'batch.source',
      message: expect.stringContaining('user.jsonl.gz: the file is damaged or truncated'),
    })
  })

  it('a dump that lacks a part is rejected', async () => {
    part(2, gzipSync(line))
    await expect(idsIn(folder)).rejects.toThrow('part-00001.json.gz is missing')
    part(1, gzipSync(''))
    expect(await idsIn(folder)).toEqual(['q'])
  })

  it('a dump is not the folder of a store on disk', async () => {
    const path = join(folder, 'data')
    const store = disk(path)
    await (await open(social, store)).user.put({ id: 'ann' })
    await store.close()
    await expect(idsIn(path)).rejects.toThrow("it is a folder of disk(); give { store: disk(path) } as 'from'.")
  })
})

it('an item that an export has twice is a finding', async () => {
  const { store, g } = await small()
  const lines = (await itemsIn(store, 'social')).map(itemLine)
  const ann = lines.find(line => line.includes('user#ann'))!
  const path = writeExport(folder, { files: [lines, [ann]] })
  await using data = await openBatch(social, { from: path })
  for (const live of [undefined, g]) {
    const found: unknown[] = []
    await validate(data, { live, onFinding: ({ code, row, key }) => void found.push({ code, row, key }) })
    const key = { PK: { S: 'user#ann' }, SK: { S: '#' } }
    expect(found).toEqual([{ code: 'item.duplicate', row: { id: 'ann' }, key }])
  }
})
