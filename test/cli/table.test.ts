import { describe, expect, it } from 'vitest'
import { builtCommand, Running } from './command.js'
import { CINEMA, projectWith } from './project.js'

const file = await builtCommand()

const table = async (...words: string[]) => {
  const folder = projectWith({ 'graph.ts': CINEMA })
  const { code, output, errors } = await new Running(file, ['table', 'graph.ts', ...words], {}, folder).ended
  return { code, output, errors: errors.trimEnd() }
}

describe('edgewise table', () => {
  it('writes a template of CloudFormation', async () => {
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

  it('writes no table of a name that there cannot be', async () => {
    const { code, errors } = await table('--table', 'ci')
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining("a table cannot be named 'ci'") })
  })

  it('leaves out what it is told to', async () => {
    const { output } = await table('--json', '--no-recovery', '--no-protection', '--no-alarms')
    expect(output).not.toContain('PointInTimeRecoveryEnabled": true')
    expect(output).not.toContain('DeletionProtectionEnabled": true')
    expect(output).not.toContain('AWS::CloudWatch::Alarm')
  })

  it.each([
    ['cdk', /^import .* from 'aws-cdk-lib/m],
    ['terraform', /^resource "aws_dynamodb_table"/m],
  ])('writes it for %s', async (format, expected) => {
    const { code, output } = await table('--format', format)
    expect(code).toBe(0)
    expect(output).toMatch(expected)
    const { text } = JSON.parse((await table('--format', format, '--json')).output) as { text: string }
    expect(text.trimEnd()).toBe(output.trimEnd())
  })

  it('writes a required_providers block for Terraform only with --required-providers', async () => {
    expect((await table('--format', 'terraform')).output).not.toContain('required_providers')
    expect((await table('--format', 'terraform', '--required-providers')).output).toContain('required_providers')
  })

  it('writes the calls of the AWS CLI, with the names that only they need', async () => {
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
      errors: 'the policies that --format cli writes name the table by its ARN: give --region and --account',
    })
  })

  it('knows no other format', async () => {
    const { code, errors } = await table('--format', 'pulumi')
    expect(code).toBe(2)
    expect(errors).toContain('Allowed choices are cloudformation, cdk, terraform, cli.')
  })

  it('takes no account that is none', async () => {
    const { code, errors } = await table('--format', 'cli', '--region', 'eu-west-1', '--account', '1234')
    expect(code).toBe(2)
    expect(errors).toContain('It is a number of 12 digits.')
  })
})
