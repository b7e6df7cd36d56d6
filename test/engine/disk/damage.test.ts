import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Disk, disk } from '../../../src/engine/index.js'
import { checkDataFile } from '../../../src/engine/keyvalues/lmdb/folder-format.js'
import { readCurrentMeta } from '../../../src/engine/keyvalues/lmdb/meta-pages.js'
import { builtProgram } from './programs/build-program.js'
import { temporaryFolder } from './temporary-folder.js'

const TableName = 'kept'
const ITEMS = 40
const PAGE_BYTES = 4096

const item = (i: number) => ({ pk: { S: `k${i}` }, filling: { S: 'x'.repeat(i % 10 === 0 ? 20_000 : 500) } })

async function fill(store: Disk): Promise<void> {
  await store.createTable({
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (let i = 0; i < ITEMS; i++) await store.putItem({ TableName, Item: item(i) })
}

async function used(sync = true): Promise<string> {
  const path = temporaryFolder()
  const store = disk(path, { sync })
  await fill(store)
  await store.close()
  return path
}

async function countIn(path: string): Promise<number> {
  const store = disk(path)
  const { Count } = await store.scan({ TableName })
  await store.close()
  return Count!
}

/** A program that opens the folder in another process and reads everything, because LMDB may crash the process. */
let probeProgram = ''
beforeAll(async () => {
  probeProgram = await builtProgram(new URL('programs/probe-folder.ts', import.meta.url))
})

function probe(path: string, ...words: string[]): { output: string; signal: string | null } {
  const { stdout, stderr, signal } = spawnSync(process.execPath, [probeProgram, path, ...words], { encoding: 'utf8' })
  return { output: stdout + stderr, signal }
}

describe('folders that cannot be opened', () => {
  it('a folder with a newer format is rejected', async () => {
    const path = await used()
    writeFileSync(join(path, 'edgewise.json'), '{"format":3}')
    expect(() => disk(path)).toThrow(
      'the folder has the newer format 3, but this version supports formats up to 2; update edgewise.',
    )
  })

  it('a folder with an unreadable format file is rejected', async () => {
    const path = await used()
    writeFileSync(join(path, 'edgewise.json'), '{')
    expect(() => disk(path)).toThrow(
      'edgewise.json: the file is damaged because it does not state the format of the data; restore',
    )
  })

  it('a folder with missing data is rejected', async () => {
    const path = await used()
    rmSync(join(path, 'data.mdb'))
    expect(() => disk(path)).toThrow(`${path}: the folder is damaged because data.mdb is missing; restore`)
  })

  it('a folder with an empty data file is rejected', async () => {
    const path = await used()
    truncateSync(join(path, 'data.mdb'))
    expect(() => disk(path)).toThrow(`${path}: the folder is damaged because data.mdb is empty; restore`)
  })

  it('a folder with a foreign data file is rejected, and opens again once the file is replaced', async () => {
    const path = await used()
    const file = join(path, 'data.mdb')
    const good = readFileSync(file)
    writeFileSync(file, Buffer.alloc(good.length, 'x'))
    expect(() => disk(path)).toThrow(
      `${path}: the folder is damaged because data.mdb is not an LMDB file or its first pages are damaged;`,
    )
    expect(readFileSync(file).equals(Buffer.alloc(good.length, 'x'))).toBe(true)
    writeFileSync(file, good)
    expect(await countIn(path)).toBe(ITEMS)
  })

  it('a path of a file is rejected, and the file stays unchanged', () => {
    const path = join(temporaryFolder(), 'file')
    writeFileSync(path, 'mine')
    expect(() => disk(path)).toThrow(`${path}: the data folder cannot be opened (the path is a file);`)
    expect(() => disk(join(path, 'within'))).toThrow(
      `${join(path, 'within')}: the data folder cannot be opened (ENOTDIR`,
    )
    expect(readFileSync(path, 'utf8')).toBe('mine')
  })

  it('a read-only folder is rejected', async () => {
    const path = await used()
    chmodSync(path, 0o555)
    onTestFinished(() => chmodSync(path, 0o755))
    expect(probe(path, 'as nobody')).toEqual({ output: expect.stringContaining('permission denied'), signal: null })
  })

  for (const file of ['data.mdb', 'lock.mdb', 'open/data.mdb', 'open/lock.mdb'])
    it(`a folder with the read-only file ${file} is rejected`, async () => {
      const path = await used()
      for (const folder of [path, join(path, 'open')]) chmodSync(folder, 0o777)
      for (const each of ['data.mdb', 'lock.mdb', 'open/data.mdb', 'open/lock.mdb'])
        chmodSync(join(path, each), each === file ? 0o444 : 0o666)
      const output = expect.stringContaining(
        `${join(path, file)}: the file cannot be opened (EACCES: permission denied`,
      )
      expect(probe(path, 'as nobody')).toEqual({ output, signal: null })
    })

  it('an unreadable format file is reported as a permission error, not as damage', async () => {
    const path = await used()
    chmodSync(path, 0o777)
    chmodSync(join(path, 'edgewise.json'), 0)
    const output = expect.stringMatching(/^EACCES: permission denied.*edgewise\.json/)
    expect(probe(path, 'as nobody')).toEqual({ output, signal: null })
  })

  it('writes to a closed store are rejected', async () => {
    const store = disk(temporaryFolder())
    await store.close()
    await expect(store.getItem({ TableName, Key: { pk: { S: 'a' } } })).rejects.toThrow('Requested resource')
    await expect(fill(store)).rejects.toThrow('is closed')
    await store.close()
  })
})

describe('truncated data files', () => {
  for (const sync of [true, false])
    it(`every truncation is reported and none crashes the process, with sync ${sync}`, async () => {
      const path = await used(sync)
      const file = join(path, 'data.mdb')
      const good = readFileSync(file)
      const lengths = [1, 100, PAGE_BYTES, 2 * PAGE_BYTES, 2.5 * PAGE_BYTES, good.length / 2]
      const outcomes = lengths.map(length => {
        writeFileSync(file, good.subarray(0, length))
        return thrownBy(() => disk(path))
      })
      expect(outcomes).toEqual(
        lengths.map(() => expect.stringContaining(`${path}: the folder is damaged because data.mdb `)),
      )
      expect(readFileSync(file).length).toBe(good.length / 2)
      writeFileSync(file, good)
      expect(await countIn(path)).toBe(ITEMS)
    })

  it('a file that lacks only free pages at its end can be opened', async () => {
    const path = await used()
    const file = join(path, 'data.mdb')
    const store = disk(path)
    for (let i = 0; i < ITEMS; i++) await store.deleteItem({ TableName, Key: { pk: { S: `k${i}` } } })
    for (let i = 0; i < 5; i++) await store.putItem({ TableName, Item: item(1) })
    await store.close()
    const whole = readFileSync(file)
    const needed = leastPages(path, whole)
    expect(needed).toBeLessThan(whole.length / PAGE_BYTES)
    writeFileSync(file, whole.subarray(0, needed * PAGE_BYTES))
    expect(probe(path)).toEqual({ output: '1 items, and one more\n', signal: null })
    writeFileSync(file, whole.subarray(0, (needed - 1) * PAGE_BYTES))
    expect(() => disk(path)).toThrow('is damaged because data.mdb was truncated')
  })

  const last = { 'a page of a tree': { items: 30, length: 496 }, 'a long value': { items: 1, length: 20_000 } }
  for (const [what, { items, length }] of Object.entries(last))
    it(`a file that ends with its last needed page can be opened: ${what}`, async () => {
      const path = await used()
      const file = join(path, 'data.mdb')
      const store = disk(path)
      for (let i = 0; i < items; i++)
        await store.putItem({ TableName, Item: { pk: { S: `last${i}` }, filling: { S: 'y'.repeat(length) } } })
      await store.putItem({ TableName, Item: { ...item(0), pk: { S: `k${ITEMS}` } } })
      for (let i = 0; i <= ITEMS; i++) await store.deleteItem({ TableName, Key: { pk: { S: `k${i}` } } })
      await store.close()
      const lastOf = (whole: Buffer) => Math.ceil(whole.lastIndexOf('yyy') / PAGE_BYTES)
      // Each write moves the roots of the trees, so repeat until the last page is needed.
      let [whole, needed] = [readFileSync(file), 0]
      for (let times = 0; times < 20 && needed !== lastOf(whole); times++) {
        writeFileSync(file, whole)
        const again = disk(path)
        await again.putItem({ TableName, Item: { pk: { S: 'small' } } })
        await again.close()
        whole = readFileSync(file)
        needed = leastPages(path, whole)
      }
      expect(needed).toBe(lastOf(whole))
      expect(needed).toBeLessThan(whole.length / PAGE_BYTES)
      writeFileSync(file, whole.subarray(0, needed * PAGE_BYTES))
      expect(probe(path)).toEqual({ output: `${items + 1} items, and one more\n`, signal: null })
    })
})

/** Returns the number of pages that the file needs to be opened. */
function leastPages(path: string, whole: Buffer): number {
  const file = join(path, 'data.mdb')
  let pages = whole.length / PAGE_BYTES
  for (; pages > 2; pages--) {
    writeFileSync(file, whole.subarray(0, (pages - 1) * PAGE_BYTES))
    if (thrownBy(() => checkDataFile(path)) !== 'nothing') break
  }
  return pages
}

describe('damaged meta pages', () => {
  it('damage in the meta pages is reported and does not crash the process', async () => {
    const path = await used()
    const file = join(path, 'data.mdb')
    const good = readFileSync(file)
    const damages = [[KIND_AT, 1], [PAGE_BYTES + KIND_AT, 1], ...DAMAGES] as const
    const outcomes = damages.map(([at, bytes]) => {
      const damaged = Buffer.from(good)
      damaged.fill(0xa5, at, at + bytes)
      writeFileSync(file, damaged)
      return thrownBy(() => disk(path))
    })
    expect(outcomes).toEqual(damages.map(() => expect.stringContaining('or its first pages are damaged')))
    writeFileSync(file, good)
    expect(await countIn(path)).toBe(ITEMS)
  })
})

describe('failed meta page writes', () => {
  it('a failed meta page write leaves the previous commit readable', async () => {
    const path = await used()
    const file = join(path, 'data.mdb')
    const bytes = readFileSync(file)
    const commitAt = (place: number) => bytes.readBigUInt64LE(place + 152)
    const older = commitAt(0) < commitAt(PAGE_BYTES) ? 0 : PAGE_BYTES
    // The trees of the failed commit, with the number and the last page of the existing one.
    bytes.writeBigUInt64LE(2n, older + 144)
    writeFileSync(file, bytes)
    expect(await countIn(path)).toBe(ITEMS)
  })
})

/** Versions, page sizes, flags, roots, last pages and commit numbers, in each of the three meta pages. */
const TOLD = [
  [28, 2],
  [48, 2],
  [52, 1],
  [88, 8],
  [100, 4],
  [136, 4],
  [144, 6],
  [152, 8],
] as const
/** The offset of the page type. */
const KIND_AT = 18
const PLACES = [0, PAGE_BYTES / 2, PAGE_BYTES]
const DAMAGES = PLACES.flatMap(place => TOLD.map(([at, bytes]) => [place + at, bytes] as const))

describe('a machine that stopped before the last commit was flushed', () => {
  it('the store rolls back to the last flushed commit, even without sync', async () => {
    const path = await used()
    const file = join(path, 'data.mdb')
    const flushed = readFileSync(file)
    const store = disk(path)
    await store.deleteItem({ TableName, Key: { pk: { S: 'k1' } } })
    await store.close()
    const lost = readFileSync(file)
    // The flushed state is in the middle of the first page; the boot ID distinguishes restarts of the machine.
    flushed.copy(lost, PAGE_BYTES / 2, PAGE_BYTES / 2, PAGE_BYTES)
    for (const at of [0, PAGE_BYTES]) lost.fill(7, at + 160, at + 164)
    writeFileSync(file, lost)
    const descriptor = openSync(file, 'r')
    expect(readCurrentMeta(descriptor)).toMatchObject({ mustRollBack: true })
    closeSync(descriptor)
    const again = disk(path, { sync: false })
    expect((await again.getItem({ TableName, Key: { pk: { S: 'k1' } } })).Item).toEqual(item(1))
    await again.close()
  })
})

describe('a machine that stopped before the first flush', () => {
  it('the store is empty after a restart before the first flush', async () => {
    const path = temporaryFolder()
    await disk(path).close()
    const file = join(path, 'data.mdb')
    const bytes = readFileSync(file)
    bytes.fill(0, PAGE_BYTES / 2, PAGE_BYTES)
    for (const at of [0, PAGE_BYTES]) bytes.fill(7, at + 160, at + 164)
    writeFileSync(file, bytes)
    const store = disk(path)
    expect((await store.listTables({})).TableNames).toEqual([])
    await store.close()
  })
})

function thrownBy(work: () => unknown): string {
  try {
    work()
    return 'nothing'
  } catch (error) {
    return (error as Error).message
  }
}
