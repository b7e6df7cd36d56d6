import type { ConsumedCapacity } from '../../../dynamodb/operations/capacity.js'
import type { Bench } from '../bench.js'
import { type ContractCase, cases, type Run } from '../case.js'
import { invalid, same } from '../expect.js'

/** A table by its ARN, and an item of it. */
interface Named {
  readonly TableName: string
  readonly Item: { pk: { S: string } }
}

const SENTENCE = 'the table may be named by its ARN'

/** A case in which a table is given by its ARN. */
function byArn(run: (bench: Bench, named: Named) => Promise<void>): Run {
  return async bench => {
    const { Table } = await bench.store.describeTable({ TableName: await bench.table('hash') })
    const Item = { pk: { S: bench.unique() } }
    await bench.put(Table!.TableName!, Item)
    await run(bench, { TableName: Table!.TableArn!, Item })
  }
}

const CASES: Partial<Record<ContractCase['operation'], Run>> = {
  getItem: byArn(async ({ store }, { TableName, Item }) => {
    same((await store.getItem({ TableName, Key: Item, ConsistentRead: true })).Item, Item)
  }),
  putItem: byArn(async ({ store }, { TableName, Item }) => {
    const { Attributes } = await store.putItem({ TableName, Item, ReturnValues: 'ALL_OLD' })
    same(Attributes, Item)
  }),
  updateItem: byArn(async ({ store }, { TableName, Item }) => {
    same((await store.updateItem({ TableName, Key: Item, ReturnValues: 'ALL_NEW' })).Attributes, Item)
  }),
  deleteItem: byArn(async ({ store }, { TableName, Item }) => {
    same((await store.deleteItem({ TableName, Key: Item, ReturnValues: 'ALL_OLD' })).Attributes, Item)
  }),
  query: byArn(async ({ store }, { TableName, Item }) => {
    const { Items } = await store.query({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': Item.pk },
      ConsistentRead: true,
    })
    same(Items, [Item])
  }),
  scan: byArn(async ({ store }, { TableName }) => {
    same((await store.scan({ TableName, Limit: 1 })).Count, 1)
  }),
  batchGetItem: byArn(async ({ store }, { TableName, Item }) => {
    const { Responses } = await store.batchGetItem({ RequestItems: { [TableName]: { Keys: [Item] } } })
    same(Object.values(Responses!), [[Item]])
  }),
  batchWriteItem: byArn(async (bench, { TableName, Item }) => {
    await bench.store.batchWriteItem({ RequestItems: { [TableName]: [{ DeleteRequest: { Key: Item } }] } })
    same(await bench.get(TableName, Item), undefined)
  }),
  transactGetItems: byArn(async ({ store }, { TableName, Item }) => {
    const { Responses } = await store.transactGetItems({ TransactItems: [{ Get: { TableName, Key: Item } }] })
    same(Responses, [{ Item }])
  }),
  transactWriteItems: byArn(async (bench, { TableName, Item }) => {
    await bench.store.transactWriteItems({ TransactItems: [{ Delete: { TableName, Key: Item } }] })
    same(await bench.get(TableName, Item), undefined)
  }),
  describeTimeToLive: byArn(async ({ store }, { TableName }) => {
    same((await store.describeTimeToLive({ TableName })).TimeToLiveDescription!.TimeToLiveStatus, 'DISABLED')
  }),
  describeContinuousBackups: byArn(async ({ service }, { TableName }) => {
    const { ContinuousBackupsDescription } = await service.describeContinuousBackups({ TableName })
    same(ContinuousBackupsDescription!.PointInTimeRecoveryDescription!.PointInTimeRecoveryStatus, 'DISABLED')
  }),
}

interface Consuming {
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined
}

/** A call that answers what capacity it took. */
type Metered = (bench: Bench, named: Named) => Promise<Consuming>

const ReturnConsumedCapacity = 'TOTAL'

const METERED: Partial<Record<ContractCase['operation'], Metered>> = {
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

const toldByArn = (call: Metered) =>
  byArn(async (bench, named) => {
    const { ConsumedCapacity } = await call(bench, named)
    for (const { TableName } of [ConsumedCapacity!].flat()) same(TableName, named.TableName)
  })

const otherCases = cases('getItem', {
  'what is of a table, but is none, is refused where a table may be named by its ARN': byArn(
    async ({ store }, { TableName, Item }) => {
      for (const part of ['index/some', 'stream/2026-01-01T00:00:00.000'])
        await invalid(
          store.getItem({ TableName: `${TableName}/${part}`, Key: Item }),
          `1 validation error detected: Invalid resource type in '${TableName}/${part}'`,
        )
    },
  ),
})

export const tableByArnCases: readonly ContractCase[] = [
  ...otherCases,
  ...Object.entries(CASES).flatMap(([operation, run]) =>
    cases(operation as ContractCase['operation'], { [SENTENCE]: run }),
  ),
  ...Object.entries(METERED).flatMap(([operation, call]) =>
    cases(operation as ContractCase['operation'], {
      'capacity is told of a table as it is named, also by its ARN': toldByArn(call),
    }),
  ),
]
