import {
  CAPACITY_UNITS_MAX,
  ON_DEMAND_INITIAL_READ_UNITS,
  ON_DEMAND_INITIAL_WRITE_UNITS,
  TABLE_TAGS,
  TAG_KEY_CHARACTERS,
  TAG_VALUE_CHARACTERS,
} from '../../../dynamodb/limits.js'
import { expectEqual } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany } from '../../fixtures/sized-items.js'
import {
  hashKey,
  indexDefinition,
  PROVISIONED_TABLE,
  rangeKey,
  rejectsDefinition,
  SIMPLE_KEY_TABLE,
  withGlobalIndexes,
} from '../../fixtures/table-definitions.js'

const CAPACITY = 'One or more parameter values were invalid: '
const throughput = (ReadCapacityUnits: number, WriteCapacityUnits: number) => ({
  ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits },
})

export const createTableSettingCases = defineCases('createTable', {
  'capacity for an on-demand table is rejected': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, ...throughput(1, 1) },
    `${CAPACITY}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
  ),

  'a provisioned table without capacity is rejected': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, BillingMode: 'PROVISIONED' },
    `${CAPACITY}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`,
  ),

  'too much read capacity is rejected': withCoverage(
    ['limit:CAPACITY_UNITS_MAX'],
    rejectsDefinition(
      { ...PROVISIONED_TABLE, ...throughput(CAPACITY_UNITS_MAX + 1, CAPACITY_UNITS_MAX + 1) },
      'Given value 1000000000001 for ReadCapacityUnits is out of bounds',
    ),
  ),

  'too much write capacity is rejected': withCoverage(
    ['limit:CAPACITY_UNITS_MAX'],
    rejectsDefinition(
      { ...PROVISIONED_TABLE, ...throughput(CAPACITY_UNITS_MAX, CAPACITY_UNITS_MAX + 1) },
      'Given value 1000000000001 for WriteCapacityUnits is out of bounds',
    ),
  ),

  'too much capacity of an index is rejected': withCoverage(
    ['limit:CAPACITY_UNITS_MAX'],
    rejectsDefinition(
      {
        ...PROVISIONED_TABLE,
        GlobalSecondaryIndexes: [
          { ...indexDefinition('some', hashKey('a')), ...throughput(CAPACITY_UNITS_MAX + 1, 1) },
        ],
      },
      'Given value 1000000000001 for ReadCapacityUnits is out of bounds for index some',
    ),
  ),

  'capacity is validated before keys': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, ...throughput(1, 1), KeySchema: [rangeKey('a')] },
    `${CAPACITY}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
  ),

  'capacity for an index of an on-demand table is rejected': rejectsDefinition(
    withGlobalIndexes({ ...indexDefinition('some'), ...throughput(1, 1) }),
    `${CAPACITY}ProvisionedThroughput should not be specified for index: some when BillingMode is PAY_PER_REQUEST`,
  ),

  'an index without capacity in a provisioned table is rejected': rejectsDefinition(
    { ...PROVISIONED_TABLE, GlobalSecondaryIndexes: [indexDefinition('some', hashKey('a'))] },
    `${CAPACITY}ProvisionedThroughput is not specified for index: some`,
  ),

  'an on-demand maximum for a provisioned table is rejected': rejectsDefinition(
    { ...PROVISIONED_TABLE, OnDemandThroughput: { MaxReadRequestUnits: 1 } },
    `${CAPACITY}MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.`,
  ),

  'an on-demand maximum below one is rejected': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, OnDemandThroughput: { MaxReadRequestUnits: 1, MaxWriteRequestUnits: 0 } },
    `${CAPACITY}Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range`,
  ),

  'warm throughput below the initial value of an on-demand table is rejected': withCoverage(
    ['limit:ON_DEMAND_INITIAL_READ_UNITS', 'limit:ON_DEMAND_INITIAL_WRITE_UNITS'],
    async bench => {
      const page =
        'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial'
      const words = (member: string) =>
        `${CAPACITY}Requested ${member} for WarmThroughput for table is lower than initial throughput for OnDemand. See: ${page}`
      const read = { ReadUnitsPerSecond: ON_DEMAND_INITIAL_READ_UNITS - 1 }
      await rejectsDefinition({ ...SIMPLE_KEY_TABLE, WarmThroughput: read }, words('ReadUnitsPerSecond'))(bench)
      const write = { WriteUnitsPerSecond: ON_DEMAND_INITIAL_WRITE_UNITS - 1 }
      await rejectsDefinition({ ...SIMPLE_KEY_TABLE, WarmThroughput: write }, words('WriteUnitsPerSecond'))(bench)
    },
  ),

  'a stream without a view is rejected': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, StreamSpecification: { StreamEnabled: true } },
    `${CAPACITY}Table is being created with a stream enabled, UpdateViewType is required`,
  ),

  'a view for a disabled stream is rejected': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, StreamSpecification: { StreamEnabled: false, StreamViewType: 'NEW_IMAGE' } },
    `${CAPACITY}Table is being created with a stream disabled, UpdateViewType should not be specified`,
  ),

  'a table can have 50 tags with the longest keys and values': withCoverage(
    ['limit:TABLE_TAGS', 'limit:TAG_KEY_CHARACTERS', 'limit:TAG_VALUE_CHARACTERS'],
    async bench => {
      const Tags = createMany(TABLE_TAGS, each => ({
        Key: `${each}`.padEnd(TAG_KEY_CHARACTERS, 'k'),
        Value: 'v'.repeat(TAG_VALUE_CHARACTERS),
      }))
      const TableName = await bench.createOwnTable({ ...SIMPLE_KEY_TABLE, Tags })
      expectEqual((await bench.store.describeTable({ TableName })).Table!.TableStatus, 'ACTIVE')
    },
  ),

  'more than 50 tags are rejected': withCoverage(
    ['limit:TABLE_TAGS'],
    rejectsDefinition(
      { ...SIMPLE_KEY_TABLE, Tags: createMany(TABLE_TAGS + 1, each => ({ Key: `${each}`, Value: '' })) },
      'Number of Tags exceed the current limit for the provided ResourceArn',
    ),
  ),

  'a tag with too long a key is rejected': withCoverage(
    ['limit:TAG_KEY_CHARACTERS'],
    rejectsDefinition(
      { ...SIMPLE_KEY_TABLE, Tags: [{ Key: 'k'.repeat(TAG_KEY_CHARACTERS + 1), Value: '' }] },
      `The Tag Key provided is invalid, Key: ${'k'.repeat(TAG_KEY_CHARACTERS + 1)}`,
    ),
  ),

  'a tag with too long a value is rejected': withCoverage(
    ['limit:TAG_VALUE_CHARACTERS'],
    rejectsDefinition(
      { ...SIMPLE_KEY_TABLE, Tags: [{ Key: 'k', Value: 'v'.repeat(TAG_VALUE_CHARACTERS + 1) }] },
      `The Tag Value provided is invalid, Value: ${'v'.repeat(TAG_VALUE_CHARACTERS + 1)}`,
    ),
  ),

  'two tags with the same key are rejected': rejectsDefinition(
    {
      ...SIMPLE_KEY_TABLE,
      Tags: [
        { Key: 'k', Value: '1' },
        { Key: 'k', Value: '2' },
      ],
    },
    'Duplicate Tag Keys provided as input: Duplicate Tag Key found k',
  ),
})
