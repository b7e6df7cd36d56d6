import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cliCommands, cliScript } from '../../../src/table/export/aws-cli/commands.js'
import { cdk } from '../../../src/table/export/cdk/construct.js'
import { cloudFormation } from '../../../src/table/export/cloudformation/template.js'
import { terraform } from '../../../src/table/export/terraform/module.js'
import type { ProductionOptions } from '../../../src/table/production/production.js'
import { designed } from '../designs.js'

const PLACE = { region: 'eu-west-1', account: '123456789012' }
const STREAMED = designed({ stream: 'both' })

function exported(options: ProductionOptions = {}, design = STREAMED) {
  return {
    resources: cloudFormation(design, options).Resources,
    hcl: terraform(design, options),
    construct: cdk(design, options),
    commands: cliCommands(design, { ...options, ...PLACE }),
  }
}

describe('the consumer of a stream', () => {
  test('a follower gets a consumers table without stream and index, under the same protection', () => {
    const { resources, hcl, construct, commands } = exported({ table: 'cinema-test' })
    expect(resources.ConsumersTable).toMatchObject({
      Type: 'AWS::DynamoDB::Table',
      DeletionPolicy: 'Retain',
      Properties: {
        TableName: 'cinema-test-consumers',
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: 'PK', KeyType: 'HASH' },
          { AttributeName: 'SK', KeyType: 'RANGE' },
        ],
      },
    })
    expect(resources.ConsumersTable?.Properties).not.toHaveProperty('StreamSpecification')
    expect(resources.ConsumersTable?.Properties).not.toHaveProperty('GlobalSecondaryIndexes')
    expect(resources).not.toHaveProperty('EventSource')
    expect(hcl).toContain(
      'resource "aws_dynamodb_table" "consumers" {\n  name                        = "cinema-test-consumers"',
    )
    expect(construct).toContain('-consumers`')
    const made = commands.filter(({ command }) => command === 'create-table').map(({ input }) => input.TableName)
    expect(made).toEqual(['cinema-test', 'cinema-test-consumers'])
  })

  test('a function gets an event source that halves failed batches, limits retries and has a queue', () => {
    const { resources, hcl, construct } = exported({ consumer: { function: 'keep' } })
    expect(resources.EventSource).toEqual({
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        FunctionName: 'keep',
        EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: 500,
        MaximumBatchingWindowInSeconds: 1,
        ParallelizationFactor: 1,
        BisectBatchOnFunctionError: true,
        MaximumRetryAttempts: 100,
        MaximumRecordAgeInSeconds: 79_200,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['FailureQueue', 'Arn'] } } },
      },
    })
    expect(resources.FailureQueue?.Type).toBe('AWS::SQS::Queue')
    expect(resources).not.toHaveProperty('ConsumersTable')
    expect(hcl).toContain('bisect_batch_on_function_error     = true')
    expect(hcl).toContain('destination_arn = aws_sqs_queue.consumer_failures.arn')
    expect(construct).toContain("functionResponseTypes: ['ReportBatchItemFailures']")
  })

  test('alarms watch the lag and the failures of the consumer', () => {
    const { resources, hcl } = exported({ consumer: { function: 'arn:aws:lambda:eu-west-1:1:function:keep' } })
    expect(resources.IteratorAgeAlarm?.Properties).toMatchObject({
      Dimensions: [{ Name: 'FunctionName', Value: 'keep' }],
    })
    expect(resources.ConsumerFailuresAlarm?.Properties).toMatchObject({
      Namespace: 'AWS/SQS',
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': ['FailureQueue', 'QueueName'] } }],
      Threshold: 1,
    })
    expect(hcl).toContain('QueueName = aws_sqs_queue.consumer_failures.name')
  })

  test('the AWS CLI export creates the event source of a function after the policy of its role', () => {
    const { commands } = exported({ table: 'films', consumer: { function: 'keep', role: 'keeper' } })
    expect(commands.slice(-3).map(({ service, command }) => `${service} ${command}`)).toEqual([
      'iam create-policy',
      'iam attach-role-policy',
      'lambda create-event-source-mapping',
    ])
    const [policy, attached, source] = commands.slice(-3)
    expect(attached?.input).toEqual({
      RoleName: 'keeper',
      PolicyArn: `arn:aws:iam::123456789012:policy/${policy?.input.PolicyName}`,
    })
    expect(source).toMatchObject({
      streamOf: 'films',
      input: {
        FunctionName: 'keep',
        DestinationConfig: { OnFailure: { Destination: 'arn:aws:sqs:eu-west-1:123456789012:films-consumer-failures' } },
      },
    })
  })

  test.each([
    [2, 0],
    [9, 1],
  ])('the script creates the event source: after %i rejections by Lambda it ends with %i', (refusals, status) => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewise-script-'))
    const commands = `sleep() { :; }
aws() {
  echo "$*" | tr '\\n' ' ' >> '${folder}/calls'; echo >> '${folder}/calls'
  [ "$2" != describe-table ] || echo arn:of-the-stream
  [ "$2" != create-event-source-mapping ] || [ "$(grep -c "$2" '${folder}/calls')" -gt ${refusals} ]
}
`
    const script = cliScript(STREAMED, { ...PLACE, consumer: { function: 'keep' } })
    const ran = spawnSync('bash', ['-c', commands + script], { encoding: 'utf8' })
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
    rmSync(folder, { recursive: true })
    expect({ status: ran.status, errors: ran.stderr }).toEqual({ status, errors: '' })
    expect(calls.at(-1)).toContain(
      'lambda create-event-source-mapping --region eu-west-1 --event-source-arn arn:of-the-stream',
    )
  })

  test('the consumer accepts a custom queue, role and settings', () => {
    const queueArn = 'arn:aws:sqs:eu-west-1:123456789012:failed'
    const { resources, hcl, construct } = exported({
      consumer: { function: 'keep', role: 'keeper', queueArn, attempts: 5, batchSize: 10, recordAgeSeconds: 60 },
    })
    expect(resources.EventSource).toMatchObject({
      DependsOn: ['ConsumerPolicy'],
      Properties: {
        BatchSize: 10,
        MaximumRetryAttempts: 5,
        MaximumRecordAgeInSeconds: 60,
        DestinationConfig: { OnFailure: { Destination: queueArn } },
      },
    })
    expect(resources.ConsumerPolicy?.Properties.Roles).toEqual(['keeper'])
    expect(resources).not.toHaveProperty('FailureQueue')
    expect(resources).not.toHaveProperty('ConsumerFailuresAlarm')
    expect(hcl).toContain('depends_on                         = [aws_iam_role_policy_attachment.consumer]')
    expect(construct).toContain('eventSource.node.addDependency(this.cfnConsumerPolicy)')
  })

  test('the consumer is absent without a stream, and with a stream for another purpose', () => {
    for (const design of [designed(), designed({ stream: 'keys' })])
      expect(exported({}, design).resources).not.toHaveProperty('ConsumersTable')
  })

  test('the name of the failure queue is valid for SQS for any table name', () => {
    const { hcl, commands } = exported({ table: `prod.${'cinema'.repeat(20)}`, consumer: { function: 'keep' } })
    const { QueueName } = commands.find(({ command }) => command === 'create-queue')!.input
    expect(QueueName).toMatch(/^prod-cinema[\w-]+-consumer-failures$/)
    expect(String(QueueName).length).toBe(80)
    expect(hcl).toContain(`= "${QueueName}"`)
    const policies = JSON.stringify(commands.filter(({ command }) => command === 'create-policy'))
    expect(policies).toContain(`arn:aws:sqs:eu-west-1:123456789012:${QueueName}`)
  })

  test.each([
    'keep',
    'keep:live',
    'keep:function',
    '123456789012:function:keep',
    'arn:aws:lambda:eu-west-1:123456789012:function:keep:live',
  ])('the alarms name the function for every form of its ARN: %s', name => {
    const { resources } = exported({ consumer: { function: name } })
    expect(resources.IteratorAgeAlarm?.Properties.Dimensions).toEqual([{ Name: 'FunctionName', Value: 'keep' }])
    expect(resources.EventSource?.Properties.FunctionName).toBe(name)
  })

  test.each([
    'my-function',
    'my-function:live',
    '123456789012:function:my-function:live',
    'arn:aws:lambda:eu-west-1:123456789012:function:my-function:7',
  ])('the alarms name a function whose name ends in function: %s', name => {
    const watched = [{ Name: 'FunctionName', Value: 'my-function' }]
    const { resources } = exported({ consumer: { function: name } })
    expect(resources.IteratorAgeAlarm?.Properties.Dimensions).toEqual(watched)
    const apart = exported({ alarms: { consumer: name } })
    expect(apart.resources.IteratorAgeAlarm?.Properties.Dimensions).toEqual(watched)
    expect(apart.hcl).toContain('FunctionName = "my-function"')
  })
})
