import type { ConsumedCapacity } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectValidationError } from '../../assertions.js'
import { type CaseRunner, type ContractCase, defineCases } from '../../contract-case.js'
import type { TestBench } from '../../test-bench.js'

/** A table named by its ARN, and an item of it. */
interface NamedTable {
  readonly TableName: string
  readonly Item: { pk: { S: string } }
}

const SENTENCE = 'the table can be named by its ARN'

/** Creates a case that names a table by its ARN. */
function runByArn(run: (bench: TestBench, named: NamedTable) => Promise<void>): CaseRunner {
  return async bench => {
    const { Table } = await bench.store.describeTable({ TableName: await bench.sharedTable('hash') })
    const Item = { pk: { S: bench.unique() } }
    await bench.put(Table!.TableName!, Item)
    await run(bench, { TableName: Table!.TableArn!, Item })
  }
}

const CASES: Partial<Record<ContractCase['operation'], CaseRunner>> = {
  getItem: runByArn(async ({ store }, { TableName, Item }) => {
    expectEqual((await store.getItem({ TableName, Key: Item, ConsistentRead: true })).Item, Item)
  }),
  putItem: runByArn(async ({ store }, { TableName, Item }) => {
    const { Attributes } = await store.putItem({ TableName, Item, ReturnValues: 'ALL_OLD' })
    expectEqual(Attributes, Item)
  }),
  updateItem: runByArn(async ({ store }, { TableName, Item }) => {
    expectEqual((await store.updateItem({ TableName, Key: Item, ReturnValues: 'ALL_NEW' })).Attributes, Item)
  }),
  deleteItem: runByArn(async ({ store }, { TableName, Item }) => {
    expectEqual((await store.deleteItem({ TableName, Key: Item, ReturnValues: 'ALL_OLD' })).Attributes, Item)
  }),
  query: runByArn(async ({ store }, { TableName, Item }) => {
    const { Items } = await store.query({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': Item.pk },
      ConsistentRead: true,
    })
    expectEqual(Items, [Item])
  }),
  scan: runByArn(async ({ store }, { TableName }) => {
    expectEqual((await store.scan({ TableName, Limit: 1 })).Count, 1)
  }),
  batchGetItem: runByArn(async ({ store }, { TableName, Item }) => {
    const { Responses } = await store.batchGetItem({ RequestItems: { [TableName]: { Keys: [Item] } } })
    expectEqual(Object.values(Responses!), [[Item]])
  }),
  batchWriteItem: runByArn(async (bench, { TableName, Item }) => {
    await bench.store.batchWriteItem({ RequestItems: { [TableName]: [{ DeleteRequest: { Key: Item } }] } })
    expectEqual(await bench.get(TableName, Item), undefined)
  }),
  transactGetItems: runByArn(async ({ store }, { TableName, Item }) => {
    const { Responses } = await store.transactGetItems({ TransactItems: [{ Get: { TableName, Key: Item } }] })
    expectEqual(Responses, [{ Item }])
  }),
  transactWriteItems: runByArn(async (bench, { TableName, Item }) => {
    await bench.store.transactWriteItems({ TransactItems: [{ Delete: { TableName, Key: Item } }] })
    expectEqual(await bench.get(TableName, Item), undefined)
  }),
  describeTimeToLive: runByArn(async ({ store }, { TableName }) => {
    expectEqual((await store.describeTimeToLive({ TableName })).TimeToLiveDescription!.TimeToLiveStatus, 'DISABLED')
  }),
  describeContinuousBackups: runByArn(async ({ service }, { TableName }) => {
    const { ContinuousBackupsDescription } = await service.describeContinuousBackups({ TableName })
    expectEqual(ContinuousBackupsDescription!.PointInTimeRecoveryDescription!.PointInTimeRecoveryStatus, 'DISABLED')
  }),
}

interface ConsumedCapacityOutput {
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined
}

/** A call that returns its consumed capacity. */
type MeteredCall = (bench: TestBench, named: NamedTable) => Promise<ConsumedCapacityOutput>

const ReturnConsumedCapacity = 'TOTAL'

const METERED: Partial<Record<ContractCase['operation'], MeteredCall>> = {
  getItem: ({ store }, { TableName, Item }) => store.getItem({ TableName, Key: Item, ReturnConsumedCapacity }),
  putItem: ({ store }, { TableName, Item }) => store.putItem({ TableName, Item, ReturnConsumedCapacity }),
  query: ({ store }, { TableName, Item }) =>
    store.query({
      ...{ TableName, KeyConditionExpression: 'pk = :pk', ReturnConsumedCapacity },
      ExpressionAttributeValues: { ':pk': Item.pk },
    }),
  scan: ({ store }, { TableName }) => store.scan({ TableName, Limit: 1, ReturnConsumedCapacity }),
  batchGetItem: ({ store }, { TableName, Item }) =>
    store.batchGetItem({ RequestItems: { [TableName]: { Keys: [Item] } }, ReturnConsumedCapacity }),
  batchWriteItem: ({ store }, { TableName, Item }) =>
    store.batchWriteItem({ RequestItems: { [TableName]: [{ PutRequest: { Item } }] }, ReturnConsumedCapacity }),
  transactGetItems: ({ store }, { TableName, Item }) =>
    store.transactGetItems({ TransactItems: [{ Get: { TableName, Key: Item } }], ReturnConsumedCapacity }),
  transactWriteItems: async (bench, { TableName, Item }) => {
    const TransactItems = [{ Put: { TableName, Item } }]
    const request = { TransactItems, ClientRequestToken: bench.unique().slice(-36), ReturnConsumedCapacity } as const
    const [once, again] = [await bench.store.transactWriteItems(request), await bench.store.transactWriteItems(request)]
    return { ConsumedCapacity: [...once.ConsumedCapacity!, ...again.ConsumedCapacity!] }
  },
}

const expectTableName = (call: MeteredCall) =>
  runByArn(async (bench, named) => {
    const { ConsumedCapacity } = await call(bench, named)
    for (const { TableName } of [ConsumedCapacity!].flat()) expectEqual(TableName, named.TableName)
  })

const otherCases = defineCases('getItem', {
  "the ARN of a table's index or stream is rejected in place of a table ARN": runByArn(
    async ({ store }, { TableName, Item }) => {
      for (const part of ['index/some', 'stream/2026-01-01T00:00:00.000'])
        await expectValidationError(
          store.getItem({ TableName: `${TableName}/${part}`, Key: Item }),
          `1 validation error detected: Invalid resource type in '${TableName}/${part}'`,
        )
    },
  ),
})

export const tableByArnCases: readonly ContractCase[] = [
  ...otherCases,
  ...Object.entries(CASES).flatMap(([operation, run]) =>
    defineCases(operation as ContractCase['operation'], { [SENTENCE]: run }),
  ),
  ...Object.entries(METERED).flatMap(([operation, call]) =>
    defineCases(operation as ContractCase['operation'], {
      'capacity names the table as the request does, also by its ARN': expectTableName(call),
    }),
  ),
]
