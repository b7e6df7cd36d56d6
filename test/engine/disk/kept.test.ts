import { describe, expect, it, vi } from 'vitest'
import type { CreateTableRequest } from '../../../src/dynamodb/operations/tables.js'
import { type Engine, newEngine } from '../../../src/engine/engine.js'
import { memoryKeyValues } from '../../../src/engine/keyvalues/memory.js'
import type { KeyValues } from '../../../src/engine/keyvalues/port.js'
import { Definitions } from '../../../src/engine/persistence/definitions.js'
import { engineStore } from '../../../src/engine/store.js'
import type { Stored } from '../../../src/engine/values/stored.js'
import { caseName, contractFor } from '../../../src/store/contract/index.js'

const table = (TableName: string): CreateTableRequest => ({
  TableName,
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  BillingMode: 'PAY_PER_REQUEST',
})

/** What is on disk of the tables and streams. */
function keptIn(keyValues: KeyValues<Stored>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const space of ['tables', 'counts', 'streams'])
    keyValues.space(space).range({ from: '', to: undefined, reverse: false }, (record, name) => {
      kept[`${space}/${name}`] = record.item.json!.S!
      return true
    })
  return kept
}

/** All that there is to be kept. */
function all(engine: Engine): Record<string, string> {
  const keyValues = memoryKeyValues<Stored>()
  engine.tables.values()
  engine.streams.values()
  new Definitions({ ...engine, keyValues }).save()
  return keptIn(keyValues)
}

describe('what a write keeps', () => {
  it('is found without a look at any other table or stream, however many there are', async () => {
    const engine = newEngine(memoryKeyValues<Stored>())
    const definitions = new Definitions(engine)
    const store = engineStore(engine)
    for (const name of ['written', 'another']) await store.createTable(table(name))
    definitions.save()
    const another = engine.tables.get('another')!
    definitions.save()
    const looks = [
      vi.spyOn(another.stream!, 'state', 'get'),
      vi.spyOn(Object.defineProperty(another, 'itemCount', { get: () => 0, configurable: true }), 'itemCount', 'get'),
      vi.spyOn(Object.defineProperty(another, 'tags', { get: () => [], configurable: true }), 'tags', 'get'),
    ]
    await store.putItem({ TableName: 'written', Item: { pk: { S: 'a' } } })
    definitions.save()
    for (const look of looks) expect(look).not.toHaveBeenCalled()
    expect(JSON.parse(keptIn(engine.keyValues)['counts/written']!).counts).toEqual([[1, 3]])
  })

  it('is all that there is to be kept, after every case of the contract that is not refused', async () => {
    const keyValues = memoryKeyValues<Stored>()
    const write: typeof keyValues.write = work => {
      const result = work()
      definitions.save()
      return result
    }
    const engine: Engine = newEngine({ ...keyValues, write })
    const definitions = new Definitions(engine)
    const { bench, cases } = contractFor(engineStore(engine))
    for (const given of cases.filter(({ name }) => !name.includes('refused'))) {
      await given.run(bench)
      expect(keptIn(keyValues), caseName(given)).toEqual(all(engine))
    }
    await bench.close()
    expect(keptIn(keyValues)).toEqual(all(engine))
  })
})
