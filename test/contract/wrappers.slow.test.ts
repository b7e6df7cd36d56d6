import { expect, test } from 'vitest'
import { caseName, contractFor } from '../../src/contract/index.js'
import { memory } from '../../src/engine/index.js'
import { metered } from '../../src/store/metered-store.js'
import type { Store } from '../../src/store/port.js'
import { retrying } from '../../src/store/retry.js'

/** The cases that a store fails. The run deletes every table except the one with deletion protection. */
async function broken(store: Store, skip: Record<string, string> = {}): Promise<string[]> {
  const { bench, cases } = contractFor(store, { skip })
  const found: string[] = []
  for (const given of cases) {
    if (given.skip === undefined) await given.run(bench).catch(() => found.push(caseName(given)))
  }
  await bench.close()
  const left = (await store.listTables({})).TableNames!.map(TableName => store.describeTable({ TableName }))
  expect((await Promise.all(left)).map(({ Table }) => Table!.DeletionProtectionEnabled)).toEqual([true])
  return found
}

test('a metered store keeps the contract', { timeout: 60_000 }, async () => {
  expect(await broken(metered(memory()).store)).toEqual([])
})

test('a store with retries keeps the contract and leaves nothing unprocessed', { timeout: 60_000 }, async () => {
  const skip = {
    'batchGetItem: keys beyond 16 MB are unprocessed, with their read options': 'they are asked for',
    'batchGetItem: keys beyond 1 MB of one partition are unprocessed, and keys of other partitions are read':
      'the wrapper requests unprocessed keys again',
  }
  expect(await broken(retrying(memory()), skip)).toEqual([])
})
