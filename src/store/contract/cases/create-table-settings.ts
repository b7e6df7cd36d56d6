import {
  CAPACITY_UNITS_MAX,
  ON_DEMAND_INITIAL_READ_UNITS,
  ON_DEMAND_INITIAL_WRITE_UNITS,
  TABLE_TAGS,
  TAG_KEY_CHARACTERS,
  TAG_VALUE_CHARACTERS,
} from '../../../dynamodb/limits.js'
import { cases, covering } from '../case.js'
import { same } from '../expect.js'
import { times } from './measures.js'
import { hash, index, PROVISIONED, range, refusing, SINGLE, withGlobal } from './table-definitions.js'

const CAPACITY = 'One or more parameter values were invalid: '
const throughput = (ReadCapacityUnits: number, WriteCapacityUnits: number) => ({
  ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits },
})

export const createTableSettingCases = cases('createTable', {
  'capacity on demand is refused': refusing(
    { ...SINGLE, ...throughput(1, 1) },
    `${CAPACITY}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
  ),

  'a provisioned table without capacity is refused': refusing(
    { ...SINGLE, BillingMode: 'PROVISIONED' },
    `${CAPACITY}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`,
  ),

  'too much read capacity is refused': covering(
    ['limit:CAPACITY_UNITS_MAX'],
    refusing(
      { ...PROVISIONED, ...throughput(CAPACITY_UNITS_MAX + 1, CAPACITY_UNITS_MAX + 1) },
      'Given value 1000000000001 for ReadCapacityUnits is out of bounds',
    ),
  ),

  'too much write capacity is refused': covering(
    ['limit:CAPACITY_UNITS_MAX'],
    refusing(
      { ...PROVISIONED, ...throughput(CAPACITY_UNITS_MAX, CAPACITY_UNITS_MAX + 1) },
      'Given value 1000000000001 for WriteCapacityUnits is out of bounds',
    ),
  ),

  'too much capacity of an index is refused': covering(
    ['limit:CAPACITY_UNITS_MAX'],
    refusing(
      {
        ...PROVISIONED,
        GlobalSecondaryIndexes: [{ ...index('some', hash('a')), ...throughput(CAPACITY_UNITS_MAX + 1, 1) }],
      },
      'Given value 1000000000001 for ReadCapacityUnits is out of bounds for index some',
    ),
  ),

  'capacity is looked at before keys': refusing(
    { ...SINGLE, ...throughput(1, 1), KeySchema: [range('a')] },
    `${CAPACITY}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
  ),

  'capacity of an index on demand is refused': refusing(
    withGlobal({ ...index('some'), ...throughput(1, 1) }),
    `${CAPACITY}ProvisionedThroughput should not be specified for index: some when BillingMode is PAY_PER_REQUEST`,
  ),

  'an index without capacity in a provisioned table is refused': refusing(
    { ...PROVISIONED, GlobalSecondaryIndexes: [index('some', hash('a'))] },
    `${CAPACITY}ProvisionedThroughput is not specified for index: some`,
  ),

  'a bound on demand for a provisioned table is refused': refusing(
    { ...PROVISIONED, OnDemandThroughput: { MaxReadRequestUnits: 1 } },
    `${CAPACITY}MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.`,
  ),

  'a bound on demand below one is refused': refusing(
    { ...SINGLE, OnDemandThroughput: { MaxReadRequestUnits: 1, MaxWriteRequestUnits: 0 } },
    `${CAPACITY}Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range`,
  ),

  'less warm throughput than a table on demand starts with is refused': covering(
    ['limit:ON_DEMAND_INITIAL_READ_UNITS', 'limit:ON_DEMAND_INITIAL_WRITE_UNITS'],
    async bench => {
      const page =
        'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial'
      const words = (member: string) =>
        `${CAPACITY}Requested ${member} for WarmThroughput for table is lower than initial throughput for OnDemand. See: ${page}`
      const read = { ReadUnitsPerSecond: ON_DEMAND_INITIAL_READ_UNITS - 1 }
      await refusing({ ...SINGLE, WarmThroughput: read }, words('ReadUnitsPerSecond'))(bench)
      const write = { WriteUnitsPerSecond: ON_DEMAND_INITIAL_WRITE_UNITS - 1 }
      await refusing({ ...SINGLE, WarmThroughput: write }, words('WriteUnitsPerSecond'))(bench)
    },
  ),

  'a stream without a view is refused': refusing(
    { ...SINGLE, StreamSpecification: { StreamEnabled: true } },
    `${CAPACITY}Table is being created with a stream enabled, UpdateViewType is required`,
  ),

  'a view of a stream that is off is refused': refusing(
    { ...SINGLE, StreamSpecification: { StreamEnabled: false, StreamViewType: 'NEW_IMAGE' } },
    `${CAPACITY}Table is being created with a stream disabled, UpdateViewType should not be specified`,
  ),

  'a table takes 50 tags of the longest keys and values': covering(
    ['limit:TABLE_TAGS', 'limit:TAG_KEY_CHARACTERS', 'limit:TAG_VALUE_CHARACTERS'],
    async bench => {
      const Tags = times(TABLE_TAGS, each => ({
        Key: `${each}`.padEnd(TAG_KEY_CHARACTERS, 'k'),
        Value: 'v'.repeat(TAG_VALUE_CHARACTERS),
      }))
      const TableName = await bench.ownTable({ ...SINGLE, Tags })
      same((await bench.store.describeTable({ TableName })).Table!.TableStatus, 'ACTIVE')
    },
  ),

  'more than 50 tags are refused': covering(
    ['limit:TABLE_TAGS'],
    refusing(
      { ...SINGLE, Tags: times(TABLE_TAGS + 1, each => ({ Key: `${each}`, Value: '' })) },
      'Number of Tags exceed the current limit for the provided ResourceArn',
    ),
  ),

  'a tag whose key is too long is refused': covering(
    ['limit:TAG_KEY_CHARACTERS'],
    refusing(
      { ...SINGLE, Tags: [{ Key: 'k'.repeat(TAG_KEY_CHARACTERS + 1), Value: '' }] },
      `The Tag Key provided is invalid, Key: ${'k'.repeat(TAG_KEY_CHARACTERS + 1)}`,
    ),
  ),

  'a tag whose value is too long is refused': covering(
    ['limit:TAG_VALUE_CHARACTERS'],
    refusing(
      { ...SINGLE, Tags: [{ Key: 'k', Value: 'v'.repeat(TAG_VALUE_CHARACTERS + 1) }] },
      `The Tag Value provided is invalid, Value: ${'v'.repeat(TAG_VALUE_CHARACTERS + 1)}`,
    ),
  ),

  'two tags of one key are refused': refusing(
    {
      ...SINGLE,
      Tags: [
        { Key: 'k', Value: '1' },
        { Key: 'k', Value: '2' },
      ],
    },
    'Duplicate Tag Keys provided as input: Duplicate Tag Key found k',
  ),
})
