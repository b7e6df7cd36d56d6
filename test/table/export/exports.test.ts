import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TableDesign } from '../../../src/layout/design.js'
import { cliCommands, cliScript } from '../../../src/table/export/aws-cli/commands.js'
import { cdk } from '../../../src/table/export/cdk/construct.js'
import { cloudFormation } from '../../../src/table/export/cloudformation/template.js'
import { terraform } from '../../../src/table/export/terraform/module.js'
import type { ProductionOptions } from '../../../src/table/production/production.js'
import { toCreateTableInput } from '../../../src/table/table-definition.js'
import { designed, EVERYTHING, global, PRODUCTION } from '../designs.js'

const PLACE = { region: 'eu-west-1', account: '123456789012' }

/** The properties of the table in the template, the commands and the module. */
function exported(design: TableDesign, options: ProductionOptions = {}) {
  const { Resources } = cloudFormation(design, options)
  const commands = cliCommands(design, { ...options, ...PLACE })
  return {
    resources: Resources,
    types: Object.values(Resources).map(resource => resource.Type),
    table: Resources.Table!,
    commands,
    input: (command: string) => commands.find(one => one.command === command)?.input,
    hcl: terraform(design, options),
    construct: cdk(design, options),
  }
}

describe('every export', () => {
  test.each(['ab', 'größe'])('every export rejects a table name that is invalid in DynamoDB: %s', name => {
    const refused = expect.objectContaining({ code: 'name.invalid' })
    for (const written of [cloudFormation, cdk, terraform]) {
      expect(() => written(designed({ name }))).toThrow(refused)
      expect(() => written(designed(), { table: name })).toThrow(refused)
      expect(() => written(designed({ name }), { table: 'cinema.test' })).not.toThrow()
    }
    expect(() => cliCommands(designed({ name }), PLACE)).toThrow(refused)
  })

  test.each([
    ['eu-west-1', 'aws'],
    ['cn-north-1', 'aws-cn'],
    ['us-gov-west-1', 'aws-us-gov'],
    ['us-iso-east-1', 'aws-iso'],
    ['us-isob-east-1', 'aws-iso-b'],
  ])('the CLI export names the table of %s by an ARN of %s', (region, partition) => {
    const [policy] = cliCommands(designed(), { region, account: '123456789012' }).filter(
      ({ command }) => command === 'create-policy',
    )
    expect(policy!.input.PolicyDocument).toContain(`"arn:${partition}:dynamodb:${region}:123456789012:table/cinema"`)
  })

  test('every export has the table definition of createTableInput', () => {
    const { TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes } = toCreateTableInput(designed())
    const { table, input } = exported(designed())
    const definition = { TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes }
    expect(table.Properties).toMatchObject({ ...definition, BillingMode: 'PAY_PER_REQUEST' })
    expect(input('create-table')).toMatchObject({ ...definition, BillingMode: 'PAY_PER_REQUEST' })
  })

  test('every export protects data by default', () => {
    const { table, input, hcl } = exported(designed())
    expect(table).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
      },
    })
    expect(input('create-table')).toMatchObject({ DeletionProtectionEnabled: true })
    expect(input('update-continuous-backups')).toMatchObject({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
    expect(hcl).toContain('deletion_protection_enabled = true')
    expect(hcl).toMatch(/point_in_time_recovery \{\n {4}enabled +=/)

    const bare = exported(designed(), { recovery: false, deletionProtection: false })
    expect(bare.table).toMatchObject({ DeletionPolicy: 'Delete', Properties: { DeletionProtectionEnabled: false } })
    expect(bare.input('update-continuous-backups')).toBeUndefined()
    expect(bare.construct).toContain('RemovalPolicy.DESTROY')
  })

  test.each([
    ['aws-owned', { SSEEnabled: false }, undefined, 'enabled = false'],
    ['aws-managed', { SSEEnabled: true, SSEType: 'KMS' }, { Enabled: true, SSEType: 'KMS' }, 'enabled = true'],
    [
      { keyArn: 'arn:aws:kms:key' },
      { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: 'arn:aws:kms:key' },
      { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: 'arn:aws:kms:key' },
      'enabled     = true\n    kms_key_arn = "arn:aws:kms:key"',
    ],
  ] as const)('every export encrypts with the key %j', (encryption, template, request, block) => {
    const { table, input, hcl } = exported(designed(), { encryption })
    expect(table.Properties.SSESpecification).toEqual(template)
    expect(input('create-table')?.SSESpecification).toEqual(request)
    expect(hcl).toContain(`server_side_encryption {\n    ${block}\n`)
  })

  test('every export enables the TTL and the stream of the design', () => {
    const { table, input, hcl } = exported(EVERYTHING)
    expect(table.Properties).toMatchObject({
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
    expect(input('update-time-to-live')).toMatchObject({ TimeToLiveSpecification: { AttributeName: 'expiresAt' } })
    expect(hcl).toContain('attribute_name = "expiresAt"')
    expect(hcl).toContain('stream_view_type            = "NEW_AND_OLD_IMAGES"')
  })

  test('every export escapes text that has a meaning in its format', () => {
    const { hcl, construct } = exported(EVERYTHING, PRODUCTION)
    expect(hcl).toContain(`"cost-center" = "\\"42\\" $\${x} it's"`)
    expect(hcl).toContain('["$${aws:PrincipalTag/tenant}#*"]')
    expect(construct).toContain(`value: '"42" \${x} it\\'s'`)
    expect(cliScript(EVERYTHING, { ...PRODUCTION, ...PLACE })).toContain(`\\"42\\" \${x} it'\\''s`)
  })

  test('every export has contributor insights for the table and each global index on request', () => {
    expect(exported(designed()).hcl).not.toContain('contributor_insights')
    const { table, commands, hcl } = exported(designed(), { contributorInsights: true })
    const enabled = { ContributorInsightsSpecification: { Enabled: true } }
    expect(table.Properties).toMatchObject({ ...enabled, GlobalSecondaryIndexes: [enabled] })
    expect(commands.filter(one => one.command === 'update-contributor-insights')).toHaveLength(2)
    expect(hcl.match(/"aws_dynamodb_contributor_insights"/g)).toHaveLength(2)
  })

  test('contributor insights of a table and of an index with the same name are separate resources', () => {
    const { hcl } = exported(designed({ indexes: [global('Table')] }), { contributorInsights: true })
    const names = hcl.match(/"aws_dynamodb_contributor_insights" "\w+"/g)!
    expect(names).toHaveLength(2)
    expect(new Set(names).size).toBe(2)
  })
})

describe('autoscaling', () => {
  const provisioned = designed({
    capacity: { read: 5, write: 10 },
    indexes: [global('GSI1', { capacity: { read: 7, write: 10 } })],
  })

  test('autoscaling scales reads and writes of the table and of each global index', () => {
    const { resources } = exported(provisioned, { autoscaling: { most: 4, targetPercent: 60 } })
    const targets = Object.values(resources).filter(({ Type }) => Type.endsWith('ScalableTarget'))
    expect(targets.map(({ Properties: one }) => [one.ScalableDimension, one.MinCapacity, one.MaxCapacity])).toEqual([
      ['dynamodb:table:ReadCapacityUnits', 5, 20],
      ['dynamodb:table:WriteCapacityUnits', 10, 40],
      ['dynamodb:index:ReadCapacityUnits', 7, 28],
      ['dynamodb:index:WriteCapacityUnits', 10, 40],
    ])
    expect(resources.GSI1WriteScaling?.Properties).toMatchObject({
      ScalingTargetId: { Ref: 'GSI1WriteTarget' },
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: 60,
        PredefinedMetricSpecification: { PredefinedMetricType: 'DynamoDBWriteCapacityUtilization' },
      },
    })
  })

  test('Terraform ignores capacity changes of autoscaling', () => {
    expect(exported(provisioned).hcl).toContain(
      'ignore_changes = [read_capacity, write_capacity, global_secondary_index]',
    )
    expect(exported(provisioned, { autoscaling: false }).hcl).not.toContain('ignore_changes')
  })

  test('autoscaling is absent for an on-demand table and if it is turned off', () => {
    expect(exported(designed()).types).not.toContain('AWS::ApplicationAutoScaling::ScalableTarget')
    expect(exported(provisioned, { autoscaling: false }).commands.map(one => one.service)).not.toContain(
      'application-autoscaling',
    )
  })
})

describe('alarms', () => {
  test('alarms watch throttles of the table and of each global index, not of local indexes', () => {
    const { resources } = exported(EVERYTHING)
    expect(Object.keys(resources).filter(id => id.endsWith('ThrottlesAlarm'))).toEqual([
      'ReadThrottlesAlarm',
      'WriteThrottlesAlarm',
      'GSI1ReadThrottlesAlarm',
      'GSI1WriteThrottlesAlarm',
      'GSI2ReadThrottlesAlarm',
      'GSI2WriteThrottlesAlarm',
      'InvertedReadThrottlesAlarm',
      'InvertedWriteThrottlesAlarm',
    ])
    expect(resources.GSI2WriteThrottlesAlarm?.Properties).toMatchObject({
      MetricName: 'WriteThrottleEvents',
      Dimensions: [
        { Name: 'TableName', Value: { Ref: 'Table' } },
        { Name: 'GlobalSecondaryIndexName', Value: 'GSI_2' },
      ],
      TreatMissingData: 'notBreaching',
    })
  })

  test('two indexes whose names differ only in punctuation have separate alarms', () => {
    const design = designed({ indexes: [global('by-name'), global('by_name'), global('ByName')] })
    expect(Object.keys(exported(design).resources).filter(id => id.endsWith('ReadThrottlesAlarm'))).toEqual([
      'ReadThrottlesAlarm',
      'ByNameReadThrottlesAlarm',
      'ByNameN2ReadThrottlesAlarm',
      'ByNameN3ReadThrottlesAlarm',
    ])
  })

  test('alarms watch the lag of the stream consumer and notify the configured actions', () => {
    const { resources } = exported(EVERYTHING, PRODUCTION)
    expect(resources.IteratorAgeAlarm?.Properties).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'IteratorAge',
      Dimensions: [{ Name: 'FunctionName', Value: 'cinema-consumer' }],
      Threshold: 900_000,
      AlarmActions: ['arn:aws:sns:eu-west-1:123456789012:oncall'],
    })
    expect(exported(designed(), PRODUCTION).resources).not.toHaveProperty('IteratorAgeAlarm')
  })

  test('alarms are absent if they are turned off', () => {
    expect(exported(EVERYTHING, { alarms: false }).types).not.toContain('AWS::CloudWatch::Alarm')
  })
})

describe('the module for Terraform', () => {
  test('the Terraform module has a terraform block only on request, because a folder with versions.tf has one', () => {
    expect(terraform(designed())).not.toContain('required_providers')
    expect(terraform(designed(), { requiredProviders: false })).toMatch(/^resource "aws_dynamodb_table"/)
  })

  test('the Terraform module names the keys of a global index by hash_key and range_key', () => {
    const hcl = terraform(designed({ indexes: [global('GSI1'), global('bare', { sort: [] })] }))
    expect(hcl).toMatch(/hash_key +=.*"GSI1PK"\n +range_key +=.*"GSI1SK"/)
    expect(hcl).not.toContain('key_schema')
  })

  test('the Terraform module uses key_schema blocks for a key with several attributes per role', () => {
    const index = global('GSI1', { partition: ['country', 'state'], sort: ['city'] })
    const hcl = terraform(designed({ indexes: [index] }))
    expect(hcl.match(/key_schema \{/g)).toHaveLength(3)
    expect(hcl).not.toMatch(/hash_key +=.*"country"/)
  })

  test.each([
    ['a table without recovery', designed(), { recovery: false }, '>= 5.0.0'],
    ['a table with recovery', designed(), {}, '>= 5.98.0'],
    [
      'an index whose key has several attributes',
      designed({ indexes: [global('GSI1', { partition: ['a', 'b'] })] }),
      {},
      '>= 6.37.0',
    ],
  ] as const)(
    'the Terraform module requires the oldest provider that supports its arguments: %s',
    (_, design, options, version) => {
      const hcl = terraform(design, { ...options, requiredProviders: true })
      expect(hcl).toMatch(/^terraform \{\n {2}required_providers \{/)
      expect(hcl).toContain(`version = "${version}"`)
    },
  )

  test('terraform rejects unknown options and a requiredProviders that is not boolean', () => {
    expect(() => terraform(designed(), { requiredProvider: true } as object)).toThrow('requiredProvider')
    expect(() => terraform(designed(), { requiredProviders: 'yes' } as object)).toThrow('requiredProviders')
  })
})

describe('the AWS CLI', () => {
  test('the AWS CLI export creates the table first, waits for it, then sends the other calls', () => {
    const { commands } = exported(EVERYTHING, PRODUCTION)
    const order = [...new Set(commands.map(({ service, command }) => `${service} ${command}`))]
    expect(order).toEqual([
      'dynamodb create-table',
      'dynamodb wait table-exists',
      'dynamodb update-time-to-live',
      'dynamodb update-continuous-backups',
      'dynamodb update-contributor-insights',
      'application-autoscaling register-scalable-target',
      'application-autoscaling put-scaling-policy',
      'cloudwatch put-metric-alarm',
      'iam create-policy',
    ])
  })

  test('the AWS CLI script passes each input as JSON', () => {
    const script = cliScript(designed(), { ...PLACE, alarms: false })
    const calls = [...script.matchAll(/^(?:again )?aws (.*) --region eu-west-1 --cli-input-json '(\{[\s\S]*?^\})'$/gm)]
    expect(calls.map(call => call[1])).toEqual([
      'dynamodb create-table',
      'dynamodb wait table-exists',
      'dynamodb update-continuous-backups',
      'iam create-policy',
    ])
    expect(JSON.parse(calls[0]![2]!)).toMatchObject({ TableName: 'cinema', DeletionProtectionEnabled: true })
  })
})

test.each([
  [2, 0],
  [9, 1],
])('the script with %i failing backup calls ends with status %i', (refusals, status) => {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-script-'))
  // A fake `aws` records the arguments of each command and fails like the service. A fake `sleep` returns at once.
  const commands = `sleep() { :; }
aws() {
  echo "$2" >> '${folder}/calls'
  [ "$2" != update-continuous-backups ] || [ "$(grep -c "$2" '${folder}/calls')" -gt ${refusals} ]
}
`
  const script = cliScript(designed(), { ...PLACE, alarms: false })
  const ran = spawnSync('bash', ['-c', commands + script])
  const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
  rmSync(folder, { recursive: true })
  expect(ran.status).toBe(status)
  expect(calls.filter(call => call === 'update-continuous-backups')).toHaveLength(status === 0 ? refusals + 1 : 6)
  expect(calls.includes('create-policy')).toBe(status === 0)
})

describe('the exported texts', () => {
  test('the exports for Terraform and the CDK match their snapshots', () => {
    const design = designed({ capacity: { read: 5, write: 5 }, stream: 'both', expires: 'expiresAt' })
    const options = { table: 'cinema-test', tags: { team: 'films' } }
    expect(terraform(design, options)).toMatchSnapshot()
    expect(cdk(design, options)).toMatchSnapshot()
  })
})
