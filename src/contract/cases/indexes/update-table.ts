import { GLOBAL_INDEXES } from '../../../dynamodb/limits.js'
import type { GlobalSecondaryIndex, GlobalSecondaryIndexUpdate } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany, sortItems } from '../../fixtures/sized-items.js'
import {
  COMPOSITE_KEY_TABLE,
  hashKey,
  indexDefinition,
  PROVISIONED_TABLE,
  rangeKey,
  SIMPLE_KEY_TABLE,
  textAttributes,
  withGlobalIndexes,
  withLocalIndexes,
} from '../../fixtures/table-definitions.js'
import type { TestBench } from '../../test-bench.js'
import { updateTableAndDescribe } from '../tables/update-table.js'

const INVALID = 'One or more parameter values were invalid: '
const throughputOf = (ReadCapacityUnits: number, WriteCapacityUnits: number) => ({
  ReadCapacityUnits,
  WriteCapacityUnits,
})
const BY_GROUP: GlobalSecondaryIndex = indexDefinition('byGroup', hashKey('group'))

const createIndexUpdate = (Create: GlobalSecondaryIndex, ...names: string[]) => ({
  AttributeDefinitions: textAttributes(...names),
  GlobalSecondaryIndexUpdates: [{ Create }],
})

/** The entries of an index, in any order. */
async function readEntries(bench: TestBench, TableName: string, IndexName: string): Promise<object[]> {
  return sortItems((await bench.store.scan({ TableName, IndexName })).Items)
}

/** Creates a case in which an index update is rejected with this message. */
async function expectUpdateRejected(
  bench: TestBench,
  TableName: string,
  update: GlobalSecondaryIndexUpdate[],
  message: string,
) {
  const request = { TableName, AttributeDefinitions: textAttributes('a'), GlobalSecondaryIndexUpdates: update }
  await expectValidationError(bench.store.updateTable(request), message)
}

const ONE_ONLINE = 'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table'

const indexUpdateCases = defineCases('updateTable', {
  'a new index contains existing and later items': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const item = (a: string, group: string) => ({ a: { S: a }, group: { S: group }, more: { N: '1' } })
    await bench.put(TableName, item('1', 'x'), item('2', 'y'), { a: { S: '3' } })
    const { answer, table } = await updateTableAndDescribe(bench, TableName, createIndexUpdate(BY_GROUP, 'group'))
    expectEqual([answer.TableStatus, answer.GlobalSecondaryIndexes![0]!.IndexStatus], ['UPDATING', 'CREATING'])
    expectEqual(answer.GlobalSecondaryIndexes![0]!.Backfilling, false)
    expectEqual(table.AttributeDefinitions, textAttributes('a', 'group'))
    await bench.put(TableName, item('4', 'x'))
    await bench.eventually(async () =>
      expectEqual(
        await readEntries(bench, TableName, 'byGroup'),
        sortItems([item('1', 'x'), item('2', 'y'), item('4', 'x')]),
      ),
    )
  },

  'items with an invalid key attribute stay out of a new index and remain writable': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const misfits = [{ N: '1' }, { S: '' }, { S: 'x'.repeat(2049) }, { SS: ['x'] }]
    await bench.put(TableName, ...misfits.map((group, i) => ({ a: { S: `misfit-${i}` }, group })))
    await bench.put(TableName, { a: { S: 'fit' }, group: { S: 'x' } })
    await updateTableAndDescribe(bench, TableName, createIndexUpdate(BY_GROUP, 'group'))
    await bench.eventually(async () => expectEqual((await readEntries(bench, TableName, 'byGroup')).length, 1))
    for (const [i] of misfits.entries())
      await bench.store.updateItem({
        TableName,
        Key: { a: { S: `misfit-${i}` } },
        UpdateExpression: 'SET seen = :yes',
        ExpressionAttributeValues: { ':yes': { BOOL: true } },
      })
    await bench.store.deleteItem({ TableName, Key: { a: { S: 'misfit-2' } } })
    await bench.eventually(async () =>
      expectEqual(await readEntries(bench, TableName, 'byGroup'), [{ a: { S: 'fit' }, group: { S: 'x' } }]),
    )
  },

  'a new index has the requested projection': async bench => {
    const TableName = await bench.createOwnTable(COMPOSITE_KEY_TABLE)
    await bench.put(TableName, { a: { S: '1' }, b: { S: '2' }, group: { S: 'x' }, kept: { S: 'k' }, left: { S: 'l' } })
    const Projection = { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: ['kept'] }
    await updateTableAndDescribe(bench, TableName, createIndexUpdate({ ...BY_GROUP, Projection }, 'group'))
    await bench.eventually(async () =>
      expectEqual(await readEntries(bench, TableName, 'byGroup'), [
        { a: { S: '1' }, b: { S: '2' }, group: { S: 'x' }, kept: { S: 'k' } },
      ]),
    )
  },

  'deleting an index removes the attribute definition that only it used': async bench => {
    const TableName = await bench.createOwnTable({
      ...COMPOSITE_KEY_TABLE,
      AttributeDefinitions: textAttributes('a', 'b', 'group'),
      GlobalSecondaryIndexes: [BY_GROUP],
    })
    const { answer, table } = await updateTableAndDescribe(bench, TableName, {
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byGroup' } }],
    })
    expectEqual([answer.TableStatus, answer.GlobalSecondaryIndexes![0]!.IndexStatus], ['UPDATING', 'DELETING'])
    await bench.eventually(async () => {
      const { Table } = await bench.store.describeTable({ TableName })
      expectEqual(
        [Table!.GlobalSecondaryIndexes, sortItems(Table!.AttributeDefinitions)],
        [undefined, textAttributes('a', 'b')],
      )
    })
    expectEqual(table.TableName, TableName)
    await bench.put(TableName, { a: { S: '1' }, b: { S: '2' }, group: { N: '1' } })
    await expectValidationError(
      bench.store.scan({ TableName, IndexName: 'byGroup' }),
      'The table does not have the specified index: byGroup',
    )
  },

  'an index with the name of a deleted one is built from scratch': async bench => {
    const TableName = await bench.createOwnTable({
      ...SIMPLE_KEY_TABLE,
      AttributeDefinitions: textAttributes('a', 'group'),
      GlobalSecondaryIndexes: [BY_GROUP],
    })
    await bench.put(TableName, { a: { S: '1' }, group: { S: 'x' }, team: { S: 'y' } })
    await updateTableAndDescribe(bench, TableName, {
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byGroup' } }],
    })
    await bench.eventually(() =>
      bench.store.updateTable({ TableName, ...createIndexUpdate(indexDefinition('byGroup', hashKey('team')), 'team') }),
    )
    await bench.waitUntilActive(TableName)
    const found = await bench.eventually(async () => {
      const { Items } = await bench.store.query({
        TableName,
        IndexName: 'byGroup',
        KeyConditionExpression: 'team = :y',
        ExpressionAttributeValues: { ':y': { S: 'y' } },
      })
      expectEqual(Items!.length, 1)
      return Items
    })
    expectEqual(found, [{ a: { S: '1' }, group: { S: 'x' }, team: { S: 'y' } }])
  },

  'a capacity change of an index returns the old capacity': async bench => {
    const TableName = await bench.createOwnTable({
      ...PROVISIONED_TABLE,
      GlobalSecondaryIndexes: [{ ...indexDefinition('some', hashKey('a')), ProvisionedThroughput: throughputOf(1, 1) }],
    })
    const { answer, table } = await updateTableAndDescribe(bench, TableName, {
      GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'some', ProvisionedThroughput: throughputOf(2, 3) } }],
    })
    const [before] = answer.GlobalSecondaryIndexes!
    expectEqual(
      [answer.TableStatus, before!.IndexStatus, before!.ProvisionedThroughput!.ReadCapacityUnits],
      ['ACTIVE', 'UPDATING', 1],
    )
    const { ReadCapacityUnits, WriteCapacityUnits } = table.GlobalSecondaryIndexes![0]!.ProvisionedThroughput!
    expectEqual([ReadCapacityUnits, WriteCapacityUnits], [2, 3])
  },
})

const indexErrorCases = defineCases('updateTable', {
  'an index update has exactly one action': async bench => {
    const TableName = await bench.sharedTable('hash')
    await expectUpdateRejected(
      bench,
      TableName,
      [{}],
      `${INVALID}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, ` +
        'GlobalSecondaryIndexUpdate.Delete must not be null',
    )
    const some = { IndexName: 'some' }
    await expectUpdateRejected(
      bench,
      TableName,
      [{ Update: some, Delete: some }],
      `${INVALID}Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object`,
    )
    await expectUpdateRejected(
      bench,
      TableName,
      [{ Delete: some }, { Update: some }],
      `${INVALID}Only one global secondary index update per index is allowed simultaneously. Index: some`,
    )
  },

  'only one index can be created or deleted at a time': async bench => {
    const TableName = await bench.sharedTable('hash')
    const [Create, Delete] = [indexDefinition('some', hashKey('a')), { IndexName: 'other' }]
    await expectRejection(
      bench.store.updateTable({
        TableName,
        AttributeDefinitions: textAttributes('a'),
        GlobalSecondaryIndexUpdates: [{ Create }, { Delete }],
      }),
      'LimitExceededException',
      ONE_ONLINE,
    )
  },

  'a missing index can be neither deleted nor changed': async bench => {
    const TableName = await bench.sharedTable('hash')
    const message = `Requested resource not found: Index some for table ${TableName}`
    for (const update of [{ Delete: { IndexName: 'some' } }, { Update: { IndexName: 'some' } }])
      await expectRejection(
        bench.store.updateTable({ TableName, GlobalSecondaryIndexUpdates: [update] }),
        'ResourceNotFoundException',
        message,
      )
  },

  'a local index can neither be deleted nor changed': async bench => {
    const TableName = await bench.createOwnTable(withLocalIndexes(indexDefinition('some')))
    const some = { IndexName: 'some' }
    await expectUpdateRejected(
      bench,
      TableName,
      [{ Delete: some }],
      'Cannot delete an index that is not a GlobalSecondaryIndex: some',
    )
    await expectUpdateRejected(
      bench,
      TableName,
      [{ Update: some }],
      'Cannot update an index that is not a GlobalSecondaryIndex: some',
    )
  },

  'the name of an existing index is rejected': async bench => {
    const TableName = await bench.createOwnTable(withGlobalIndexes(indexDefinition('some')))
    await expectUpdateRejected(
      bench,
      TableName,
      [{ Create: indexDefinition('some', hashKey('a')) }],
      'Attempting to create an index which already exists',
    )
  },

  'the request must define the key attributes of a new index': async bench => {
    const TableName = await bench.sharedTable('composite')
    const Create = indexDefinition('some', hashKey('group'))
    await expectValidationError(
      bench.store.updateTable({ TableName, GlobalSecondaryIndexUpdates: [{ Create }] }),
      `${INVALID}AttributeDefinitions is not specified for index: some`,
    )
    await expectValidationError(
      bench.store.updateTable({ TableName, ...createIndexUpdate(Create, 'pk') }),
      `${INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [group], ` +
        'AttributeDefinitions: [pk]',
    )
  },

  'the key schema of a new index is validated': async bench => {
    const TableName = await bench.sharedTable('hash')
    await expectUpdateRejected(
      bench,
      TableName,
      [{ Create: indexDefinition('some', rangeKey('a')) }],
      'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
    )
  },

  'an existing key attribute keeps its type': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    await expectValidationError(
      bench.store.updateTable({
        TableName,
        AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'N' }],
        GlobalSecondaryIndexUpdates: [{ Create: indexDefinition('some', hashKey('a')) }],
      }),
      /^One or more parameter values were invalid: Attributes cannot be redefined\. /,
    )
  },

  'a table has no more than 20 global indexes': withCoverage(['limit:GLOBAL_INDEXES'], async bench => {
    const indexes = createMany(GLOBAL_INDEXES, each => indexDefinition(`index-${each}`, hashKey('a')))
    const TableName = await bench.createOwnTable({ ...SIMPLE_KEY_TABLE, GlobalSecondaryIndexes: indexes })
    await expectRejection(
      bench.store.updateTable({ TableName, ...createIndexUpdate(indexDefinition('more', hashKey('a')), 'a') }),
      'LimitExceededException',
      'Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20',
    )
  }),

  'an index of an on-demand table has no provisioned capacity': async bench => {
    const TableName = await bench.createOwnTable(withGlobalIndexes(indexDefinition('some')))
    const ProvisionedThroughput = throughputOf(1, 1)
    await expectUpdateRejected(
      bench,
      TableName,
      [{ Create: { ...indexDefinition('more', hashKey('a')), ProvisionedThroughput } }],
      `${INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: more when BillingMode ` +
        'is PAY_PER_REQUEST',
    )
    await expectUpdateRejected(
      bench,
      TableName,
      [{ Update: { IndexName: 'some', ProvisionedThroughput } }],
      `${INVALID}The only Updates for index: some when TableThroughputMode is PAY_PER_REQUEST can be to ` +
        'OnDemandThroughput, WarmThroughput',
    )
  },

  'a provisioned index has capacity that can change': async bench => {
    const TableName = await bench.createOwnTable({
      ...PROVISIONED_TABLE,
      GlobalSecondaryIndexes: [{ ...indexDefinition('some', hashKey('a')), ProvisionedThroughput: throughputOf(2, 2) }],
    })
    await expectUpdateRejected(
      bench,
      TableName,
      [{ Create: indexDefinition('more', hashKey('a')) }],
      `${INVALID}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: more`,
    )
    await expectUpdateRejected(
      bench,
      TableName,
      [{ Update: { IndexName: 'some', ProvisionedThroughput: throughputOf(2, 2) } }],
      'The provisioned throughput for the index some will not change. The requested value equals the current value. ' +
        'Current ReadCapacityUnits provisioned for index some: 2. Requested ReadCapacityUnits: 2. ' +
        'Current WriteCapacityUnits provisioned for index some: 2. Requested WriteCapacityUnits: 2. ' +
        'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
    )
  },

  'a switch to provisioned mode requires capacity for every index': async bench => {
    const TableName = await bench.createOwnTable(withGlobalIndexes(indexDefinition('some')))
    await expectValidationError(
      bench.store.updateTable({ TableName, BillingMode: 'PROVISIONED', ProvisionedThroughput: throughputOf(1, 1) }),
      `${INVALID}ProvisionedThroughput must be specified for index: some`,
    )
  },
})

export const updateTableIndexCases = [...indexUpdateCases, ...indexErrorCases]
