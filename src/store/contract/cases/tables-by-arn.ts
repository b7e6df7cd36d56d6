import type { Bench } from '../bench.js'
import { type ContractCase, cases, type Run } from '../case.js'
import { same } from '../expect.js'

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

export const tableByArnCases: readonly ContractCase[] = Object.entries(CASES).flatMap(([operation, run]) =>
  cases(operation as ContractCase['operation'], { [SENTENCE]: run }),
)
