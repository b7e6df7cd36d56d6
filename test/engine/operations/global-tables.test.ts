import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { request } from '../tables.js'

// As observed in us-west-2 in October 2026, where legacy global tables no longer exist.
test('all operations on global tables report that none exists', async () => {
  const store = memory()
  const { TableDescription } = await store.createTable(request())
  for (const GlobalTableName of ['Orders', 'Missing'])
    await expect(store.describeGlobalTable({ GlobalTableName })).rejects.toMatchObject({
      name: 'GlobalTableNotFoundException',
      message: `Global table not found: Global table with name: '${GlobalTableName}' does not exist.`,
    })
  expect(await store.listGlobalTables({ RegionName: 'us-east-1', Limit: 1 })).toEqual({ GlobalTables: [] })
  for (const TableName of ['Orders', TableDescription!.TableArn!])
    for (const operation of ['describeTableReplicaAutoScaling', 'updateTableReplicaAutoScaling'] as const)
      await expect(store[operation]({ TableName })).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
        message: "Global table with name: 'Orders' does not exist.",
      })
})

test('the name of a global table must have a valid length', async () => {
  for (const GlobalTableName of ['', 'xy', 'x'.repeat(256)])
    await expect(memory().describeGlobalTable({ GlobalTableName })).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'TableName must be at least 3 characters long and at most 255 characters long',
    })
})

test('incomplete requests to create or update a global table get different messages', async () => {
  const store = memory()
  const refusal = (call: Promise<unknown>) => call.then(String, ({ message }) => message)
  const GlobalTableName = 'Orders'
  const bare = 'One or more parameter values were invalid'
  const missing = (path: string) => `Value null at '${path}' failed to satisfy constraint: Member must not be null`
  expect(await refusal(store.createGlobalTable({} as never))).toBe(bare)
  expect(await refusal(store.createGlobalTable({ GlobalTableName } as never))).toBe(bare)
  expect(await refusal(store.createGlobalTable({ GlobalTableName: 'x', ReplicationGroup: [] }))).toBe(
    'TableName must be at least 3 characters long and at most 255 characters long',
  )
  expect(await refusal(store.updateGlobalTable({} as never))).toBe(
    `2 validation errors detected: ${missing('globalTableName')}; ${missing('replicaUpdates')}`,
  )
  expect(await refusal(store.updateGlobalTable({ GlobalTableName: 'x', ReplicaUpdates: [] }))).toBe(
    "1 validation error detected: Value 'x' at 'globalTableName' failed to satisfy constraint: " +
      'Member must have length greater than or equal to 3',
  )
  for (const action of ['Create', 'Delete'])
    expect(
      await refusal(store.updateGlobalTable({ GlobalTableName, ReplicaUpdates: [{ [action]: {} }] } as never)),
    ).toBe(`1 validation error detected: ${missing(`replicaUpdates.1.member.${action.toLowerCase()}.regionName`)}`)
})

test('the settings of a global table are parsed like in Java, although none exists', async () => {
  const role = 'arn:aws:iam::123456789012:role/\u00fc\u{1f600}'
  const refusal = (PolicyName: string, TargetValue: number, count = 1) => {
    const ScalingPolicyUpdate = { PolicyName, TargetTrackingScalingPolicyConfiguration: { TargetValue } }
    const scaling = { AutoScalingRoleArn: role, ScalingPolicyUpdate }
    const index = { IndexName: 'byDate', ProvisionedWriteCapacityAutoScalingSettingsUpdate: scaling }
    const GlobalTableGlobalSecondaryIndexSettingsUpdate = Array.from({ length: count }, () => index)
    return memory()
      .updateGlobalTableSettings({ GlobalTableName: 'Orders', GlobalTableGlobalSecondaryIndexSettingsUpdate })
      .then(String, ({ message }) => message)
  }
  expect(await refusal('a policy', 0.5)).toBe("Global table with name: 'Orders' does not exist.")
  expect(await refusal('\u00fc', 1)).toContain(
    "Value '\u00fc' at 'globalTableGlobalSecondaryIndexSettingsUpdate.1.member." +
      "provisionedWriteCapacityAutoScalingSettingsUpdate.scalingPolicyUpdate.policyName' failed to satisfy " +
      'constraint: Member must satisfy regular expression pattern: \\p{Print}+',
  )
  for (const [given, told] of [
    [70, '70.0'],
    [0.5, '0.5'],
    [12_345_678, '1.2345678E7'],
    [-1e-5, '-1.0E-5'],
  ] as const)
    expect(await refusal('a policy', given, 21)).toContain(`targetValue=${told})`)
})
