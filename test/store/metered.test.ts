import { describe, expect, test } from 'vitest'
import { metered } from '../../src/store/metered-store.js'
import { retrying } from '../../src/store/retry.js'
import { scripted, serviceError, VirtualClock } from './scripted-store.js'

const get = { TableName: 't', Key: { id: { S: 'a' } } }
const put = { TableName: 't', Item: { id: { S: 'a' } } }
const units = (CapacityUnits: number) => ({ CapacityUnits })

describe('a caller of a metered store', () => {
  const consumed = { TableName: 't', CapacityUnits: 3, Table: units(1), GlobalSecondaryIndexes: { g: units(2) } }
  const answer = { Attributes: { id: { S: 'a' } }, ConsumedCapacity: consumed }

  test.each([undefined, 'NONE', 'TOTAL', 'INDEXES'] as const)(
    'a caller of a metered store receives the capacity requested by %s',
    async asked => {
      const { store, sent } = scripted(answer)
      const given = await metered(store).store.putItem({ ...put, ReturnConsumedCapacity: asked })
      const total = { TableName: 't', CapacityUnits: 3 }
      const expected = asked === 'INDEXES' ? consumed : asked === 'TOTAL' ? total : undefined
      expect(given).toStrictEqual({ Attributes: answer.Attributes, ...(expected && { ConsumedCapacity: expected }) })
      expect(sent[0]?.request).toEqual({ ...put, ReturnConsumedCapacity: 'INDEXES' })
    },
  )

  test('a caller of a metered store receives a total for each table of a batch', async () => {
    const { store } = scripted({ ConsumedCapacity: [consumed, { TableName: 'u', CapacityUnits: 1, Table: units(1) }] })
    const given = await metered(store).store.batchWriteItem({ RequestItems: {}, ReturnConsumedCapacity: 'TOTAL' })
    const totals = [
      { TableName: 't', CapacityUnits: 3 },
      { TableName: 'u', CapacityUnits: 1 },
    ]
    expect(given).toStrictEqual({ ConsumedCapacity: totals })
  })

  test('a caller of a metered store receives no capacity that the store did not report', async () => {
    const { store } = scripted({ Items: [] })
    const given = await metered(store).store.query({ TableName: 't', ReturnConsumedCapacity: 'TOTAL' })
    expect(given).toStrictEqual({ Items: [] })
  })
})

test('a metered store passes on an unknown capacity mode, which the store rejects', async () => {
  const { store, sent } = scripted({})
  const request = { ...get, ReturnConsumedCapacity: 'SOME' as 'TOTAL' }
  await metered(store).store.getItem(request)
  expect(sent[0]?.request).toEqual(request)
})

test('a null capacity mode returns no capacity, but the meter counts it', async () => {
  const { store } = scripted({ ConsumedCapacity: { TableName: 't', CapacityUnits: 1, Table: units(1) } })
  const { store: counted, meter } = metered(store)
  const request = { ...put, ReturnConsumedCapacity: null as unknown as undefined }
  expect(await counted.putItem(request)).toStrictEqual({})
  expect(meter.snapshot().tables.t).toMatchObject({ write: 1 })
})

test('a metered store passes on a call without a request', async () => {
  const { store } = scripted({ TableNames: [] }, serviceError('ValidationException'))
  const { store: counted } = metered(store)
  expect(await counted.listTables(undefined as never)).toEqual({ TableNames: [] })
  await expect(counted.getItem(undefined as never)).rejects.toThrow('ValidationException')
})

test('a metered store does not request capacity for table operations', async () => {
  const { store, sent } = scripted({ TableNames: [] })
  const { store: counted, meter } = metered(store)
  expect(await counted.listTables({})).toEqual({ TableNames: [] })
  expect(sent[0]?.request).toEqual({})
  expect(meter.snapshot()).toEqual({ requests: { listTables: 1 }, tables: {} })
})

test('the meter adds up units by table and index, with reads and writes apart', async () => {
  const { store } = scripted(
    { ConsumedCapacity: { TableName: 't', CapacityUnits: 0.5, Table: units(0.5) } },
    {
      ConsumedCapacity: {
        TableName: 't',
        CapacityUnits: 4,
        Table: units(1),
        GlobalSecondaryIndexes: { g: units(2) },
        LocalSecondaryIndexes: { constructor: units(1) },
      },
    },
    {
      ConsumedCapacity: {
        TableName: 't',
        CapacityUnits: 1.5,
        Table: units(0),
        GlobalSecondaryIndexes: { g: units(1.5) },
      },
    },
    { ConsumedCapacity: [{ TableName: 'constructor', CapacityUnits: 2, Table: units(2) }] },
  )
  const { store: counted, meter } = metered(store)
  await counted.getItem(get)
  await counted.putItem(put)
  await counted.query({ TableName: 't', IndexName: 'g' })
  await counted.batchGetItem({ RequestItems: {} })
  expect(meter.snapshot()).toEqual({
    requests: { getItem: 1, putItem: 1, query: 1, batchGetItem: 1 },
    tables: {
      t: {
        read: 2,
        write: 4,
        table: { read: 0.5, write: 1 },
        globalSecondaryIndexes: { g: { read: 1.5, write: 2 } },
        localSecondaryIndexes: { constructor: { read: 0, write: 1 } },
      },
      constructor: {
        read: 2,
        write: 0,
        table: { read: 2, write: 0 },
        globalSecondaryIndexes: {},
        localSecondaryIndexes: {},
      },
    },
  })
})

test('a transaction that is answered from its token counts as a read', async () => {
  const replayed = { CapacityUnits: 2, ReadCapacityUnits: 2 }
  const { store } = scripted({ ConsumedCapacity: [{ TableName: 't', ...replayed, Table: replayed }] })
  const { store: counted, meter } = metered(store)
  await counted.transactWriteItems({ TransactItems: [], ClientRequestToken: 'once' })
  expect(meter.snapshot().tables.t).toMatchObject({ read: 2, write: 0, table: { read: 2, write: 0 } })
})

test('units without a breakdown count as those of the table', async () => {
  const { store } = scripted({ ConsumedCapacity: { TableName: 't', CapacityUnits: 1 } })
  const { store: counted, meter } = metered(store)
  await counted.putItem(put)
  expect(meter.snapshot().tables.t).toMatchObject({ read: 0, write: 1, table: { read: 0, write: 1 } })
})

test('units of a global index do not count for the table if the store omits the table', async () => {
  const { store } = scripted({
    ConsumedCapacity: { TableName: 't', CapacityUnits: 2, GlobalSecondaryIndexes: { g: units(2) } },
  })
  const { store: counted, meter } = metered(store)
  await counted.query({ TableName: 't', IndexName: 'g' })
  expect(meter.snapshot().tables.t).toMatchObject({ read: 2, table: { read: 0, write: 0 } })
})

test('units of a local index do not count for the table if the store omits the table', async () => {
  const { store } = scripted({
    ConsumedCapacity: { TableName: 't', CapacityUnits: 2, LocalSecondaryIndexes: { l: units(2) } },
  })
  const { store: counted, meter } = metered(store)
  await counted.query({ TableName: 't', IndexName: 'l' })
  expect(meter.snapshot().tables.t).toMatchObject({ read: 2, table: { read: 0, write: 0 } })
})

test('the write units that a transaction reports count as writes', async () => {
  const told = { CapacityUnits: 2, WriteCapacityUnits: 2 }
  const { store } = scripted({ ConsumedCapacity: [{ TableName: 't', ...told, Table: told }] })
  const { store: counted, meter } = metered(store)
  await counted.transactWriteItems({ TransactItems: [] })
  expect(meter.snapshot().tables.t).toMatchObject({ read: 0, write: 2, table: { read: 0, write: 2 } })
})

test('the meter counts failed requests, and every attempt below retrying', async () => {
  const { store } = scripted(serviceError('ThrottlingException'), {}, serviceError('ValidationException'))
  const { store: counted, meter } = metered(store)
  const patient = retrying(counted, { clock: new VirtualClock() })
  await patient.getItem(get)
  await expect(patient.getItem(get)).rejects.toThrow('ValidationException')
  expect(meter.snapshot()).toEqual({ requests: { getItem: 3 }, tables: {} })
})

test('a snapshot of the meter does not change, and a reset starts at zero', async () => {
  const consumed = { ConsumedCapacity: { TableName: 't', CapacityUnits: 1, Table: units(1) } }
  const { store } = scripted(consumed, consumed)
  const { store: counted, meter } = metered(store)
  await counted.putItem(put)
  const first = meter.snapshot()
  await counted.putItem(put)
  expect(first).toMatchObject({ requests: { putItem: 1 }, tables: { t: { write: 1 } } })
  expect(meter.snapshot()).toMatchObject({ requests: { putItem: 2 }, tables: { t: { write: 2 } } })
  meter.reset()
  expect(meter.snapshot()).toEqual({ requests: {}, tables: {} })
})
