import { CAPACITY_DECREASE_MS, CAPACITY_DECREASES, CAPACITY_UNITS_MAX } from '../../../dynamodb/limits.js'
import type { CreateTableRequest } from '../../../dynamodb/operations/tables.js'
import type { UpdateTableRequest } from '../../../dynamodb/operations/update-table.js'
import { cases, covering, type Run } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { hash, index, PROVISIONED, SINGLE, texts } from './table-definitions.js'

type Update = Omit<UpdateTableRequest, 'TableName'>

const INVALID = 'One or more parameter values were invalid: '
const units = (ReadCapacityUnits: number, WriteCapacityUnits: number) => ({ ReadCapacityUnits, WriteCapacityUnits })
const STREAM = { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' as const }
const CREATE = { AttributeDefinitions: texts('a'), GlobalSecondaryIndexUpdates: [{ Create: index('some', hash('a')) }] }

/** A case in which an update of such a table is refused in these words. */
function refusing(definition: Omit<CreateTableRequest, 'TableName'>, update: Update, message: string): Run {
  return async bench => {
    const TableName = await bench.ownTable(definition)
    await invalid(bench.store.updateTable({ TableName, ...update }), message.replace('TABLE', TableName))
  }
}

/** A case in which it is refused before anyone looks for the table. */
function refusingAny(update: Update, message: string): Run {
  return async bench => {
    await invalid(bench.store.updateTable({ TableName: bench.ownName(), ...update }), message)
  }
}

const NOTHING =
  'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, ' +
  'SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, ' +
  'DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required'

const only = (what: string) => `${INVALID}${what} must be the only operation in the request`
const [BERLIN, OREGON] = [{ RegionName: 'eu-central-1' }, { RegionName: 'us-west-2' }]
const NOT_A_REPLICA =
  'Update global table operation failed because one or more replicas were not part of the global table. ' +
  'Please retry the request without these replicas: [eu-central-1].'
const NO_REPLICA_ACTION = 'There are no actions specified in the Replica Update Action of the request.'

export const updateTableRefusalCases = cases('updateTable', {
  'a request that changes nothing is refused': refusingAny({}, NOTHING),
  'definitions of attributes alone change nothing': refusingAny({ AttributeDefinitions: texts('a') }, NOTHING),
  'an empty list of indexes changes nothing': refusingAny({ GlobalSecondaryIndexUpdates: [] }, NOTHING),

  'an empty list of indexes beside a change is refused': refusingAny(
    { GlobalSecondaryIndexUpdates: [], DeletionProtectionEnabled: true },
    `${INVALID}List of GlobalSecondaryIndexUpdates is empty`,
  ),

  'a table that is not there is named in the refusal': async bench => {
    const TableName = bench.ownName()
    await refused(
      bench.store.updateTable({ TableName, ProvisionedThroughput: units(1, 1) }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  },

  'the capacity that a table has already is refused': refusing(
    PROVISIONED,
    { ProvisionedThroughput: units(1, 1) },
    'The provisioned throughput for the table will not change. The requested value equals the current value. ' +
      'Current ReadCapacityUnits provisioned for the table: 1. Requested ReadCapacityUnits: 1. ' +
      'Current WriteCapacityUnits provisioned for the table: 1. Requested WriteCapacityUnits: 1. ' +
      'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
  ),

  'after four decreases in a day the next has to wait': covering(
    ['limit:CAPACITY_DECREASES', 'limit:CAPACITY_DECREASE_MS'],
    async bench => {
      const TableName = await bench.ownTable({ ...PROVISIONED, ProvisionedThroughput: units(6, 6) })
      for (let left = 5; left > 5 - CAPACITY_DECREASES; left--) {
        await bench.store.updateTable({ TableName, ProvisionedThroughput: units(left, left) })
        await bench.active(TableName)
      }
      const error = await refused(
        bench.store.updateTable({ TableName, ProvisionedThroughput: units(7, 1) }),
        'LimitExceededException',
        /Number of decreases today: 4\. Last decrease at \w+, \w+ \d+, \d+ at \d+:\d\d:\d\d [AP]M Coordinated Universal Time\. /,
      )
      const every = `can be performed at most once every ${CAPACITY_DECREASE_MS / 1000} seconds`
      same(error.message.includes(every), true)
      await bench.store.updateTable({ TableName, ProvisionedThroughput: units(7, 7) })
    },
  ),

  'capacity for a table on demand is refused': refusing(
    SINGLE,
    { ProvisionedThroughput: units(1, 1) },
    `${INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
  ),

  'capacity for a table that goes on demand is refused': refusingAny(
    { BillingMode: 'PAY_PER_REQUEST', ProvisionedThroughput: units(1, 1) },
    `${INVALID}ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST`,
  ),

  'a provisioned mode without capacity is refused': refusingAny(
    { BillingMode: 'PROVISIONED' },
    `${INVALID}ProvisionedThroughput must be specified when BillingMode is PROVISIONED`,
  ),

  'too much capacity is refused': covering(
    ['limit:CAPACITY_UNITS_MAX'],
    refusingAny(
      { ProvisionedThroughput: units(CAPACITY_UNITS_MAX + 1, 1) },
      'Given value 1000000000001 for ReadCapacityUnits is out of bounds',
    ),
  ),

  'a bound on demand for a provisioned table is refused': refusing(
    PROVISIONED,
    { OnDemandThroughput: { MaxReadRequestUnits: 1 } },
    `${INVALID}MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED`,
  ),

  'a bound on demand of zero is refused': refusing(
    SINGLE,
    { OnDemandThroughput: { MaxWriteRequestUnits: 0 } },
    `${INVALID}Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range`,
  ),

  'to be warm for less is refused': refusing(
    SINGLE,
    { WarmThroughput: { ReadUnitsPerSecond: 1 } },
    `${INVALID}Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, ` +
      'decreasing WarmThroughput is not supported',
  ),

  'a stream that is enabled without a view is refused': refusingAny(
    { StreamSpecification: { StreamEnabled: true } },
    `${INVALID}If stream is being enabled then UpdateViewType is required`,
  ),

  'a stream that is disabled with a view is refused': refusingAny(
    { StreamSpecification: { StreamEnabled: false, StreamViewType: 'NEW_IMAGE' } },
    `${INVALID}If stream is being disabled, then UpdateViewType must not be specified`,
  ),

  'a second stream is refused, whatever its view': refusing(
    { ...SINGLE, StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } },
    { StreamSpecification: STREAM },
    'Table already has an enabled stream: TableName: TABLE',
  ),

  'a stream that is not there cannot be disabled': refusing(
    SINGLE,
    { StreamSpecification: { StreamEnabled: false } },
    'Table has no stream to disable: TableName: TABLE',
  ),

  'encryption that is off already is refused': refusing(
    SINGLE,
    { SSESpecification: { Enabled: false } },
    `${INVALID}Table is already encrypted by default`,
  ),

  'an unknown class is refused': refusingAny(
    { TableClass: 'NONSENSE' as 'STANDARD' },
    'Invalid table-class parameter provided. Please try again with a valid table-class value: ' +
      '[STANDARD, STANDARD_INFREQUENT_ACCESS].',
  ),

  'encryption is changed alone': refusingAny(
    { SSESpecification: { Enabled: true }, DeletionProtectionEnabled: true },
    only('Server-Side Encryption modification'),
  ),
  'a class is changed alone': refusingAny(
    { TableClass: 'STANDARD', BillingMode: 'PAY_PER_REQUEST' },
    only('TableClass modification'),
  ),
  'protection is changed alone': refusingAny(
    { DeletionProtectionEnabled: true, StreamSpecification: STREAM },
    only('DeletionProtection modification'),
  ),
  'what to be warm for is changed alone': refusingAny(
    { WarmThroughput: { ReadUnitsPerSecond: 20_000 }, BillingMode: 'PAY_PER_REQUEST' },
    only('WarmThroughput'),
  ),
  'bounds on demand go with the mode only': refusingAny(
    { OnDemandThroughput: { MaxReadRequestUnits: 1 }, StreamSpecification: STREAM },
    `${INVALID}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request`,
  ),
  'capacity and a stream are not changed together': refusingAny(
    { ProvisionedThroughput: units(1, 1), StreamSpecification: STREAM },
    `${INVALID}You cannot modify stream status while updating table IOPS`,
  ),
  'capacity and indexes are not changed together': refusingAny(
    { ProvisionedThroughput: units(1, 1), ...CREATE },
    `${INVALID}You cannot create or delete index while updating table IOPS`,
  ),
  'a stream and indexes are not changed together': refusingAny(
    { StreamSpecification: STREAM, ...CREATE },
    `${INVALID}You cannot create or delete index while changing stream status`,
  ),
  'no index is made while it is said what to be warm for': refusingAny(
    { WarmThroughput: { ReadUnitsPerSecond: 20_000 }, ...CREATE },
    `${INVALID}Create global secondary index cannot be specified when updating WarmThroughput`,
  ),

  'a replica is added by itself': refusing(
    SINGLE,
    { ReplicaUpdates: [{ Create: BERLIN }], DeletionProtectionEnabled: true },
    only('Replica modification'),
  ),
  'an entry for a replica that does nothing is refused': async bench => {
    for (const entry of [{}, { Update: BERLIN }])
      await refusing(SINGLE, { ReplicaUpdates: [entry] }, NO_REPLICA_ACTION)(bench)
  },
  'an entry for a replica does one thing': refusing(
    SINGLE,
    { ReplicaUpdates: [{ Create: BERLIN, Delete: BERLIN }] },
    'Update table operation with more than one type of replica actions not allowed.',
  ),
  'replicas are added and taken away one by one': async bench => {
    for (const action of ['Create', 'Delete'])
      await refusing(
        SINGLE,
        { ReplicaUpdates: [{ [action]: BERLIN }, { [action]: OREGON }] },
        'Update table operation with more than one create or delete replica actions not allowed',
      )(bench)
  },
  'a replica that there is not is neither taken away nor changed': async bench => {
    for (const entry of [{ Delete: BERLIN }, { Update: { ...BERLIN, TableClassOverride: 'STANDARD' as const } }])
      await refusing(SINGLE, { ReplicaUpdates: [entry] }, NOT_A_REPLICA)(bench)
  },
})
