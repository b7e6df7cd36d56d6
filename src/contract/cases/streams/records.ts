import type { Item } from '../../../dynamodb/attribute-value.js'
import { GET_RECORDS, GET_RECORDS_BYTES } from '../../../dynamodb/limits.js'
import type { StreamViewType } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany, fillItem } from '../../fixtures/sized-items.js'
import { COMPOSITE_KEY_TABLE } from '../../fixtures/table-definitions.js'
import { createStreamedTable, eventNamesOf, listShards, readShardRecords, waitForRecords } from './streamed-table.js'

const KEY = { Id: { N: '101' } }
const DEFINITION = {
  AttributeDefinitions: [{ AttributeName: 'Id', AttributeType: 'N' as const }],
  KeySchema: [{ AttributeName: 'Id', KeyType: 'HASH' as const }],
  BillingMode: 'PAY_PER_REQUEST' as const,
}
const BEFORE: Item = { ...KEY, Message: { S: 'New item!' } }
const AFTER: Item = { ...KEY, Message: { S: 'This item has changed' } }

/** The images of an insert, a change and a removal, by view. The sizes are those of AWS's documentation. */
const VIEWS: Record<StreamViewType, { images: [new: Item | undefined, old: Item | undefined][]; sizes: number[] }> = {
  KEYS_ONLY: { images: createMany(3, () => [undefined, undefined]), sizes: [5, 5, 5] },
  NEW_IMAGE: {
    images: [
      [BEFORE, undefined],
      [AFTER, undefined],
      [undefined, undefined],
    ],
    sizes: [26, 38, 5],
  },
  OLD_IMAGE: {
    images: [
      [undefined, undefined],
      [undefined, BEFORE],
      [undefined, AFTER],
    ],
    sizes: [5, 26, 38],
  },
  NEW_AND_OLD_IMAGES: {
    images: [
      [BEFORE, undefined],
      [AFTER, BEFORE],
      [undefined, AFTER],
    ],
    sizes: [26, 59, 38],
  },
}

const viewCases = defineCases(
  'getRecords',
  Object.fromEntries(
    Object.entries(VIEWS).map(([view, { images, sizes }]) => [
      `a stream of ${view} shows a record of each change with its keys and images`,
      async bench => {
        const table = await createStreamedTable(bench, view as StreamViewType, DEFINITION)
        await bench.put(table.TableName, BEFORE, AFTER)
        await bench.store.deleteItem({ TableName: table.TableName, Key: KEY })
        const records = await waitForRecords(bench, table, 3)
        expectEqual(eventNamesOf(records, KEY), ['INSERT', 'MODIFY', 'REMOVE'])
        expectEqual(
          records.map(({ dynamodb }) => [dynamodb!.NewImage, dynamodb!.OldImage]),
          images,
        )
        expectEqual(
          records.map(({ dynamodb }) => [dynamodb!.SizeBytes, dynamodb!.StreamViewType]),
          sizes.map(size => [size, view]),
        )
      },
    ]),
  ),
)

const recordCases = defineCases('getRecords', {
  'a record has its region, its time and an increasing sequence number': async bench => {
    const table = await createStreamedTable(bench)
    await bench.put(table.TableName, { a: { S: 'a' } }, { a: { S: 'a' }, n: { N: '1' } })
    const records = await waitForRecords(bench, table, 2)
    const region = table.StreamArn.split(':')[3]
    for (const { eventID, eventSource, eventVersion, awsRegion, dynamodb, userIdentity } of records) {
      expectEqual([eventSource, eventVersion, awsRegion, userIdentity], ['aws:dynamodb', '1.1', region, undefined])
      expectEqual(/^[0-9a-f]{32}$/.test(eventID!), true)
      const ageMs = Date.now() - dynamodb!.ApproximateCreationDateTime!.getTime()
      expectEqual(Math.abs(ageMs) < 3600 * 1000, true)
    }
    const [first, second] = records.map(({ dynamodb }) => dynamodb!.SequenceNumber!)
    expectEqual(/^\d{21,40}$/.test(first!), true)
    expectEqual(BigInt(first!) < BigInt(second!), true)
    expectEqual(new Set(records.map(({ eventID }) => eventID)).size, 2)
  },

  'a record is the same when read again': async bench => {
    const table = await createStreamedTable(bench)
    await bench.put(table.TableName, { a: { S: 'a' }, b: { B: new Uint8Array([1, 2]) } })
    const [first] = await waitForRecords(bench, table, 1)
    expectEqual(await waitForRecords(bench, table, 1), [first])
  },

  'a write without changes creates no record': async bench => {
    const table = await createStreamedTable(bench)
    const { TableName } = table
    const Key = { a: { S: 'a' } }
    await bench.put(TableName, { ...Key, n: { N: '1' }, s: { SS: ['x', 'y'] } })
    await bench.put(TableName, { ...Key, n: { N: '1.0' }, s: { SS: ['y', 'x'] } })
    await bench.store.updateItem({ TableName, Key })
    await bench.store.updateItem({
      TableName,
      Key,
      UpdateExpression: 'SET n = :n',
      ExpressionAttributeValues: { ':n': { N: '1' } },
    })
    await bench.store.deleteItem({ TableName, Key: { a: { S: 'never' } } })
    await bench.put(TableName, { ...Key, n: { N: '2' } })
    expectEqual(eventNamesOf(await waitForRecords(bench, table, 2), Key), ['INSERT', 'MODIFY'])
  },

  'every write of a batch and of a transaction creates a record, and a condition check does not': async bench => {
    const table = await createStreamedTable(bench, 'KEYS_ONLY')
    const { TableName } = table
    const key = (a: string) => ({ a: { S: a } })
    await bench.put(TableName, key('put'), key('checked'), key('deleted'))
    await bench.store.batchWriteItem({
      RequestItems: { [TableName]: [{ PutRequest: { Item: { ...key('batch'), n: { N: '1' } } } }] },
    })
    await bench.store.transactWriteItems({
      TransactItems: [
        { Put: { TableName, Item: { ...key('put'), n: { N: '1' } } } },
        { Delete: { TableName, Key: key('deleted') } },
        {
          Update: {
            TableName,
            Key: key('updated'),
            UpdateExpression: 'SET n = :n',
            ExpressionAttributeValues: { ':n': { N: '1' } },
          },
        },
        { ConditionCheck: { TableName, Key: key('checked'), ConditionExpression: 'attribute_exists(a)' } },
      ],
    })
    const records = await waitForRecords(bench, table, 7)
    expectEqual(eventNamesOf(records, key('put')), ['INSERT', 'MODIFY'])
    expectEqual(eventNamesOf(records, key('deleted')), ['INSERT', 'REMOVE'])
    expectEqual(eventNamesOf(records, key('updated')), ['INSERT'])
    expectEqual(eventNamesOf(records, key('checked')), ['INSERT'])
    expectEqual(eventNamesOf(records, key('batch')), ['INSERT'])
  },

  'a refused write creates no record': async bench => {
    const table = await createStreamedTable(bench)
    const { TableName } = table
    const Item = { a: { S: 'a' } }
    await bench.put(TableName, Item)
    const ConditionExpression = 'attribute_not_exists(a)'
    await bench.store
      .putItem({ TableName, Item: { ...Item, n: { N: '1' } }, ConditionExpression })
      .catch(() => undefined)
    const Put = { TableName, Item: { a: { S: 'other' } } }
    await bench.store
      .transactWriteItems({
        TransactItems: [{ Put }, { Delete: { TableName, Key: Item, ConditionExpression } }],
      })
      .catch(() => undefined)
    await bench.put(TableName, { a: { S: 'end' } })
    const records = await waitForRecords(bench, table, 2)
    expectEqual(records.map(({ dynamodb }) => dynamodb!.Keys!.a!.S).toSorted(), ['a', 'end'])
  },

  'the keys of a record are only those of the table': async bench => {
    const table = await createStreamedTable(bench, 'KEYS_ONLY', COMPOSITE_KEY_TABLE)
    await bench.put(table.TableName, { a: { S: '1' }, b: { S: '2' }, c: { S: '3' } })
    const [record] = await waitForRecords(bench, table, 1)
    expectEqual(record!.dynamodb!.Keys, { a: { S: '1' }, b: { S: '2' } })
  },

  'a page has at most the requested number of records, and its iterator continues': async bench => {
    const table = await createStreamedTable(bench)
    const { TableName, StreamArn } = table
    for (const n of createMany(5, String)) await bench.put(TableName, { a: { S: 'one' }, n: { N: n } })
    await waitForRecords(bench, table, 5)
    const withRecords = []
    for (const shard of await listShards(bench, StreamArn))
      if ((await readShardRecords(bench, StreamArn, shard)).length > 0) withRecords.push(shard)
    const request = { StreamArn, ShardId: withRecords[0]!.ShardId!, ShardIteratorType: 'TRIM_HORIZON' as const }
    let iterator = (await bench.service.getShardIterator(request)).ShardIterator
    const numbers: string[] = []
    while (numbers.length < 5) {
      const page = await bench.service.getRecords({ ShardIterator: iterator!, Limit: 2 })
      expectEqual(page.Records!.length <= 2, true)
      numbers.push(...page.Records!.map(({ dynamodb }) => dynamodb!.NewImage!.n!.N!))
      iterator = page.NextShardIterator
    }
    expectEqual(numbers, ['0', '1', '2', '3', '4'])
  },

  'a page of more than 1,000 records is rejected': withCoverage(['limit:GET_RECORDS'], async bench => {
    const { StreamArn } = await createStreamedTable(bench)
    const [shard] = await listShards(bench, StreamArn)
    const request = { StreamArn, ShardId: shard!.ShardId!, ShardIteratorType: 'TRIM_HORIZON' as const }
    const { ShardIterator } = await bench.service.getShardIterator(request)
    await expectValidationError(
      bench.service.getRecords({ ShardIterator: ShardIterator!, Limit: GET_RECORDS + 1 }),
      'One or more parameter values were invalid: Limit should be less than or equal to 1000',
    )
  }),

  'a page has at most 1,000 records and one megabyte': withCoverage(
    ['limit:GET_RECORDS', 'limit:GET_RECORDS_BYTES'],
    async bench => {
      const table = await createStreamedTable(bench, 'NEW_IMAGE')
      const large = (n: number) => fillItem({ a: { S: 'one' }, n: { N: String(n) } }, 390 * 1024)
      await bench.put(table.TableName, ...createMany(4, large))
      await waitForRecords(bench, table, 4)
      for (const shard of await listShards(bench, table.StreamArn)) {
        const request = {
          StreamArn: table.StreamArn,
          ShardId: shard.ShardId!,
          ShardIteratorType: 'TRIM_HORIZON' as const,
        }
        const { ShardIterator } = await bench.service.getShardIterator(request)
        const { Records } = await bench.service.getRecords({ ShardIterator: ShardIterator!, Limit: GET_RECORDS })
        const bytes = Records!.reduce((sum, { dynamodb }) => sum + dynamodb!.SizeBytes!, 0)
        expectEqual(bytes <= GET_RECORDS_BYTES, true)
      }
    },
  ),
})

export const streamRecordCases = [...viewCases, ...recordCases]
