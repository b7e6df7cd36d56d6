import { closeSync, openSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, disk } from '../../../src/engine/index.js'
import { readCurrentMeta } from '../../../src/engine/keyvalues/lmdb/meta-pages.js'
import { temporaryFolder } from './temporary-folder.js'

const TableName = 'written'
/** Linux's ID of tmpfs, an in-memory file system that is never flushed. */
const TMPFS = 0x0102_1994

async function opened(path: string, sync: boolean): Promise<Disk> {
  const store = disk(path, { sync })
  await store.createTable({
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'N' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  return store
}

const put = (store: Disk, n: number) =>
  store.putItem({ TableName, Item: { pk: { N: String(n) }, filling: { S: 'x'.repeat(2000) } } })

/** Returns how many kilobytes of the file's mapped pages the system has not yet written to the disk. */
function dirtyKilobytes(path: string): number {
  const maps = readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
  const ofFile = maps.filter(map => map.split('\n', 1)[0]!.endsWith(join(path, 'data.mdb')))
  return ofFile
    .flatMap(map => [...map.matchAll(/_Dirty:\s+(\d+) kB/g)])
    .reduce((sum, [, size]) => sum + Number(size), 0)
}

/** Returns the number of commits to the file. */
function commitsOf(path: string): number {
  const descriptor = openSync(join(path, 'data.mdb'), 'r')
  const { commit } = readCurrentMeta(descriptor)!
  closeSync(descriptor)
  return commit
}

describe('acknowledged writes', () => {
  for (const sync of [true, false])
    it(`${sync ? 'all' : 'not all'} acknowledged bytes are on the disk, with sync ${sync}`, async context => {
      context.skip(process.platform !== 'linux', 'no other system tells what it has yet to write')
      const path = temporaryFolder()
      context.skip(statfsSync(path).type === TMPFS, 'the folder of temporary files lies in memory')
      const store = await opened(path, sync)
      const dirty: number[] = []
      for (let n = 0; n < 20; n++) {
        await put(store, n)
        // Maps every page.
        await store.scan({ TableName })
        dirty.push(dirtyKilobytes(path))
      }
      if (sync) expect(dirty).toEqual(dirty.map(() => 0))
      else expect(Math.min(...dirty)).toBeGreaterThan(0)
      await store.close()
    })
})

describe('concurrent writes', () => {
  it('concurrent writes share a commit and its flush', async () => {
    const path = temporaryFolder()
    const store = await opened(path, true)
    const before = commitsOf(path)
    await Promise.all(Array.from({ length: 100 }, (_, n) => put(store, n)))
    expect(commitsOf(path) - before).toBeLessThanOrEqual(2)
    for (let n = 0; n < 10; n++) await put(store, n)
    expect(commitsOf(path) - before).toBeGreaterThanOrEqual(10)
    await store.close()
  })
})
