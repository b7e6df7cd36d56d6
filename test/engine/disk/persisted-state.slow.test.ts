import { describe, expect, it, vi } from 'vitest'
import { caseName, contractFor } from '../../../src/contract/index.js'
import type { CreateTableInput } from '../../../src/dynamodb/operation-types.js'
import { type Engine, newEngine } from '../../../src/engine/engine.js'
import { newMemoryKeyValues } from '../../../src/engine/keyvalues/memory-key-values.js'
import type { KeyValueStore } from '../../../src/engine/keyvalues/port.js'
import { DefinitionStore } from '../../../src/engine/persistence/definition-store.js'
import { newEngineStore } from '../../../src/engine/store.js'
import type { StoredItem } from '../../../src/engine/values/stored-item.js'
import { temporaryFolder } from './temporary-folder.js'

const table = (TableName: string): CreateTableInput => ({
  TableName,
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  BillingMode: 'PAY_PER_REQUEST',
})

/** Returns the stored definitions of tables, streams, exports and imports. */
function savedDefinitions(keyValues: KeyValueStore<StoredItem>): Record<string, string> {
  const saved: Record<string, string> = {}
  for (const space of ['tables', 'counts', 'streams', 'exports', 'imports'])
    keyValues.space(space).range({ from: '', to: undefined, reverse: false }, (record, name) => {
      saved[`${space}/${name}`] = record.item.json!.S!
      return true
    })
  return saved
}

/** Returns everything that a full save would store. */
function all(engine: Engine): Record<string, string> {
  const keyValues = newMemoryKeyValues<StoredItem>()
  engine.tables.values()
  engine.streams.values()
  new DefinitionStore({ ...engine, keyValues }).save()
  return savedDefinitions(keyValues)
}

describe('saved definitions', () => {
  it('a write saves its changes without comparing other tables or streams', async () => {
    const engine = newEngine(newMemoryKeyValues<StoredItem>())
    const definitions = new DefinitionStore(engine)
    const store = newEngineStore(engine)
    for (const name of ['written', 'another']) await store.createTable(table(name))
    definitions.save()
    const another = engine.tables.get('another')!
    definitions.save()
    const spies = [
      vi.spyOn(another.stream!, 'state', 'get'),
      vi.spyOn(Object.defineProperty(another, 'itemCount', { get: () => 0, configurable: true }), 'itemCount', 'get'),
      vi.spyOn(Object.defineProperty(another, 'tags', { get: () => [], configurable: true }), 'tags', 'get'),
    ]
    await store.putItem({ TableName: 'written', Item: { pk: { S: 'a' } } })
    definitions.save()
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    expect(JSON.parse(savedDefinitions(engine.keyValues)['counts/written']!).counts).toEqual([[1, 3]])
  })

  it('incremental saves store everything after every successful contract case', async () => {
    const keyValues = newMemoryKeyValues<StoredItem>()
    const write: typeof keyValues.write = work => {
      const result = work()
      definitions.save()
      return result
    }
    const engine: Engine = newEngine({ ...keyValues, write }, { exports: temporaryFolder() })
    const definitions = new DefinitionStore(engine)
    const { bench, cases } = contractFor(newEngineStore(engine), { bucket: 'contract' })
    for (const contractCase of cases.filter(({ name }) => !/refuse|reject/.test(name))) {
      await contractCase.run(bench)
      expect(savedDefinitions(keyValues), caseName(contractCase)).toEqual(all(engine))
    }
    await bench.close()
    expect(savedDefinitions(keyValues)).toEqual(all(engine))
  })
})
