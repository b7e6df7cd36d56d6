import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { disk, memory } from '../../../src/engine/index.js'
import { takeItem } from '../../../src/engine/values/intake.js'
import { decodeStored, encodeStored } from '../../../src/engine/values/stored-bytes.js'
import type { Store } from '../../../src/store/port.js'
import { anyAttributes } from '../../arbitraries.js'
import { anyWrites, TABLE } from '../properties/writes.js'
import { temporaryFolder } from './folder.js'

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

describe('a store on disk', () => {
  it('answers any sequence of writes as one in memory does, and holds the same, however often it is opened', async () => {
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

describe('a stored item', () => {
  it('is the same after it was bytes', () => {
    fc.assert(
      fc.property(anyAttributes, attributes => {
        const stored = takeItem(attributes, 'current')
        expect(decodeStored(encodeStored(stored))).toEqual(stored)
      }),
    )
  })
})
