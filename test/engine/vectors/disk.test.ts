import { describe, expect, test } from 'vitest'
import { newEngine } from '../../../src/engine/engine.js'
import { disk } from '../../../src/engine/index.js'
import { newMemoryKeyValues } from '../../../src/engine/keyvalues/memory-key-values.js'
import { parseDefinition, toDefinitionRecord } from '../../../src/engine/persistence/definition-record.js'
import { DefinitionStore } from '../../../src/engine/persistence/definition-store.js'
import { newEngineStore } from '../../../src/engine/store.js'
import type { StoredItem } from '../../../src/engine/values/stored-item.js'
import { temporaryFolder } from '../disk/temporary-folder.js'
import { found, item, numbers, TABLE, TableName } from './tables.js'

const tenant = { tenant: { S: 't' }, raws: { B: new Uint8Array([0, 255]) } }
const DIVIDED = {
  IndexName: 'divided',
  SearchConditionExpression: 'tenant = :t',
  ExpressionAttributeValues: { ':t': { S: 't' } },
}

describe('vector indexes in reopened folders', () => {
  test('a reopened folder has its vectors and projected attributes and accepts writes', async () => {
    const path = temporaryFolder()
    let store = disk(path, { sync: false })
    await store.createTable(TABLE)
    await store.putItem({ TableName, Item: item('a', ['0.1', '16777217'], tenant) })
    await store.putItem({ TableName, Item: item('b', [1, 0]) })
    const all = {
      TableName,
      IndexName: 'some',
      SearchVector: numbers(1, 0),
      TopK: 2,
      ProjectionExpression: 'pk, vector, raws',
    }
    const before = [await store.searchVectors(all), await store.describeTable({ TableName })]
    await store.close()
    store = disk(path, { sync: false })
    expect([await store.searchVectors(all), await store.describeTable({ TableName })]).toEqual(before)
    expect(await found(store, DIVIDED)).toEqual(['a'])
    await store.deleteItem({ TableName, Key: { pk: { S: 'a' } } })
    await store.putItem({ TableName, Item: item('c', [1, 1], tenant) })
    expect([await found(store), await found(store, DIVIDED)]).toEqual([['b', 'c'], ['c']])
    await store.close()
  })
})

/** Creates an engine like a folder of a version without vector searches: tables have vector indexes without entries. */
async function fromBefore() {
  const keyValues = newMemoryKeyValues<StoredItem>()
  const engine = newEngine(keyValues)
  const store = newEngineStore(engine)
  await store.createTable(TABLE)
  for (const each of [item('a', [1, 0], tenant), item('b', [0, 1]), item('c', [1, 1])])
    await store.putItem({ TableName, Item: each })
  new DefinitionStore(engine).save()
  const { vectors: _, ...counts } = parseDefinition(keyValues.space('counts').get(TableName)!) as Record<
    string,
    unknown
  >
  keyValues.space('counts').put(TableName, toDefinitionRecord(counts))
  for (const { space } of engine.tables.get(TableName)!.vectorIndexes) {
    const keys: string[] = []
    space.range({ from: '', to: undefined, reverse: false }, (_, key) => keys.push(key) > 0)
    for (const key of keys.slice(1)) space.remove(key)
  }
  await store.updateItem({ TableName, Key: { pk: { S: 'c' } } })
  const opened = newEngine(keyValues)
  new DefinitionStore(opened).load()
  return { opened, store: newEngineStore(opened) }
}

describe('folders of versions without vector searches', () => {
  test('the vector indexes are filled before the next call', async () => {
    const { store } = await fromBefore()
    expect(await found(store)).toEqual(['a', 'c', 'b'])
    expect(await found(store, DIVIDED)).toEqual(['a'])
    const { Table } = await store.describeTable({ TableName })
    expect(Table!.VectorIndexes!.map(({ ItemCount }) => ItemCount)).toEqual([3, 1])
  })

  test('a vector index that is not filled rejects searches', async () => {
    const { opened, store } = await fromBefore()
    opened.schedule.clear()
    await expect(found(store)).rejects.toThrow('Cannot search backfilling vector index: some')
    await store.putItem({ TableName, Item: item('d', [9, 1]) })
    await expect(found(store)).rejects.toThrow('Cannot search backfilling vector index: some')
    opened.schedule.add(0)
    expect(await found(store)).toEqual(['a', 'd', 'c', 'b'])
  })
})
