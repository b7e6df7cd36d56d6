import { REPLICA_SETTINGS, SCALING_POLICY_NAME_CHARACTERS, SCALING_ROLE_CHARACTERS } from '../../../dynamodb/limits.js'
import { cases, covering } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { SINGLE } from './table-definitions.js'

const INVALID = 'One or more parameter values were invalid'
const OLD_VERSION =
  `${INVALID}: DynamoDB global tables version 2017.11.29 is not supported. ` +
  'We recommend using DynamoDB global tables version 2019.11.21, instead of version 2017.11.29 (Legacy).'
const REGION = { RegionName: 'us-east-1' }
const OTHER_REGION = { RegionName: 'us-east-2' }

const createCases = cases('createGlobalTable', {
  'none is made, whether or not there is a table of its name': async bench => {
    for (const GlobalTableName of [await bench.ownTable(SINGLE), bench.ownName()])
      for (const ReplicationGroup of [[REGION], [REGION, OTHER_REGION], [REGION, REGION]])
        await invalid(bench.service.createGlobalTable({ GlobalTableName, ReplicationGroup }), OLD_VERSION)
  },

  'a group has a replica': bench =>
    invalid(
      bench.service.createGlobalTable({ GlobalTableName: bench.ownName(), ReplicationGroup: [] }),
      `${INVALID}: Global table must have atleast one replica`,
    ).then(() => undefined),

  'a replica has a region': bench =>
    invalid(
      bench.service.createGlobalTable({ GlobalTableName: bench.ownName(), ReplicationGroup: [{}] }),
      `${INVALID}: 1 validation error detected: Value null at 'replicationGroup.1.member.regionName' ` +
        'failed to satisfy constraint: Member must not be null',
    ).then(() => undefined),
})

const updateCases = cases('updateGlobalTable', {
  'no replica is added': async bench => {
    const GlobalTableName = await bench.ownTable(SINGLE)
    for (const ReplicaUpdates of [[{ Create: OTHER_REGION }], [{ Create: REGION }, { Create: REGION }]])
      await invalid(bench.service.updateGlobalTable({ GlobalTableName, ReplicaUpdates }), OLD_VERSION)
  },

  'no replica is taken from a table of one region': async bench => {
    const GlobalTableName = await bench.ownTable(SINGLE)
    await refused(
      bench.service.updateGlobalTable({ GlobalTableName, ReplicaUpdates: [{ Delete: OTHER_REGION }] }),
      'GlobalTableNotFoundException',
      `Global table not found: Global table with name: '${GlobalTableName}' does not exist.`,
    )
  },

  'an update does one thing at a time': async bench => {
    const GlobalTableName = bench.ownName()
    for (const ReplicaUpdates of [[], [{}]])
      await invalid(bench.service.updateGlobalTable({ GlobalTableName, ReplicaUpdates }), INVALID)
    await invalid(
      bench.service.updateGlobalTable({
        GlobalTableName,
        ReplicaUpdates: [{ Create: OTHER_REGION, Delete: REGION }],
      }),
      `${INVALID}: A ReplicaUpdate structure cannot contain both a create replica action and a delete replica action`,
    )
  },
})

const settingsCases = cases('describeGlobalTableSettings', {
  'a table of one region has none': async bench => {
    const GlobalTableName = await bench.ownTable(SINGLE)
    await refused(
      bench.service.describeGlobalTableSettings({ GlobalTableName }),
      'GlobalTableNotFoundException',
      `Global table with name: '${GlobalTableName}' does not exist.`,
    )
  },
})

const updateSettingsCases = cases('updateGlobalTableSettings', {
  'a table of one region has none, however many there are and however long': covering(
    ['limit:REPLICA_SETTINGS', 'limit:SCALING_ROLE_CHARACTERS', 'limit:SCALING_POLICY_NAME_CHARACTERS'],
    async bench => {
      const GlobalTableName = await bench.ownTable(SINGLE)
      const scaling = {
        AutoScalingRoleArn: 'a'.repeat(SCALING_ROLE_CHARACTERS),
        ScalingPolicyUpdate: {
          PolicyName: 'a'.repeat(SCALING_POLICY_NAME_CHARACTERS),
          TargetTrackingScalingPolicyConfiguration: { TargetValue: 70.5 },
        },
      }
      const replica = { ...REGION, ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate: scaling }
      await refused(
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

const describeCases = cases('describeGlobalTable', {
  'a table of one region is none': async bench => {
    const GlobalTableName = await bench.ownTable(SINGLE)
    await refused(
      bench.service.describeGlobalTable({ GlobalTableName }),
      'GlobalTableNotFoundException',
      `Global table not found: Global table with name: '${GlobalTableName}' does not exist.`,
    )
  },
})

const listCases = cases('listGlobalTables', {
  'a table of one region is not listed': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const { GlobalTables } = await bench.service.listGlobalTables({ Limit: 1 })
    same(
      GlobalTables!.filter(({ GlobalTableName }) => GlobalTableName === TableName),
      [],
    )
  },
})

const scalingCases = cases('describeTableReplicaAutoScaling', {
  'a table of one region has no replicas to be scaled': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    await refused(
      bench.service.describeTableReplicaAutoScaling({ TableName }),
      'ResourceNotFoundException',
      `Global table with name: '${TableName}' does not exist.`,
    )
  },
})

const updateScalingCases = cases('updateTableReplicaAutoScaling', {
  'a table of one region has no replicas to be scaled otherwise': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const scaling = { MinimumUnits: 1, MaximumUnits: 10 }
    for (const update of [
      {},
      { ProvisionedWriteCapacityAutoScalingUpdate: scaling },
      { ReplicaUpdates: [{ ...REGION, ReplicaProvisionedReadCapacityAutoScalingUpdate: scaling }] },
    ])
      await refused(
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
