import { REPLICA_SETTINGS, SCALING_POLICY_NAME_CHARACTERS, SCALING_ROLE_CHARACTERS } from '../../../dynamodb/limits.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { SIMPLE_KEY_TABLE } from '../../fixtures/table-definitions.js'

const INVALID = 'One or more parameter values were invalid'
const OLD_VERSION =
  `${INVALID}: DynamoDB global tables version 2017.11.29 is not supported. ` +
  'We recommend using DynamoDB global tables version 2019.11.21, instead of version 2017.11.29 (Legacy).'
const REGION = { RegionName: 'us-east-1' }
const OTHER_REGION = { RegionName: 'us-east-2' }

const createCases = defineCases('createGlobalTable', {
  'creation is rejected with and without a table of that name': async bench => {
    for (const GlobalTableName of [await bench.createOwnTable(SIMPLE_KEY_TABLE), bench.newTableName()])
      for (const ReplicationGroup of [[REGION], [REGION, OTHER_REGION], [REGION, REGION]])
        await expectValidationError(bench.service.createGlobalTable({ GlobalTableName, ReplicationGroup }), OLD_VERSION)
  },

  'a group has a replica': bench =>
    expectValidationError(
      bench.service.createGlobalTable({ GlobalTableName: bench.newTableName(), ReplicationGroup: [] }),
      `${INVALID}: Global table must have atleast one replica`,
    ).then(() => undefined),

  'a replica has a region': bench =>
    expectValidationError(
      bench.service.createGlobalTable({ GlobalTableName: bench.newTableName(), ReplicationGroup: [{}] }),
      `${INVALID}: 1 validation error detected: Value null at 'replicationGroup.1.member.regionName' ` +
        'failed to satisfy constraint: Member must not be null',
    ).then(() => undefined),
})

const updateCases = defineCases('updateGlobalTable', {
  'adding a replica is rejected': async bench => {
    const GlobalTableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    for (const ReplicaUpdates of [[{ Create: OTHER_REGION }], [{ Create: REGION }, { Create: REGION }]])
      await expectValidationError(bench.service.updateGlobalTable({ GlobalTableName, ReplicaUpdates }), OLD_VERSION)
  },

  'removing a replica from a single-region table is rejected': async bench => {
    const GlobalTableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    await expectRejection(
      bench.service.updateGlobalTable({ GlobalTableName, ReplicaUpdates: [{ Delete: OTHER_REGION }] }),
      'GlobalTableNotFoundException',
      `Global table not found: Global table with name: '${GlobalTableName}' does not exist.`,
    )
  },

  'an update makes one change at a time': async bench => {
    const GlobalTableName = bench.newTableName()
    for (const ReplicaUpdates of [[], [{}]])
      await expectValidationError(bench.service.updateGlobalTable({ GlobalTableName, ReplicaUpdates }), INVALID)
    await expectValidationError(
      bench.service.updateGlobalTable({
        GlobalTableName,
        ReplicaUpdates: [{ Create: OTHER_REGION, Delete: REGION }],
      }),
      `${INVALID}: A ReplicaUpdate structure cannot contain both a create replica action and a delete replica action`,
    )
  },
})

const settingsCases = defineCases('describeGlobalTableSettings', {
  'a single-region table has no global table': async bench => {
    const GlobalTableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    await expectRejection(
      bench.service.describeGlobalTableSettings({ GlobalTableName }),
      'GlobalTableNotFoundException',
      `Global table with name: '${GlobalTableName}' does not exist.`,
    )
  },
})

const updateSettingsCases = defineCases('updateGlobalTableSettings', {
  'a single-region table has no global table, even for updates of the maximum number and length': withCoverage(
    ['limit:REPLICA_SETTINGS', 'limit:SCALING_ROLE_CHARACTERS', 'limit:SCALING_POLICY_NAME_CHARACTERS'],
    async bench => {
      const GlobalTableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
      const scaling = {
        AutoScalingRoleArn: 'a'.repeat(SCALING_ROLE_CHARACTERS),
        ScalingPolicyUpdate: {
          PolicyName: 'a'.repeat(SCALING_POLICY_NAME_CHARACTERS),
          TargetTrackingScalingPolicyConfiguration: { TargetValue: 70.5 },
        },
      }
      const replica = { ...REGION, ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate: scaling }
      await expectRejection(
        bench.service.updateGlobalTableSettings({
          GlobalTableName,
          ReplicaSettingsUpdate: Array.from({ length: REPLICA_SETTINGS }, () => replica),
        }),
        'GlobalTableNotFoundException',
        `Global table with name: '${GlobalTableName}' does not exist.`,
      )
    },
  ),
})

const describeCases = defineCases('describeGlobalTable', {
  'a single-region table is not a global table': async bench => {
    const GlobalTableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    await expectRejection(
      bench.service.describeGlobalTable({ GlobalTableName }),
      'GlobalTableNotFoundException',
      `Global table not found: Global table with name: '${GlobalTableName}' does not exist.`,
    )
  },
})

const listCases = defineCases('listGlobalTables', {
  'a single-region table is not listed': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const { GlobalTables } = await bench.service.listGlobalTables({ Limit: 1 })
    expectEqual(
      GlobalTables!.filter(({ GlobalTableName }) => GlobalTableName === TableName),
      [],
    )
  },
})

const scalingCases = defineCases('describeTableReplicaAutoScaling', {
  'autoscaling of replicas is rejected for a single-region table': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    await expectRejection(
      bench.service.describeTableReplicaAutoScaling({ TableName }),
      'ResourceNotFoundException',
      `Global table with name: '${TableName}' does not exist.`,
    )
  },
})

const updateScalingCases = defineCases('updateTableReplicaAutoScaling', {
  'a change of replica autoscaling is rejected for a single-region table': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const scaling = { MinimumUnits: 1, MaximumUnits: 10 }
    for (const update of [
      {},
      { ProvisionedWriteCapacityAutoScalingUpdate: scaling },
      { ReplicaUpdates: [{ ...REGION, ReplicaProvisionedReadCapacityAutoScalingUpdate: scaling }] },
    ])
      await expectRejection(
        bench.service.updateTableReplicaAutoScaling({ TableName, ...update }),
        'ResourceNotFoundException',
        `Global table with name: '${TableName}' does not exist.`,
      )
  },
})

export const globalTableCases = [
  ...createCases,
  ...updateCases,
  ...describeCases,
  ...listCases,
  ...settingsCases,
  ...updateSettingsCases,
  ...scalingCases,
  ...updateScalingCases,
]
