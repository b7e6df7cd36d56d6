import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { open, type RootDatabase } from 'lmdb'
import { expect, test } from 'vitest'
import { disk } from '../../../src/engine/index.js'
import { BEGUN_MS, fill } from './sample-data.js'
import { temporaryFolder } from './temporary-folder.js'

const REGION_BYTES = 4
/** Random IDs of tables and backups. */
const BY_CHANCE = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{14}-[0-9a-f]{8}/g

/** Lists every key with its bytes, without random IDs. */
async function entriesIn(path: string): Promise<string[]> {
  const database: RootDatabase<Buffer, Buffer> = open({
    path,
    keyEncoding: 'binary',
    encoding: 'binary',
    noSubdir: false,
  })
  const entries = [...database.getRange()].map(({ key, value }) =>
    `${key.toString('latin1')} ${withoutChecksum(value).toString('latin1')}`.replace(BY_CHANCE, '*'),
  )
  await database.close()
  return entries.sort()
}

/** Returns a value as format 1 stored it, after checking the checksum of format 2. Region numbers have none. */
function withoutChecksum(value: Buffer): Buffer {
  if (value.length === REGION_BYTES) return value
  const body = value.subarray(0, -4)
  expect(value.readUInt32BE(body.length)).toBe(crc32(body))
  const old = Buffer.from(body)
  old.writeUInt32BE((old.readUInt32BE() & ~(2 ** 30)) >>> 0)
  return old
}

// Users have folders in this format. A change of the format must increase its number and keep the older format
// readable.
test('the stored bytes of a folder do not change between versions', async () => {
  const path = temporaryFolder()
  const store = disk(path, { now: () => BEGUN_MS, sync: false })
  await fill(store)
  await store.close()
  const entries = await entriesIn(path)
  expect(entries.length).toBe(639)
  expect(createHash('sha256').update(entries.join('\n'), 'latin1').digest('hex')).toBe(
    '6396c51653afd08857cea478353d22a2fbbdbbcba3ad9ef03946d3d1d7530eb0',
  )
})
