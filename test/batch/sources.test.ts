import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BatchOptions, openBatch } from '../../src/batch/index.js'
import { disk, memory } from '../../src/engine/index.js'
import { counter, edge, graph, node, open, string } from '../../src/index.js'
import { exportTable, itemLine, itemsIn, writeExport } from './export-files.js'

const user = node('user', { id: string(), followers: counter() }, { id: 'id' })
const follow = edge('follow', { follower: user, followed: user }, {}, { count: { followed: 'followers' } })
const social = graph('social', [user, follow])

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-batch-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function small() {
  const store = memory()
  const g = await open(social, store)
  for (const id of ['ann', 'bob', 'cy']) await g.user.put({ id })
  await g.follow.put({ follower: 'ann', followed: 'bob' })
  await g.follow.put({ follower: 'cy', followed: 'bob' })
  return { store, g }
}

async function users(from: BatchOptions['from'], options: Partial<BatchOptions> = {}) {
  const data = await openBatch(social, { from, ...options })
  try {
    const rows = await data.rows('SELECT * FROM "user" ORDER BY id')
    const edges = await data.rows('SELECT follower, followed FROM follow ORDER BY follower')
    return { rows, edges, items: data.items, moment: data.moment.toISOString(), readUnits: data.readUnits }
  } finally {
    data.close()
  }
}

const ROWS = [
  { id: 'ann', followers: 0 },
  { id: 'bob', followers: 2 },
  { id: 'cy', followers: 0 },
]
const EDGES = [
  { follower: 'ann', followed: 'bob' },
  { follower: 'cy', followed: 'bob' },
]

describe('a batch reads', () => {
  it('a full export, by the folder of its manifests and by the folder of the bucket', async () => {
    const { store } = await small()
    const moment = '2026-11-01T00:00:00.000Z'
    const path = await exportTable(store, 'social', folder, moment)
    const expected = { rows: ROWS, edges: EDGES, items: 6, moment, readUnits: 0 }
    expect(await users(path)).toEqual(expected)
    expect(await users(folder)).toEqual(expected)
  })

  it('a full export followed by incremental exports', async () => {
    const { store, g } = await small()
    const full = await exportTable(store, 'social', folder, '2026-11-01T00:00:00Z')
    const before = await itemsIn(store, 'social')
    await g.follow.delete({ follower: 'ann', followed: 'bob' })
    await g.user.put({ id: 'dan' })
    const after = await itemsIn(store, 'social')
    const keyOf = ({ PK, SK }: (typeof after)[number]) => JSON.stringify([PK, SK])
    const changed = after.filter(item => !before.some(each => JSON.stringify(each) === JSON.stringify(item)))
    const gone = before.filter(item => !after.some(each => keyOf(each) === keyOf(item)))
    const lines = [
      ...changed.map(({ PK, SK, ...item }) => ({ Keys: { PK, SK }, NewImage: { PK, SK, ...item } })),
      ...gone.map(({ PK, SK, ...item }) => ({ Keys: { PK, SK }, OldImage: { PK, SK, ...item } })),
    ].map(line => JSON.stringify({ Metadata: { WriteTimestampMicros: { N: '1' } }, ...line }))
    const since = '2026-11-01T00:00:00Z'
    const options = { id: 'increment-1', since, moment: '2026-11-02T00:00:00Z', files: [lines, []] }
    const increment = writeExport(folder, options)
    const found = await users([full, increment])
    expect(found.rows).toEqual([
      { id: 'ann', followers: 0 },
      { id: 'bob', followers: 1 },
      { id: 'cy', followers: 0 },
      { id: 'dan', followers: 0 },
    ])
    expect(found).toMatchObject({ edges: EDGES.slice(1), moment: '2026-11-02T00:00:00.000Z' })
    await expect(users([increment])).rejects.toMatchObject({ code: 'batch.source' })
    const late = { ...options, id: 'increment-2', since: '2026-11-03T00:00:00Z', moment: '2026-11-04T00:00:00Z' }
    await expect(users([full, increment, writeExport(folder, late)])).rejects.toThrow('give the export in between too')
  })

  it('a live table by parallel Scans, and returns the used read units', async () => {
    const { store } = await small()
    const now = Date.parse('2026-11-05T00:00:00.000Z')
    const found = await users({ store, segments: 3 }, { clock: () => now })
    expect(found).toMatchObject({ rows: ROWS, edges: EDGES, moment: '2026-11-05T00:00:00.000Z' })
    expect(found.readUnits).toBeGreaterThan(0)
  })

  it('a live table with a share of its capacity', async () => {
    const { store } = await small()
    const found = await users({ store, segments: 2, readUnits: 100 })
    expect(found).toMatchObject({ rows: ROWS, edges: EDGES })
  })

  it('a folder on disk', async () => {
    const store = disk(join(folder, 'data'))
    const g = await open(social, store)
    await g.user.put({ id: 'ann' })
    expect((await users({ store })).rows).toEqual([{ id: 'ann', followers: 0 }])
    await store.close()
  })

  it('a dump of items', async () => {
    const { store } = await small()
    const lines = (await itemsIn(store, 'social')).map(item => `${itemLine(item)}\n`)
    writeFileSync(join(folder, 'part-00001.json.gz'), gzipSync(lines.slice(0, 3).join('')))
    writeFileSync(join(folder, 'part-00002.json.gz'), gzipSync(lines.slice(3).join('')))
    expect(await users(folder)).toMatchObject({ rows: ROWS, edges: EDGES, items: 6 })
  })

  it('a dump of rows, in which counters are 0', async () => {
    writeFileSync(join(folder, 'user.jsonl'), '{"type":"user","id":"ann"}\n{"type":"user","id":"bob"}\n')
    writeFileSync(join(folder, 'follow.csv'), 'follower,followed\nann,bob\n')
    const found = await users(folder)
    expect(found.rows).toEqual(ROWS.slice(0, 2).map(row => ({ ...row, followers: 0 })))
    expect(found.edges).toEqual(EDGES.slice(0, 1))
  })
})

describe('a batch refuses', () => {
  const damaged = async (damage: (path: string, data: string) => void, from?: (path: string) => string) => {
    const { store } = await small()
    const path = await exportTable(store, 'social', folder)
    damage(path, join(path, 'data', readdirSync(join(path, 'data'))[0]!))
    return users(from?.(path) ?? path)
  }

  it('a data file that was cut off', async () => {
    await expect(damaged((_, data) => truncateSync(data, 40))).rejects.toThrow('its MD5 checksum is')
  })

  it('a data file that was cut off and has no checksum', async () => {
    const cut = (path: string, data: string) => {
      truncateSync(data, readFileSync(data).length - 20)
      withoutChecksums(path)
    }
    await expect(damaged(cut)).rejects.toMatchObject({ code: 'batch.source' })
  })

  it('a data file that lacks an item', async () => {
    const lose = (path: string, data: string) => {
      writeFileSync(data, gzipSync(''))
      withoutChecksums(path)
    }
    await expect(damaged(lose)).rejects.toThrow('it has 3 items instead of 6')
  })

  it('a data file with a line that is not JSON', async () => {
    const spoil = (path: string, data: string) => {
      writeFileSync(data, gzipSync('{"Item":{"PK"\n{}\n{}\n'))
      withoutChecksums(path)
    }
    await expect(damaged(spoil)).rejects.toMatchObject({ code: 'batch.source' })
  })

  it('a data file that is missing', async () => {
    await expect(damaged((_, data) => rmSync(data))).rejects.toThrow('a file of the export is missing')
  })

  it('a manifest that was changed', async () => {
    const change = (path: string) => appendFileSync(join(path, 'manifest-files.json'), '\n')
    await expect(damaged(change)).rejects.toThrow('its MD5 checksum is')
  })

  it('a changed manifest whose checksum is in an .md5 file, as the engine writes it', async () => {
    const change = (path: string) => {
      renameSync(join(path, 'manifest-files.checksum'), join(path, 'manifest-files.md5'))
      appendFileSync(join(path, 'manifest-files.json'), '\n')
    }
    await expect(damaged(change)).rejects.toThrow('its MD5 checksum is')
  })

  it('an incomplete manifest', async () => {
    const truncate = (path: string) => {
      rmSync(join(path, 'manifest-summary.checksum'))
      truncateSync(join(path, 'manifest-summary.json'), 20)
    }
    await expect(damaged(truncate)).rejects.toMatchObject({
      code: 'batch.source',
      message: expect.stringContaining('the manifest of the export is not complete; download it again.'),
    })
  })

  it('an export of a table with other keys', async () => {
    const item = { id: { S: 'x' } }
    writeExport(folder, { files: [[itemLine(item)]] })
    await expect(users(folder)).rejects.toThrow('1 lines have no item with the key PK, SK')
  })

  it('an export in an unknown format', async () => {
    const path = writeExport(folder, { files: [[]] })
    const summary = join(path, 'manifest-summary.json')
    writeFileSync(summary, readFileSync(summary, 'utf8').replace('DYNAMODB_JSON', 'PARQUET'))
    rmSync(join(path, 'manifest-summary.checksum'))
    await expect(users(folder)).rejects.toMatchObject({ code: 'batch.source' })
  })

  it('a folder with several exports, an empty folder, and no folder', async () => {
    await expect(users(folder)).rejects.toThrow('it holds neither an export nor a dump')
    await expect(users(join(folder, 'none'))).rejects.toThrow('it does not exist')
    writeExport(folder, { id: 'one', files: [[]] })
    writeExport(folder, { id: 'two', files: [[]] })
    await expect(users(folder)).rejects.toThrow('it holds 2 exports')
  })

  it('a row of a dump that is not of the graph', async () => {
    writeFileSync(join(folder, 'user.jsonl'), '{"type":"user","id":"ann"}\n{"type":"user","name":"bob"}\n')
    await expect(users(folder)).rejects.toThrow()
  })

  it('a statement that is not SQL, naming it', async () => {
    const { store } = await small()
    await using data = await openBatch(social, { from: { store } })
    await expect(data.rows('SELEC 1')).rejects.toMatchObject({ code: 'batch.sql' })
    await expect(data.rows('SELECT nothing FROM follow')).rejects.toThrow('SELECT nothing FROM follow')
    await expect(data.rows("SELECT * FROM read_parquet('s3://bucket/x')")).rejects.toMatchObject({ code: 'batch.sql' })
  })

  it('unknown and invalid options', async () => {
    await expect(openBatch(social, { from: 3 as never })).rejects.toMatchObject({ code: 'call.argument' })
    await expect(openBatch(social, { from: folder, thread: 1 } as never)).rejects.toMatchObject({
      code: 'option.unknown',
    })
  })
})

function withoutChecksums(path: string): void {
  const manifest = join(path, 'manifest-files.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replaceAll(/"md5Checksum":"[^"]*",/g, ''))
  rmSync(join(path, 'manifest-files.checksum'))
}
