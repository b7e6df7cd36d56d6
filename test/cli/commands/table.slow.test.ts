import { describe, expect, it } from 'vitest'
import { builtCommand, Running } from '../command.js'
import { CINEMA, projectWith } from '../project.js'

const file = await builtCommand()

const table = async (...words: string[]) => {
  const folder = projectWith({ 'graph.ts': CINEMA })
  const { code, output, errors } = await new Running(file, ['table', 'graph.ts', ...words], {}, folder).ended
  return { code, output, errors: errors.trimEnd() }
}

const STREAMED = CINEMA.replace('year: integer()', 'year: integer(), roles: counter()')
  .replace(
    '{ character: string() })',
    "{ character: string() }, { count: { movie: { into: 'roles', by: 'stream' } } })",
  )
  .replace('import { edge', 'import { counter, edge')

const streamed = async (...words: string[]) => {
  const folder = projectWith({ 'graph.ts': STREAMED })
  const { code, output, errors } = await new Running(file, ['table', 'graph.ts', ...words], {}, folder).ended
  return { code, output, errors: errors.trimEnd() }
}

describe('edgewise table', () => {
  it('table prints a CloudFormation template', async () => {
    const { code, output } = await table('--table', 'films')
    expect(code).toBe(0)
    const { Resources } = JSON.parse(output) as { Resources: Record<string, { Type: string; Properties: object }> }
    const [resource] = Object.values(Resources).filter(({ Type }) => Type === 'AWS::DynamoDB::Table')
    expect(resource?.Properties).toMatchObject({
      TableName: 'films',
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
  })

  it('table rejects an invalid table name', async () => {
    const { code, errors } = await table('--table', 'ci')
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining("table: 'ci' is not a valid name") })
  })

  it('table omits parts on request', async () => {
    const { output } = await table('--json', '--no-recovery', '--no-protection', '--no-alarms')
    expect(output).not.toContain('PointInTimeRecoveryEnabled": true')
    expect(output).not.toContain('DeletionProtectionEnabled": true')
    expect(output).not.toContain('AWS::CloudWatch::Alarm')
  })

  it.each([
    ['cdk', /^import .* from 'aws-cdk-lib/m],
    ['terraform', /^resource "aws_dynamodb_table"/m],
  ])('table prints the format %s', async (format, expected) => {
    const { code, output } = await table('--format', format)
    expect(code).toBe(0)
    expect(output).toMatch(expected)
    const { text } = JSON.parse((await table('--format', format, '--json')).output) as { text: string }
    expect(text.trimEnd()).toBe(output.trimEnd())
  })

  it('table prints a required_providers block for Terraform only with --required-providers', async () => {
    expect((await table('--format', 'terraform')).output).not.toContain('required_providers')
    expect((await table('--format', 'terraform', '--required-providers')).output).toContain('required_providers')
  })

  it('table prints AWS CLI calls, with the names that only they need', async () => {
    const place = ['--region', 'eu-west-1', '--account', '123456789012']
    const { output } = await table('--format', 'cli', ...place)
    expect(output).toMatch(/^#!\/usr\/bin\/env bash\n/)
    expect(output).toContain('arn:aws:dynamodb:eu-west-1:123456789012:table/cinema')
    expect(JSON.parse((await table('--format', 'cli', '--json', ...place)).output)[0]).toMatchObject({
      service: 'dynamodb',
      command: 'create-table',
    })
    expect(await table('--format', 'cli')).toEqual({
      code: 1,
      output: '',
      errors: '--format cli: the commands need the ARN of the table; add --region and --account.',
    })
  })

  it.each(['cloudformation', 'cdk', 'terraform', 'cli'])(
    'table prints function, role, tags, alarm actions and encryption from options, for %s',
    async format => {
      const key = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab'
      const topic = 'arn:aws:sns:eu-west-1:123456789012:oncall'
      const options = ['--function', 'keep-cinema', '--role', 'keeper', '--tag', 'team=films', '--tag', 'stage=a=b']
      const more = ['--alarm-action', topic, '--encryption', key, '--region', 'eu-west-1', '--account', '123456789012']
      const { code, output, errors } = await streamed('--format', format, ...options, ...more)
      expect({ code, errors }).toEqual({ code: 0, errors: '' })
      for (const text of ['keep-cinema', 'keeper', 'films', 'a=b', topic, key]) expect(output).toContain(text)
      expect(output).toMatch(/EventSourceMapping|event_source_mapping|create-event-source-mapping/)
    },
  )

  it.each(['cloudformation', 'cdk', 'terraform'])(
    'table prints a scheduled batch from options, for %s',
    async format => {
      const topic = 'arn:aws:sns:eu-west-1:123456789012:oncall'
      const batch = ['--batch', 's3://films/graphs/cinema/', '--release', 'emr-7.12.0']
      const schedules = ['--schedule', 'rate(1 day)', '--export-schedule', 'rate(12 hours)', '--timezone', 'Asia/Tokyo']
      const more = ['--tag', 'team=movies', '--alarm-action', topic]
      const { code, output, errors } = await table('--format', format, ...batch, ...schedules, ...more)
      expect({ code, errors }).toEqual({ code: 0, errors: '' })
      const texts = ['emr-7.12.0', 'rate(1 day)', 'rate(12 hours)', 'Asia/Tokyo', 'movies', topic]
      for (const text of [...texts, 's3://films/graphs/cinema/program/']) expect(output).toContain(text)
    },
  )

  it('table uses the name of the table as the prefix of a bucket, and omits the export on request', async () => {
    const schedules = ['--schedule', 'rate(1 day)', '--export-schedule', 'none']
    const { output } = await table('--table', 'films', '--batch', 's3://exports', ...schedules)
    expect(output).toContain('s3://exports/films/program/')
    expect(output).not.toContain('exportTableToPointInTime')
  })

  it.each([
    [['--batch', 'films/cinema'], 'Use the form s3://bucket/prefix.'],
    [['--schedule', 'rate(1 day)'], '--schedule: the option is only for a batch; add --batch.'],
    [
      ['--batch', 's3://films', '--format', 'cli', '--region', 'eu-west-1', '--account', '123456789012'],
      '--batch: AWS CLI commands cannot create a batch; use --format cloudformation, cdk or terraform.',
    ],
  ])('table rejects batch options that it cannot use: %s', async (words, expected) => {
    const { code, errors } = await table(...words)
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining(expected) })
  })

  it.each([
    [['--batch', 's3://films', '--no-recovery'], 'an export needs point-in-time recovery'],
    [['--batch', 's3://films', '--schedule', 'rate(1 day)'], "give 'exportSchedule' too"],
    [['--batch', 's3://films', '--timezone', 'Europe/Atlantis'], "give 'timezone' as a time zone"],
  ])('table rejects a batch that could not work: %s', async (words, expected) => {
    const { code, errors } = await table(...words)
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining(expected) })
  })

  it.each([
    [['--role', 'keeper'], '--role: the option is only for a function; add --function.'],
    [
      ['--alarm-action', 'arn:aws:sns:eu-west-1:1:x', '--no-alarms'],
      '--alarm-action: the option has no effect with --no-alarms; remove one of the two options.',
    ],
    [['--required-providers'], '--required-providers: the option is only for Terraform; add --format terraform.'],
  ])('table rejects options that would have no effect: %s', async (words, errors) => {
    expect(await table(...words)).toEqual({ code: 2, output: '', errors })
  })

  it('table rejects a function for a table without a stream', async () => {
    const { code, errors } = await table('--function', 'keep')
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringContaining('--function: the table has no stream for the function; derive data with'),
    })
  })

  it('table rejects a schema whose table DynamoDB would reject, with the reason', async () => {
    const named = CINEMA.replace('import { edge', 'import { edge, layout').replace(
      /export default (graph\(.*\))\n/,
      `const made = layout($1)
const indexes = made.design.indexes.map(index => ({ ...index, name: 'ab' }))
export default { ...made, design: { ...made.design, indexes } }
`,
    )
    const folder = projectWith({ 'graph.ts': named })
    const { code, errors } = await new Running(file, ['table', 'graph.ts'], {}, folder).ended
    expect(code).toBe(1)
    expect(errors).toMatch(/^graph\.ts: DynamoDB rejects this table \(index\.name: .+[^.]\); correct the schema\.\n$/)
  })

  it('table rejects an alias for the ARN of a key', async () => {
    const { code, errors } = await table('--encryption', 'alias/mine')
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('the ARN of a key') })
  })

  it('table rejects an unknown format', async () => {
    const { code, errors } = await table('--format', 'pulumi')
    expect(code).toBe(2)
    expect(errors).toContain('Allowed choices are cloudformation, cdk, terraform, cli.')
  })

  it('table rejects an invalid account', async () => {
    const { code, errors } = await table('--format', 'cli', '--region', 'eu-west-1', '--account', '1234')
    expect(code).toBe(2)
    expect(errors).toContain('Give a number of 12 digits.')
  })
})
