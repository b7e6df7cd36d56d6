import { GLOBAL_INDEXES } from '../../../dynamodb/limits.js'
import type { GlobalSecondaryIndex } from '../../../dynamodb/operations/indexes.js'
import type { GlobalSecondaryIndexUpdate } from '../../../dynamodb/operations/update-table.js'
import type { Bench } from '../bench.js'
import { cases, covering } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { inOrder, times } from './measures.js'
import { hash, index, PAIR, PROVISIONED, range, SINGLE, texts, withGlobal, withLocal } from './table-definitions.js'
import { updated } from './update-table.js'

const INVALID = 'One or more parameter values were invalid: '
const units = (ReadCapacityUnits: number, WriteCapacityUnits: number) => ({ ReadCapacityUnits, WriteCapacityUnits })
const BY_GROUP: GlobalSecondaryIndex = index('byGroup', hash('group'))

const creating = (Create: GlobalSecondaryIndex, ...names: string[]) => ({
  AttributeDefinitions: texts(...names),
  GlobalSecondaryIndexUpdates: [{ Create }],
})

/** What an index has, in any order. */
async function entries(bench: Bench, TableName: string, IndexName: string): Promise<object[]> {
  return inOrder((await bench.store.scan({ TableName, IndexName })).Items)
}

/** An update of indexes is refused in these words. */
async function refuses(bench: Bench, TableName: string, update: GlobalSecondaryIndexUpdate[], message: string) {
  const request = { TableName, AttributeDefinitions: texts('a'), GlobalSecondaryIndexUpdates: update }
  await invalid(bench.store.updateTable(request), message)
}

const ONE_ONLINE = 'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table'

const madeCases = cases('updateTable', {
  'a new index has the items that were there, and those that come': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const item = (a: string, group: string) => ({ a: { S: a }, group: { S: group }, more: { N: '1' } })
    await bench.put(TableName, item('1', 'x'), item('2', 'y'), { a: { S: '3' } })
    const { answer, table } = await updated(bench, TableName, creating(BY_GROUP, 'group'))
    same([answer.TableStatus, answer.GlobalSecondaryIndexes![0]!.IndexStatus], ['UPDATING', 'CREATING'])
    same(answer.GlobalSecondaryIndexes![0]!.Backfilling, false)
    same(table.AttributeDefinitions, texts('a', 'group'))
    await bench.put(TableName, item('4', 'x'))
    await bench.eventually(async () =>
      same(await entries(bench, TableName, 'byGroup'), inOrder([item('1', 'x'), item('2', 'y'), item('4', 'x')])),
    )
  },

  'items whose attribute cannot be a key stay out of a new index, and can be written': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const misfits = [{ N: '1' }, { S: '' }, { S: 'x'.repeat(2049) }, { SS: ['x'] }]
    await bench.put(TableName, ...misfits.map((group, i) => ({ a: { S: `misfit-${i}` }, group })))
    await bench.put(TableName, { a: { S: 'fit' }, group: { S: 'x' } })
    await updated(bench, TableName, creating(BY_GROUP, 'group'))
    await bench.eventually(async () => same((await entries(bench, TableName, 'byGroup')).length, 1))
    for (const [i] of misfits.entries())
      await bench.store.updateItem({
        TableName,
        Key: { a: { S: `misfit-${i}` } },
        UpdateExpression: 'SET seen = :yes',
        ExpressionAttributeValues: { ':yes': { BOOL: true } },
      })
    await bench.store.deleteItem({ TableName, Key: { a: { S: 'misfit-2' } } })
    await bench.eventually(async () =>
      same(await entries(bench, TableName, 'byGroup'), [{ a: { S: 'fit' }, group: { S: 'x' } }]),
    )
  },

  'a new index projects what it says': async bench => {
    const TableName = await bench.ownTable(PAIR)
    await bench.put(TableName, { a: { S: '1' }, b: { S: '2' }, group: { S: 'x' }, kept: { S: 'k' }, left: { S: 'l' } })
    const Projection = { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: ['kept'] }
    await updated(bench, TableName, creating({ ...BY_GROUP, Projection }, 'group'))
    await bench.eventually(async () =>
      same(await entries(bench, TableName, 'byGroup'), [
        { a: { S: '1' }, b: { S: '2' }, group: { S: 'x' }, kept: { S: 'k' } },
      ]),
    )
  },

  'an index is deleted, and the attribute that it alone had goes with it': async bench => {
    const TableName = await bench.ownTable({
      ...PAIR,
      AttributeDefinitions: texts('a', 'b', 'group'),
      GlobalSecondaryIndexes: [BY_GROUP],
    })
    const { answer, table } = await updated(bench, TableName, {
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byGroup' } }],
    })
    same([answer.TableStatus, answer.GlobalSecondaryIndexes![0]!.IndexStatus], ['UPDATING', 'DELETING'])
    await bench.eventually(async () => {
      const { Table } = await bench.store.describeTable({ TableName })
      same([Table!.GlobalSecondaryIndexes, inOrder(Table!.AttributeDefinitions)], [undefined, texts('a', 'b')])
    })
    same(table.TableName, TableName)
    await bench.put(TableName, { a: { S: '1' }, b: { S: '2' }, group: { N: '1' } })
    await invalid(
      bench.store.scan({ TableName, IndexName: 'byGroup' }),
      'The table does not have the specified index: byGroup',
    )
  },

  'an index made again under the name of a deleted one is built anew': async bench => {
    const TableName = await bench.ownTable({
      ...SINGLE,
      AttributeDefinitions: texts('a', 'group'),
      GlobalSecondaryIndexes: [BY_GROUP],
    })
    await bench.put(TableName, { a: { S: '1' }, group: { S: 'x' }, team: { S: 'y' } })
    await updated(bench, TableName, { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byGroup' } }] })
    await bench.eventually(() =>
      bench.store.updateTable({ TableName, ...creating(index('byGroup', hash('team')), 'team') }),
    )
    await bench.active(TableName)
    const found = await bench.eventually(async () => {
      const { Items } = await bench.store.query({
        TableName,
        IndexName: 'byGroup',
        KeyConditionExpression: 'team = :y',
        ExpressionAttributeValues: { ':y': { S: 'y' } },
      })
      same(Items!.length, 1)
      return Items
    })
    same(found, [{ a: { S: '1' }, group: { S: 'x' }, team: { S: 'y' } }])
  },

  'the capacity of an index is changed, and the answer has the old': async bench => {
    const TableName = await bench.ownTable({
      ...PROVISIONED,
      GlobalSecondaryIndexes: [{ ...index('some', hash('a')), ProvisionedThroughput: units(1, 1) }],
    })
    const { answer, table } = await updated(bench, TableName, {
      GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'some', ProvisionedThroughput: units(2, 3) } }],
    })
    const [before] = answer.GlobalSecondaryIndexes!
    same(
      [answer.TableStatus, before!.IndexStatus, before!.ProvisionedThroughput!.ReadCapacityUnits],
      ['ACTIVE', 'UPDATING', 1],
    )
    const { ReadCapacityUnits, WriteCapacityUnits } = table.GlobalSecondaryIndexes![0]!.ProvisionedThroughput!
    same([ReadCapacityUnits, WriteCapacityUnits], [2, 3])
  },
})

const refusedCases = cases('updateTable', {
  'an update of an index says what to do, and one thing': async bench => {
    const TableName = await bench.table('hash')
    await refuses(
      bench,
      TableName,
      [{}],
      `${INVALID}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, ` +
        'GlobalSecondaryIndexUpdate.Delete must not be null',
    )
    const some = { IndexName: 'some' }
    await refuses(
      bench,
      TableName,
      [{ Update: some, Delete: some }],
      `${INVALID}Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object`,
    )
    await refuses(
      bench,
      TableName,
      [{ Delete: some }, { Update: some }],
      `${INVALID}Only one global secondary index update per index is allowed simultaneously. Index: some`,
    )
  },

  'one index is made or deleted at a time': async bench => {
    const TableName = await bench.table('hash')
    const [Create, Delete] = [index('some', hash('a')), { IndexName: 'other' }]
    await refused(
      bench.store.updateTable({
        TableName,
        AttributeDefinitions: texts('a'),
        GlobalSecondaryIndexUpdates: [{ Create }, { Delete }],
      }),
      'LimitExceededException',
      ONE_ONLINE,
    )
  },

  'an index that is not there can neither be deleted nor changed': async bench => {
    const TableName = await bench.table('hash')
    const message = `Requested resource not found: Index some for table ${TableName}`
    for (const update of [{ Delete: { IndexName: 'some' } }, { Update: { IndexName: 'some' } }])
      await refused(
        bench.store.updateTable({ TableName, GlobalSecondaryIndexUpdates: [update] }),
        'ResourceNotFoundException',
        message,
      )
  },

  'a local index can neither be deleted nor changed': async bench => {
    const TableName = await bench.ownTable(withLocal(index('some')))
    const some = { IndexName: 'some' }
    await refuses(
      bench,
      TableName,
      [{ Delete: some }],
      'Cannot delete an index that is not a GlobalSecondaryIndex: some',
    )
    await refuses(
      bench,
      TableName,
      [{ Update: some }],
      'Cannot update an index that is not a GlobalSecondaryIndex: some',
    )
  },

  'the name of an index that is there is refused': async bench => {
    const TableName = await bench.ownTable(withGlobal(index('some')))
    await refuses(
      bench,
      TableName,
      [{ Create: index('some', hash('a')) }],
      'Attempting to create an index which already exists',
    )
  },

  'the keys of a new index are defined by the request': async bench => {
    const TableName = await bench.table('composite')
    const Create = index('some', hash('group'))
    await invalid(
      bench.store.updateTable({ TableName, GlobalSecondaryIndexUpdates: [{ Create }] }),
      `${INVALID}AttributeDefinitions is not specified for index: some`,
    )
    await invalid(
      bench.store.updateTable({ TableName, ...creating(Create, 'pk') }),
      `${INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [group], ` +
        'AttributeDefinitions: [pk]',
    )
  },

  'the keys of a new index have the shape of keys': async bench => {
    const TableName = await bench.table('hash')
    await refuses(
      bench,
      TableName,
      [{ Create: index('some', range('a')) }],
      'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
    )
  },

  'a key that the table has keeps its type': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    await invalid(
      bench.store.updateTable({
        TableName,
        AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'N' }],
        GlobalSecondaryIndexUpdates: [{ Create: index('some', hash('a')) }],
      }),
      /^One or more parameter values were invalid: Attributes cannot be redefined\. /,
    )
  },

  'a table has no more than 20 global indexes': covering(['limit:GLOBAL_INDEXES'], async bench => {
    const indexes = times(GLOBAL_INDEXES, each => index(`index-${each}`, hash('a')))
    const TableName = await bench.ownTable({ ...SINGLE, GlobalSecondaryIndexes: indexes })
    await refused(
      bench.store.updateTable({ TableName, ...creating(index('more', hash('a')), 'a') }),
      'LimitExceededException',
      'Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20',
    )
  }),

  'an index on demand has no capacity': async bench => {
    const TableName = await bench.ownTable(withGlobal(index('some')))
    const ProvisionedThroughput = units(1, 1)
    await refuses(
      bench,
      TableName,
      [{ Create: { ...index('more', hash('a')), ProvisionedThroughput } }],
      `${INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: more when BillingMode ` +
        'is PAY_PER_REQUEST',
    )
    await refuses(
      bench,
      TableName,
      [{ Update: { IndexName: 'some', ProvisionedThroughput } }],
      `${INVALID}The only Updates for index: some when TableThroughputMode is PAY_PER_REQUEST can be to ` +
        'OnDemandThroughput, WarmThroughput',
    )
  },

  'a provisioned index has capacity, which changes': async bench => {
    const TableName = await bench.ownTable({
      ...PROVISIONED,
      GlobalSecondaryIndexes: [{ ...index('some', hash('a')), ProvisionedThroughput: units(2, 2) }],
    })
    await refuses(
      bench,
      TableName,
      [{ Create: index('more', hash('a')) }],
      `${INVALID}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: more`,
    )
    await refuses(
      bench,
      TableName,
      [{ Update: { IndexName: 'some', ProvisionedThroughput: units(2, 2) } }],
      'The provisioned throughput for the index some will not change. The requested value equals the current value. ' +
        'Current ReadCapacityUnits provisioned for index some: 2. Requested ReadCapacityUnits: 2. ' +
        'Current WriteCapacityUnits provisioned for index some: 2. Requested WriteCapacityUnits: 2. ' +
        'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
    )
  },

  'a table that gets capacity says it for every index': async bench => {
    const TableName = await bench.ownTable(withGlobal(index('some')))
    await invalid(
      bench.store.updateTable({ TableName, BillingMode: 'PROVISIONED', ProvisionedThroughput: units(1, 1) }),
      `${INVALID}ProvisionedThroughput must be specified for index: some`,
    )
  },
})

export const updateTableIndexCases = [...madeCases, ...refusedCases]
