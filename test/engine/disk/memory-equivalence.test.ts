import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../../../src/dynamodb/attribute-value.js'
import { disk, memory } from '../../../src/engine/index.js'
import { decodeStored, encodeStored } from '../../../src/engine/persistence/stored-bytes.js'
import { parseInputItem } from '../../../src/engine/values/parse-item.js'
import { type StoredItem, toStoredItem } from '../../../src/engine/values/stored-item.js'
import type { Store } from '../../../src/store/port.js'
import { anyAttributes } from '../../arbitraries.js'
import { anyWrites, TABLE } from '../properties/random-writes.js'
import { temporaryFolder } from './temporary-folder.js'

const { TableName } = TABLE
const INDEXES = [...TABLE.LocalSecondaryIndexes!, ...TABLE.GlobalSecondaryIndexes!].map(({ IndexName }) => IndexName)

const outcome = (call: Promise<unknown>) => call.catch((error: Error) => `${error.name}: ${error.message}`)

async function everything(store: Store): Promise<unknown> {
  const { Table } = await store.describeTable({ TableName })
  const { TableId, CreationDateTime, BillingModeSummary, ...told } = Table!
  const scans: (Item[] | undefined)[] = []
  for (const IndexName of [undefined, ...INDEXES])
    scans.push((await store.scan({ TableName, ...(IndexName && { IndexName }) })).Items)
  return { told, scans }
}

describe('equivalence of disk and memory', () => {
  it('any sequence of writes has the same results and items on disk as in memory, with any reopening', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyWrites, { minLength: 1, maxLength: 3 }), async sittings => {
        const path = temporaryFolder()
        const inMemory = memory()
        await inMemory.createTable(TABLE)
        for (const [sitting, writes] of sittings.entries()) {
          const onDisk = disk(path, { sync: false })
          if (sitting === 0) await onDisk.createTable(TABLE)
          for (const write of writes)
            expect(await outcome(write.run(onDisk))).toEqual(await outcome(write.run(inMemory)))
          expect(await everything(onDisk)).toEqual(await everything(inMemory))
          await onDisk.close()
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('encoded items', () => {
  const again = (stored: StoredItem) => decodeStored(Buffer.from(encodeStored(stored)))

  it('an item is equal after encoding and decoding', () => {
    fc.assert(
      fc.property(anyAttributes, attributes => {
        const stored = parseInputItem(attributes, 'current')
        expect(again(stored)).toEqual(stored)
        expect(toStoredItem(stored.item)).toEqual(stored)
      }),
    )
  })

  it('an item keeps its binaries at any depth', () => {
    const bytes: AttributeValue[] = [{ B: Uint8Array.of(1) }, { BS: [Uint8Array.of(1), Uint8Array.of(2)] }]
    for (const value of bytes)
      for (const attribute of [value, { L: [{ N: '1' }, value] }, { M: { a: { L: [{ M: { value } }] } } }]) {
        const stored = toStoredItem({ pk: { S: 'k' }, attribute })
        expect(stored.hasBinary).toBe(true)
        expect(again(stored)).toEqual(stored)
      }
    expect(toStoredItem({ pk: { S: 'k' }, list: { L: [{ SS: ['a'] }, { M: {} }] } }).hasBinary).toBe(false)
  })

  it('long texts and texts of several alphabets are equal after encoding and decoding', () => {
    const lengths = [0, 1, 254, 255, 256, 508, 509, 510, 511, 512, 513, 65_536, 399_000]
    for (const text of ['a', 'é', '☃', '𝄞'])
      for (const length of lengths) {
        const stored = toStoredItem({
          pk: { S: 'k' },
          long: { S: text.repeat(length) },
          n: { N: '1' },
          after: { S: 'z' },
        })
        expect(again(stored)).toEqual(stored)
      }
  })

  it('texts with lone surrogates are equal after encoding and decoding', () => {
    for (const text of ['\ud800', '\udc00\ud800', 'a\udfff'])
      for (const item of [
        { s: { S: text } },
        { m: { M: { [text]: { S: text } } } },
        { [text]: { NULL: true as const } },
      ]) {
        const stored = toStoredItem({ pk: { S: 'k' }, ...item })
        expect(again(stored)).toEqual(stored)
      }
  })

  it('an item with too many names for a shape is equal after encoding and decoding', () => {
    const names = Array.from({ length: 3000 }, (_, i) => [`a rather long name of an attribute ${i}`, { S: `${i}` }])
    const stored = toStoredItem(Object.fromEntries(names))
    expect(again(stored)).toEqual(stored)
  })

  it('items with any number of names are equal after decoding, in linear time', () => {
    for (const length of [1, 10, 100, 400, 410, 450, 500, 1000, 5000, 6000, 50_000]) {
      const names = Array.from({ length }, (_, i) => [`a${i}`, i % 3 === 0 ? { BOOL: true as const } : { N: `${i}` }])
      const stored = toStoredItem(Object.fromEntries(names))
      for (const _ of ['first', 'second']) expect(again(toStoredItem(stored.item))).toEqual(stored)
    }
  }, 15_000)

  it('names with brackets, quotes and commas are equal after encoding and decoding', () => {
    for (const name of ['[', ']', 'a[0]', 'a","b', 'S["', '\\'])
      for (const value of [{ S: 'v' }, { N: '1' }, { BOOL: true as const }]) {
        const stored = toStoredItem({ pk: { S: 'k' }, [name]: value, after: { S: 'z' } })
        expect(again(stored)).toEqual(stored)
      }
  })

  it('shapes near the maximum length are equal after encoding and decoding', () => {
    for (let bytes = 2030; bytes < 2060; bytes++)
      for (const letter of ['n', 'é', '"']) {
        const stored = toStoredItem({ [letter.repeat(bytes - 6)]: { S: 'v' }, n: { N: '1' } })
        expect(again(stored)).toEqual(stored)
      }
  })

  it('items stay equal after more shapes than the cache holds', () => {
    for (let i = 0; i < 25_000; i++) {
      const stored = toStoredItem({ pk: { S: 'k' }, [`name ${i}`]: { N: `${i}` } })
      if (i % 1000 < 3) expect(again(stored)).toEqual(stored)
      else encodeStored(stored)
    }
  })

  it('an item is not confused with the previously encoded one', () => {
    const [a, b] = [toStoredItem({ pk: { S: 'a' } }), toStoredItem({ pk: { S: 'b' } })]
    expect([a, b, a, a, b].map(stored => again(stored).item.pk!.S)).toEqual(['a', 'b', 'a', 'a', 'b'])
  })
})
