import { CAPACITY_DECREASE_MS, CAPACITY_DECREASES, CAPACITY_UNITS_MAX } from '../../../dynamodb/limits.js'
import type { CreateTableInput, UpdateTableInput } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { type CaseRunner, defineCases, withCoverage } from '../../contract-case.js'
import {
  hashKey,
  indexDefinition,
  PROVISIONED_TABLE,
  SIMPLE_KEY_TABLE,
  textAttributes,
} from '../../fixtures/table-definitions.js'

type TableUpdate = Omit<UpdateTableInput, 'TableName'>

const INVALID = 'One or more parameter values were invalid: '
const throughputOf = (ReadCapacityUnits: number, WriteCapacityUnits: number) => ({
  ReadCapacityUnits,
  WriteCapacityUnits,
})
const STREAM = { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' as const }
const CREATE = {
  AttributeDefinitions: textAttributes('a'),
  GlobalSecondaryIndexUpdates: [{ Create: indexDefinition('some', hashKey('a')) }],
}

/** Creates a case in which an update of this table is rejected with this message. */
function rejectsUpdateOf(
  definition: Omit<CreateTableInput, 'TableName'>,
  update: TableUpdate,
  message: string,
): CaseRunner {
  return async bench => {
    const TableName = await bench.createOwnTable(definition)
    await expectValidationError(bench.store.updateTable({ TableName, ...update }), message.replace('TABLE', TableName))
  }
}

/** Creates a case in which an update is rejected before the table is looked up. */
function rejectsAnyUpdate(update: TableUpdate, message: string): CaseRunner {
  return async bench => {
    await expectValidationError(bench.store.updateTable({ TableName: bench.newTableName(), ...update }), message)
  }
}

const NOTHING_TO_UPDATE =
  'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, ' +
  'SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, ' +
  'DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required'

const mustBeOnlyOperation = (what: string) => `${INVALID}${what} must be the only operation in the request`
const [BERLIN, OREGON] = [{ RegionName: 'eu-central-1' }, { RegionName: 'us-west-2' }]
const NOT_A_REPLICA =
  'Update global table operation failed because one or more replicas were not part of the global table. ' +
  'Please retry the request without these replicas: [eu-central-1].'
const NO_REPLICA_ACTION = 'There are no actions specified in the Replica Update Action of the request.'

export const updateTableErrorCases = defineCases('updateTable', {
  'a request that changes nothing is rejected': rejectsAnyUpdate({}, NOTHING_TO_UPDATE),
  'a request with only attribute definitions changes nothing and is rejected': rejectsAnyUpdate(
    { AttributeDefinitions: textAttributes('a') },
    NOTHING_TO_UPDATE,
  ),
  'a request with an empty list of index changes is rejected': rejectsAnyUpdate(
    { GlobalSecondaryIndexUpdates: [] },
    NOTHING_TO_UPDATE,
  ),

  'an empty list of index changes next to another change is rejected': rejectsAnyUpdate(
    { GlobalSecondaryIndexUpdates: [], DeletionProtectionEnabled: true },
    `${INVALID}List of GlobalSecondaryIndexUpdates is empty`,
  ),

  'a missing table is named in the error': async bench => {
    const TableName = bench.newTableName()
    await expectRejection(
      bench.store.updateTable({ TableName, ProvisionedThroughput: throughputOf(1, 1) }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  },

  'unchanged capacity is rejected': rejectsUpdateOf(
    PROVISIONED_TABLE,
    { ProvisionedThroughput: throughputOf(1, 1) },
    'The provisioned throughput for the table will not change. The requested value equals the current value. ' +
      'Current ReadCapacityUnits provisioned for the table: 1. Requested ReadCapacityUnits: 1. ' +
      'Current WriteCapacityUnits provisioned for the table: 1. Requested WriteCapacityUnits: 1. ' +
      'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
  ),

  'a fifth decrease within a day is rejected': withCoverage(
    ['limit:CAPACITY_DECREASES', 'limit:CAPACITY_DECREASE_MS'],
    async bench => {
      const TableName = await bench.createOwnTable({ ...PROVISIONED_TABLE, ProvisionedThroughput: throughputOf(6, 6) })
      for (let left = 5; left > 5 - CAPACITY_DECREASES; left--) {
        await bench.store.updateTable({ TableName, ProvisionedThroughput: throughputOf(left, left) })
        await bench.waitUntilActive(TableName)
      }
      const error = await expectRejection(
        bench.store.updateTable({ TableName, ProvisionedThroughput: throughputOf(7, 1) }),
        'LimitExceededException',
        /Number of decreases today: 4\. Last decrease at \w+, \w+ \d+, \d+ at \d+:\d\d:\d\d [AP]M Coordinated Universal Time\. /,
      )
      const every = `can be performed at most once every ${CAPACITY_DECREASE_MS / 1000} seconds`
      expectEqual(error.message.includes(every), true)
      await bench.store.updateTable({ TableName, ProvisionedThroughput: throughputOf(7, 7) })
    },
  ),

  'capacity for an on-demand table is rejected': rejectsUpdateOf(
    SIMPLE_KEY_TABLE,
    { ProvisionedThroughput: throughputOf(1, 1) },
    `${INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
  ),

  'capacity together with a switch to on-demand mode is rejected': rejectsAnyUpdate(
    { BillingMode: 'PAY_PER_REQUEST', ProvisionedThroughput: throughputOf(1, 1) },
    `${INVALID}ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST`,
  ),

  'a provisioned mode without capacity is rejected': rejectsAnyUpdate(
    { BillingMode: 'PROVISIONED' },
    `${INVALID}ProvisionedThroughput must be specified when BillingMode is PROVISIONED`,
  ),

  'too much capacity is rejected': withCoverage(
    ['limit:CAPACITY_UNITS_MAX'],
    rejectsAnyUpdate(
      { ProvisionedThroughput: throughputOf(CAPACITY_UNITS_MAX + 1, 1) },
      'Given value 1000000000001 for ReadCapacityUnits is out of bounds',
    ),
  ),

  'an on-demand maximum for a provisioned table is rejected': rejectsUpdateOf(
    PROVISIONED_TABLE,
    { OnDemandThroughput: { MaxReadRequestUnits: 1 } },
    `${INVALID}MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED`,
  ),

  'an on-demand maximum of zero is rejected': rejectsUpdateOf(
    SIMPLE_KEY_TABLE,
    { OnDemandThroughput: { MaxWriteRequestUnits: 0 } },
    `${INVALID}Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range`,
  ),

  'a decrease of warm throughput is rejected': rejectsUpdateOf(
    SIMPLE_KEY_TABLE,
    { WarmThroughput: { ReadUnitsPerSecond: 1 } },
    `${INVALID}Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, ` +
      'decreasing WarmThroughput is not supported',
  ),

  'a stream that is enabled without a view is rejected': rejectsAnyUpdate(
    { StreamSpecification: { StreamEnabled: true } },
    `${INVALID}If stream is being enabled then UpdateViewType is required`,
  ),

  'a stream that is disabled with a view is rejected': rejectsAnyUpdate(
    { StreamSpecification: { StreamEnabled: false, StreamViewType: 'NEW_IMAGE' } },
    `${INVALID}If stream is being disabled, then UpdateViewType must not be specified`,
  ),

  'a second stream with any view is rejected': rejectsUpdateOf(
    { ...SIMPLE_KEY_TABLE, StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } },
    { StreamSpecification: STREAM },
    'Table already has an enabled stream: TableName: TABLE',
  ),

  'disabling a missing stream is rejected': rejectsUpdateOf(
    SIMPLE_KEY_TABLE,
    { StreamSpecification: { StreamEnabled: false } },
    'Table has no stream to disable: TableName: TABLE',
  ),

  'disabling disabled encryption is rejected': rejectsUpdateOf(
    SIMPLE_KEY_TABLE,
    { SSESpecification: { Enabled: false } },
    `${INVALID}Table is already encrypted by default`,
  ),

  'an unknown class is rejected': rejectsAnyUpdate(
    { TableClass: 'NONSENSE' as 'STANDARD' },
    'Invalid table-class parameter provided. Please try again with a valid table-class value: ' +
      '[STANDARD, STANDARD_INFREQUENT_ACCESS].',
  ),

  'encryption is changed alone': rejectsAnyUpdate(
    { SSESpecification: { Enabled: true }, DeletionProtectionEnabled: true },
    mustBeOnlyOperation('Server-Side Encryption modification'),
  ),
  'a class is changed alone': rejectsAnyUpdate(
    { TableClass: 'STANDARD', BillingMode: 'PAY_PER_REQUEST' },
    mustBeOnlyOperation('TableClass modification'),
  ),
  'protection is changed alone': rejectsAnyUpdate(
    { DeletionProtectionEnabled: true, StreamSpecification: STREAM },
    mustBeOnlyOperation('DeletionProtection modification'),
  ),
  'warm throughput is changed alone': rejectsAnyUpdate(
    { WarmThroughput: { ReadUnitsPerSecond: 20_000 }, BillingMode: 'PAY_PER_REQUEST' },
    mustBeOnlyOperation('WarmThroughput'),
  ),
  'on-demand maximums can only be changed together with the mode': rejectsAnyUpdate(
    { OnDemandThroughput: { MaxReadRequestUnits: 1 }, StreamSpecification: STREAM },
    `${INVALID}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request`,
  ),
  'capacity and a stream are not changed together': rejectsAnyUpdate(
    { ProvisionedThroughput: throughputOf(1, 1), StreamSpecification: STREAM },
    `${INVALID}You cannot modify stream status while updating table IOPS`,
  ),
  'capacity and indexes are not changed together': rejectsAnyUpdate(
    { ProvisionedThroughput: throughputOf(1, 1), ...CREATE },
    `${INVALID}You cannot create or delete index while updating table IOPS`,
  ),
  'a stream and indexes are not changed together': rejectsAnyUpdate(
    { StreamSpecification: STREAM, ...CREATE },
    `${INVALID}You cannot create or delete index while changing stream status`,
  ),
  'an index creation together with warm throughput is rejected': rejectsAnyUpdate(
    { WarmThroughput: { ReadUnitsPerSecond: 20_000 }, ...CREATE },
    `${INVALID}Create global secondary index cannot be specified when updating WarmThroughput`,
  ),

  'a replica is added alone': rejectsUpdateOf(
    SIMPLE_KEY_TABLE,
    { ReplicaUpdates: [{ Create: BERLIN }], DeletionProtectionEnabled: true },
    mustBeOnlyOperation('Replica modification'),
  ),
  'a replica entry without an action is rejected': async bench => {
    for (const entry of [{}, { Update: BERLIN }])
      await rejectsUpdateOf(SIMPLE_KEY_TABLE, { ReplicaUpdates: [entry] }, NO_REPLICA_ACTION)(bench)
  },
  'a replica entry with several actions is rejected': rejectsUpdateOf(
    SIMPLE_KEY_TABLE,
    { ReplicaUpdates: [{ Create: BERLIN, Delete: BERLIN }] },
    'Update table operation with more than one type of replica actions not allowed.',
  ),
  'replicas are added and removed one by one': async bench => {
    for (const action of ['Create', 'Delete'])
      await rejectsUpdateOf(
        SIMPLE_KEY_TABLE,
        { ReplicaUpdates: [{ [action]: BERLIN }, { [action]: OREGON }] },
        'Update table operation with more than one create or delete replica actions not allowed',
      )(bench)
  },
  'a missing replica can be neither removed nor changed': async bench => {
    for (const entry of [{ Delete: BERLIN }, { Update: { ...BERLIN, TableClassOverride: 'STANDARD' as const } }])
      await rejectsUpdateOf(SIMPLE_KEY_TABLE, { ReplicaUpdates: [entry] }, NOT_A_REPLICA)(bench)
  },
})
