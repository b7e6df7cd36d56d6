import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageSpark, sparkPlan } from '../../../src/batch/index.js'
import { graph, node, string } from '../../../src/index.js'
import { cliCommands } from '../../../src/table/export/aws-cli/commands.js'
import { cdk } from '../../../src/table/export/cdk/construct.js'
import { cloudFormation, type Resource } from '../../../src/table/export/cloudformation/template.js'
import { terraform } from '../../../src/table/export/terraform/module.js'
import type { ProductionOptions, ScheduledBatchOptions, Statement } from '../../../src/table/index.js'
import { designed } from '../designs.js'

const BUCKET = 'cinema-batch'

function exported(batch: Partial<ScheduledBatchOptions> = {}, options: ProductionOptions = {}, design = designed()) {
  const all = { ...options, batch: { bucket: BUCKET, ...batch } }
  const { Resources, Outputs } = cloudFormation(design, all)
  return { resources: Resources, outputs: Outputs, hcl: terraform(design, all), construct: cdk(design, all) }
}

/** The statements of a policy by their names, with texts in place of references. */
function statementsOf(policy: Resource | undefined): Record<string, Statement> {
  const { Statement: statements } = policy!.Properties.PolicyDocument as unknown as { Statement: Statement[] }
  const text = JSON.stringify(statements)
    .replace(/\{"Fn::Sub":"(.*?)"\}/g, '"$1"')
    .replace(/\{"Fn::GetAtt":\["(\w+)","Arn"\]\}/g, '"$1"')
  return Object.fromEntries((JSON.parse(text) as Statement[]).map(statement => [statement.Sid, statement]))
}

/** The request of a schedule in the template. */
function requestOf(schedule: Resource | undefined): Record<string, unknown> {
  const { Input } = schedule!.Properties.Target as { Input: { 'Fn::Sub': string } }
  return JSON.parse(Input['Fn::Sub'])
}

interface SparkSubmit {
  readonly EntryPoint: string
  readonly EntryPointArguments: readonly string[]
}

/** The objects at a path of the bucket. */
const objects = (path: string) => `arn:\${AWS::Partition}:s3:::${BUCKET}/${path}/*`

describe('the resources of a scheduled batch', () => {
  test('every format has an application that stops, and two schedules with a role each', () => {
    const { resources, outputs, hcl, construct } = exported()
    const ids = Object.keys(resources).filter(id => /Batch|Schedule/.test(id) && !id.endsWith('Alarm'))
    expect(ids).toEqual([
      ...['BatchApplication', 'BatchRole', 'BatchPolicy', 'BatchScheduleGroup'],
      ...['ExportScheduleRole', 'ExportSchedulePolicy', 'ExportSchedule'],
      ...['BatchScheduleRole', 'BatchSchedulePolicy', 'BatchSchedule'],
    ])
    for (const id of ids) expect(construct).toContain(`(this, '${id}'`)
    expect(resources.BatchApplication).toEqual({
      Type: 'AWS::EMRServerless::Application',
      Properties: {
        Name: 'cinema-batch',
        Type: 'SPARK',
        ReleaseLabel: 'emr-spark-8.0.0',
        AutoStartConfiguration: { Enabled: true },
        AutoStopConfiguration: { Enabled: true, IdleTimeoutMinutes: 15 },
        MaximumCapacity: { Cpu: '64 vCPU', Memory: '256 GB' },
      },
    })
    expect(Object.keys(outputs)).toEqual(expect.arrayContaining(['BatchApplicationId', 'BatchRoleArn']))
    expect(hcl.match(/^resource "aws_(emr|iam_role|scheduler)\w*" "\w+"/gm)).toEqual([
      'resource "aws_emrserverless_application" "batch"',
      'resource "aws_iam_role" "batch"',
      'resource "aws_iam_role_policy" "batch"',
      'resource "aws_scheduler_schedule_group" "batch"',
      ...['export', 'batch'].flatMap(id => [
        `resource "aws_iam_role" "${id}_schedule"`,
        `resource "aws_iam_role_policy" "${id}_schedule"`,
        `resource "aws_scheduler_schedule" "${id}"`,
      ]),
    ])
  })

  test('the application, the roles and the schedules have the options', () => {
    const { resources, hcl } = exported(
      {
        ...{ schedule: 'rate(1 day)', exportSchedule: 'cron(0 22 ? * SUN *)', timezone: 'Europe/Berlin' },
        ...{ release: 'emr-7.12.0', maxVcpus: 8, timeoutMinutes: 30 },
      },
      { table: 'films', tags: { team: 'films' } },
    )
    const tags = { Tags: [{ Key: 'team', Value: 'films' }] }
    expect(resources.BatchApplication?.Properties).toMatchObject({
      ...{ Name: 'films-batch', ReleaseLabel: 'emr-7.12.0', ...tags },
      MaximumCapacity: { Cpu: '8 vCPU', Memory: '32 GB' },
    })
    for (const id of ['BatchRole', 'ExportScheduleRole', 'BatchScheduleRole', 'BatchScheduleGroup'])
      expect(resources[id]?.Properties).toMatchObject(tags)
    const zone = { ScheduleExpressionTimezone: 'Europe/Berlin' }
    expect(resources.ExportSchedule?.Properties).toMatchObject({ ScheduleExpression: 'cron(0 22 ? * SUN *)', ...zone })
    expect(resources.BatchSchedule?.Properties).toMatchObject({ ScheduleExpression: 'rate(1 day)', ...zone })
    expect(requestOf(resources.BatchSchedule)).toMatchObject({ ExecutionTimeoutMinutes: 30, Name: 'films-batch' })
    expect(requestOf(resources.ExportSchedule)).toMatchObject({ S3Prefix: 'films/exports' })
    expect(hcl.match(/team = "films"/g)).toHaveLength(6)
  })

  test('the schedules export the table and start the uploaded program over the newest export', () => {
    const { resources } = exported({ prefix: 'graphs/cinema' })
    expect(requestOf(resources.ExportSchedule)).toEqual({
      TableArn: `\${Table.Arn}`,
      S3Bucket: BUCKET,
      S3Prefix: 'graphs/cinema/exports',
      ExportFormat: 'DYNAMODB_JSON',
      ClientToken: '<aws.scheduler.execution-id>',
    })
    expect(requestOf(resources.BatchSchedule)).toMatchObject({
      ApplicationId: `\${BatchApplication}`,
      ExecutionRoleArn: `\${BatchRole.Arn}`,
      ClientToken: '<aws.scheduler.execution-id>',
      JobDriver: {
        SparkSubmit: {
          EntryPoint: `s3://${BUCKET}/graphs/cinema/program/edgewise_batch.py`,
          EntryPointArguments: [
            ...['--plan', `s3://${BUCKET}/graphs/cinema/program/plan.json`],
            ...['--latest', `s3://${BUCKET}/graphs/cinema/exports/`],
            ...['--output', `s3://${BUCKET}/graphs/cinema/results/`],
          ],
        },
      },
    })
  })

  test('the schedule starts files of the packaged program, with arguments that the program takes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewise-program-'))
    const files = packageSpark(
      sparkPlan(graph('empty', [node('actor', { name: string() }, { id: 'name' })]), { validation: true }),
      folder,
    )
    const program = readFileSync(join(folder, 'edgewise_batch.py'), 'utf8')
    rmSync(folder, { recursive: true })
    const { JobDriver } = requestOf(exported().resources.BatchSchedule)
    const { EntryPoint, EntryPointArguments } = (JobDriver as { SparkSubmit: SparkSubmit }).SparkSubmit
    const uploaded = `s3://${BUCKET}/cinema/program/`
    const used = [EntryPoint, ...EntryPointArguments].filter(text => text.startsWith(uploaded))
    expect(used).toHaveLength(2)
    for (const url of used) expect(files).toContain(url.slice(uploaded.length))
    const taken = [...program.matchAll(/add_argument\("(--\w+)"/g)].map(([, name]) => name)
    for (const name of EntryPointArguments.filter(text => text.startsWith('--'))) expect(taken).toContain(name)
    for (const [, name] of program.matchAll(/add_argument\("(--\w+)", required=True/g))
      expect(EntryPointArguments).toContain(name)
  })

  test('the requests of Terraform are those of CloudFormation, with unescaped angle brackets', () => {
    const { resources, hcl } = exported()
    const requests = [...hcl.matchAll(/input += <<-JSON\n(.*?)\n +JSON$/gms)].map(([, json]) => json!)
    const references: Record<string, string> = {
      'aws_dynamodb_table.table.arn': 'Table.Arn',
      'aws_emrserverless_application.batch.id': 'BatchApplication',
      'aws_iam_role.batch.arn': 'BatchRole.Arn',
    }
    const renamed = requests.map(json => JSON.parse(json.replace(/(?<=\$\{)[\w.]+/g, name => references[name]!)))
    expect(renamed).toEqual([requestOf(resources.ExportSchedule), requestOf(resources.BatchSchedule)])
    // `jsonencode` would write \u003c, which EventBridge Scheduler does not replace.
    for (const json of requests) expect(json).toContain('<aws.scheduler.execution-id>')
  })

  test('a batch without a scheduled export has no role that exports, and needs no point-in-time recovery', () => {
    const batch = { schedule: 'rate(1 day)', exportSchedule: false as const }
    const { resources, hcl, construct } = exported(batch, { recovery: false })
    for (const text of [JSON.stringify(resources), hcl, construct]) expect(text).not.toMatch(/ExportTable/i)
    expect(resources).toHaveProperty('BatchSchedule')
  })

  test('a table without a batch has none of these resources', () => {
    expect(JSON.stringify(cloudFormation(designed()))).not.toMatch(/Serverless|Schedule|Partition/)
    expect(terraform(designed())).not.toMatch(/emrserverless|scheduler|aws_partition/)
    expect(cdk(designed())).not.toMatch(/emrserverless|scheduler|Aws/)
  })

  test('the names of roles and of the application fit for a table name of any length, and differ', () => {
    const named = ['a', 'b'].map(last => {
      const { hcl } = exported(
        { prefix: 'cinema' },
        { table: `${'t'.repeat(254)}${last}`, consumer: { function: 'keep' } },
      )
      const names = [...hcl.matchAll(/^resource "aws_(?:emr|iam_role"|scheduler_schedule_g).*\n +name += "(.*)"/gm)]
      return names.map(([, name]) => name!)
    })
    expect(named.map(names => new Set(names).size)).toEqual([3, 3])
    for (const name of named.flat()) expect(name.length).toBeLessThanOrEqual(64)
    expect(named[0]!.filter(name => named[1]!.includes(name))).toEqual([])
  })
})

describe('the permissions of a scheduled batch', () => {
  test('the program reads its files and exports, writes results and logs, and has no permission on the table', () => {
    const { resources } = exported()
    expect(statementsOf(resources.BatchPolicy)).toEqual({
      Listing: {
        ...{ Sid: 'Listing', Effect: 'Allow', Action: ['s3:ListBucket'] },
        Resource: [`arn:\${AWS::Partition}:s3:::${BUCKET}`],
        Condition: { StringLike: { 's3:prefix': ['cinema/*'] } },
      },
      Input: {
        ...{ Sid: 'Input', Effect: 'Allow', Action: ['s3:GetObject'] },
        Resource: [objects('cinema/program'), objects('cinema/exports')],
      },
      Results: {
        ...{ Sid: 'Results', Effect: 'Allow', Resource: [objects('cinema/results')] },
        Action: ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:PutObject'],
      },
      Logs: { Sid: 'Logs', Effect: 'Allow', Action: ['s3:PutObject'], Resource: [objects('cinema/logs')] },
    })
    expect(resources.BatchPolicy?.Properties.Roles).toEqual([{ Ref: 'BatchRole' }])
  })

  test('each schedule may send its own request and nothing else', () => {
    const keyArn = 'arn:aws:kms:eu-west-1:123456789012:key/1'
    const { resources } = exported({}, { encryption: { keyArn } })
    expect(statementsOf(resources.BatchSchedulePolicy)).toEqual({
      Start: {
        ...{ Sid: 'Start', Effect: 'Allow', Action: ['emr-serverless:StartJobRun'] },
        Resource: ['BatchApplication'],
      },
      Role: {
        ...{ Sid: 'Role', Effect: 'Allow', Action: ['iam:PassRole'], Resource: ['BatchRole'] },
        Condition: { StringEquals: { 'iam:PassedToService': 'emr-serverless.amazonaws.com' } },
      },
    })
    const { Export, Files, EncryptionKey } = statementsOf(resources.ExportSchedulePolicy)
    expect(Export).toMatchObject({ Action: ['dynamodb:ExportTableToPointInTime'], Resource: ['Table'] })
    expect(Files).toMatchObject({
      Action: ['s3:AbortMultipartUpload', 's3:PutObject', 's3:PutObjectAcl'],
      Resource: [objects('cinema/exports')],
    })
    expect(EncryptionKey).toMatchObject({ Action: ['kms:Decrypt', 'kms:DescribeKey'], Resource: [keyArn] })
  })

  test('each role is assumed by its service, and only for the resource of this export', () => {
    const { resources } = exported()
    const trustOf = (id: string) => {
      const {
        Statement: [statement],
      } = resources[id]!.Properties.AssumeRolePolicyDocument as never as {
        Statement: { Principal: object; Condition: object }[]
      }
      return [statement!.Principal, statement!.Condition]
    }
    const trust = (Service: string, id: string) => [
      { Service },
      { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [id, 'Arn'] } } },
    ]
    expect(trustOf('BatchRole')).toEqual(trust('emr-serverless.amazonaws.com', 'BatchApplication'))
    for (const id of ['ExportScheduleRole', 'BatchScheduleRole'])
      expect(trustOf(id)).toEqual(trust('scheduler.amazonaws.com', 'BatchScheduleGroup'))
  })
})

describe('the alarms of a scheduled batch', () => {
  test('alarms watch failed and cancelled runs of the application, and the schedules of the group', () => {
    const actionArns = ['arn:aws:sns:eu-west-1:123456789012:oncall']
    const { resources, hcl } = exported({}, { alarms: { actionArns } })
    const application = [
      { Name: 'ApplicationId', Value: { Ref: 'BatchApplication' } },
      { Name: 'ApplicationName', Value: 'cinema-batch' },
    ]
    const group = [{ Name: 'ScheduleGroup', Value: { Ref: 'BatchScheduleGroup' } }]
    const expected = [
      ['BatchFailures', 'AWS/EMRServerless', 'FailedJobs', application],
      ['BatchCancellations', 'AWS/EMRServerless', 'CancelledJobs', application],
      ['ScheduleErrors', 'AWS/Scheduler', 'TargetErrorCount', group],
      ['ScheduleDrops', 'AWS/Scheduler', 'InvocationDroppedCount', group],
    ] as const
    for (const [id, Namespace, MetricName, Dimensions] of expected) {
      const alarm = { Namespace, MetricName, Dimensions, Threshold: 1, Statistic: 'Sum', AlarmActions: actionArns }
      expect(resources[`${id}Alarm`]?.Properties).toMatchObject(alarm)
      expect(hcl).toMatch(new RegExp(`alarm_name += "cinema-${id}"`))
    }
    expect(hcl).toContain('ScheduleGroup = aws_scheduler_schedule_group.batch.name')
    expect(hcl).toContain('ApplicationId   = aws_emrserverless_application.batch.id')
  })

  test('a batch has no alarms if they are turned off', () => {
    expect(Object.keys(exported({}, { alarms: false }).resources).join()).not.toContain('Alarm')
  })
})

describe('the options of a scheduled batch', () => {
  test.each<[string, object, string]>([
    ['no bucket', { bucket: undefined }, "batch: give 'bucket' as the name of an S3 bucket"],
    ['a URL as its bucket', { bucket: 's3://cinema' }, "batch: give 'bucket'"],
    ['a prefix that ends in a slash', { prefix: 'graphs/' }, "batch: give 'prefix'"],
    ['a prefix with a reference', { prefix: `\${x}` }, "batch: give 'prefix'"],
    ['a prefix with a parent folder', { prefix: 'graphs/../other' }, "batch: give 'prefix'"],
    ['an empty prefix', { prefix: '' }, "batch: give 'prefix'"],
    ['an empty export schedule', { schedule: 'rate(1 day)', exportSchedule: '' }, "batch: give 'exportSchedule' as"],
    ['a schedule alone', { schedule: 'rate(1 day)' }, "batch: give 'exportSchedule' too"],
    ['an export schedule alone', { exportSchedule: 'rate(1 day)' }, "batch: give 'schedule' too"],
    ['a schedule of five fields', { schedule: 'cron(0 3 * * *)', exportSchedule: false }, "batch: give 'schedule' as"],
    ['an unknown time zone', { timezone: 'Europe/Atlantis' }, "batch: give 'timezone' as"],
    ['a release without the metrics of alarms', { release: 'emr-7.9.0' }, "batch: give 'release' as"],
    ['a release that is not a label', { release: 'latest' }, "batch: give 'release' as"],
    [
      'too few vCPUs',
      { maxVcpus: 7 },
      "batch: 'maxVcpus' is 7, which is out of range; give a whole number from 8 to 4000",
    ],
    [
      'no time',
      { timeoutMinutes: 0 },
      "batch: 'timeoutMinutes' is 0, which is out of range; give a whole number from 1 to 10080",
    ],
    ['an option that does not exist', { writeBack: true }, "batch: there is no option 'writeBack'"],
  ])('every format rejects a batch with %s', (_, batch, message) => {
    const options = { batch: { bucket: BUCKET, ...batch } }
    for (const write of [cloudFormation, cdk, terraform]) expect(() => write(designed(), options)).toThrow(message)
  })

  test.each(['a', 'graphs/cinema', 'graphs/v1.2/team=films', '..hidden'])('a batch accepts the prefix %s', prefix => {
    expect(requestOf(exported({ prefix }).resources.ExportSchedule).S3Prefix).toBe(`${prefix}/exports`)
  })

  test('a scheduled export without point-in-time recovery is rejected', () => {
    expect(() => exported({}, { recovery: false })).toThrow('batch: an export needs point-in-time recovery')
  })

  test('the AWS CLI calls reject a batch and name the exports that have it', () => {
    const options = { batch: { bucket: BUCKET }, region: 'eu-west-1', account: '123456789012' }
    expect(() => cliCommands(designed(), options)).toThrow(
      "cliCommands: AWS CLI commands cannot create a batch; use 'cloudFormation', 'cdk' or 'terraform'.",
    )
  })

  test('undefined options of a batch have their defaults, and an undefined batch adds nothing', () => {
    const batch = {
      bucket: BUCKET,
      prefix: undefined,
      exportSchedule: undefined,
      timezone: undefined,
      release: undefined,
    }
    expect(cloudFormation(designed(), { batch })).toEqual(cloudFormation(designed(), { batch: { bucket: BUCKET } }))
    expect(cloudFormation(designed(), { batch: undefined })).toEqual(cloudFormation(designed()))
  })
})
