import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'

it('an index cannot be read before it is built', async () => {
  let nowMs = 0
  const store = memory({ transitionMs: 1000, now: () => nowMs })
  const TableName = 'growing'
  await store.createTable({
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  nowMs += 1000
  await store.putItem({ TableName, Item: { pk: { S: 'a' }, other: { S: 'b' } } })
  await store.updateTable({
    TableName,
    AttributeDefinitions: [{ AttributeName: 'other', AttributeType: 'S' }],
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName: 'byOther',
          KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      },
    ],
  })
  const select = () => store.executeStatement({ Statement: `SELECT * FROM growing.byOther WHERE other = 'b'` })
  await expect(select()).rejects.toThrow('Cannot read from backfilling global secondary index: byOther')
  nowMs += 1000
  expect((await select()).Items).toEqual([{ pk: { S: 'a' }, other: { S: 'b' } }])
})
