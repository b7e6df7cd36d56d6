import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { disk } from '../../../src/engine/index.js'
import { decodeStored, encodeStored } from '../../../src/engine/persistence/stored-bytes.js'
import { parseInputItem } from '../../../src/engine/values/parse-item.js'
import { temporaryFolder } from './temporary-folder.js'

const TableName = 'kept'
const PAGE_BYTES = 4096
const DAMAGED = /^.*: the folder is damaged because a value cannot be read; restore it from a backup copy\.$/

const Key = (i: number) => ({ pk: { S: `k${i}` } })

async function folderOf(fillingOf: (i: number) => string): Promise<string> {
  const path = temporaryFolder()
  const store = disk(path)
  await store.createTable({
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (let i = 0; i < 10; i++) await store.putItem({ TableName, Item: { ...Key(i), filling: { S: fillingOf(i) } } })
  await store.close()
  return path
}

/** Changes the file wherever it contains a text, including pages that were replaced. */
function damage(path: string, text: string, change: (bytes: Buffer, at: number) => void): number {
  const file = join(path, 'data.mdb')
  const bytes = readFileSync(file)
  let count = 0
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
    count++
    change(bytes, at)
  }
  writeFileSync(file, bytes)
  return count
}

const flip = (bytes: Buffer, at: number) => {
  bytes[at + 3]! ^= 1
}

test.each([
  ['short', (i: number) => `filling number ${i}`],
  ['long', (i: number) => `filling number ${i}`.repeat(1000)],
])('reading a %s value with a flipped bit fails, and other items stay readable', async (_, fillingOf) => {
  const path = await folderOf(fillingOf)
  expect(damage(path, 'filling number 7', flip)).toBeGreaterThan(0)
  const store = disk(path)
  await expect(store.getItem({ TableName, Key: Key(7) })).rejects.toThrow(DAMAGED)
  await expect(store.scan({ TableName })).rejects.toThrow(DAMAGED)
  const update = {
    TableName,
    Key: Key(7),
    UpdateExpression: 'SET a = :a',
    ExpressionAttributeValues: { ':a': { S: 'a' } },
  }
  await expect(store.updateItem(update)).rejects.toThrow(DAMAGED)
  expect((await store.getItem({ TableName, Key: Key(6) })).Item?.filling).toEqual({ S: fillingOf(6) })
  await store.putItem({ TableName, Item: { ...Key(8), filling: { S: 'new' } } })
  await store.close()
})

test('the option check rejects a folder with a zeroed page before it is opened', async () => {
  const path = await folderOf(i => `filling number ${i}`)
  await disk(path, { check: true }).close()
  damage(path, 'filling number 7', (bytes, at) => {
    const page = Math.floor(at / PAGE_BYTES) * PAGE_BYTES
    bytes.fill(0, page, page + PAGE_BYTES)
  })
  expect(() => disk(path, { check: true })).toThrow(
    `${path}: the folder is damaged because data.mdb was truncated or has damaged pages;`,
  )
})

test('reading a long value with a zeroed page fails', async () => {
  const path = await folderOf(i => `filling number ${i}`.repeat(1000))
  damage(path, 'filling number 7', (bytes, at) => bytes.fill(0, at, at + 16))
  const store = disk(path)
  await expect(store.getItem({ TableName, Key: Key(7) })).rejects.toThrow(DAMAGED)
  await store.close()
})

/** Returns a value as format 1 stored it. */
function withoutChecksum(bytes: Buffer): Buffer {
  const old = Buffer.from(bytes.subarray(0, -4))
  old.writeUInt32BE((old.readUInt32BE() & ~(2 ** 30)) >>> 0)
  return old
}

const ITEMS: readonly Item[] = [
  { pk: { S: 'a' }, n: { N: '1' } },
  { pk: { S: 'ä€' }, list: { L: [{ S: 'x' }, { NULL: true }] } },
  { pk: { S: 'b' }, bytes: { B: Uint8Array.of(1, 2, 3) } },
  { pk: { S: 'long' }, text: { S: '€'.repeat(2000) } },
]

test.each(ITEMS)('a value of an older folder without a checksum is readable: %j', item => {
  const stored = parseInputItem(item, 'current')
  const bytes = Buffer.from(encodeStored(stored))
  expect(decodeStored(withoutChecksum(bytes))).toEqual(stored)
  expect(decodeStored(bytes)).toEqual(stored)
})

test.each(ITEMS)('every single-bit flip in a value is detected or harmless: %j', item => {
  const stored = parseInputItem(item, 'current')
  const bytes = Buffer.from(encodeStored(stored))
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3]! ^= 1 << (bit & 7)
    let read: unknown = stored
    try {
      read = decodeStored(flipped)
    } catch {}
    expect(read).toEqual(stored)
  }
})
