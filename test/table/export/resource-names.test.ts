import { describe, expect, it, test } from 'vitest'
import { formatValue } from '../../../src/schema/checks/assertions.js'
import { cliCommands, cliScript } from '../../../src/table/export/aws-cli/commands.js'
import { cdk } from '../../../src/table/export/cdk/construct.js'
import { cloudFormation } from '../../../src/table/export/cloudformation/template.js'
import { terraform } from '../../../src/table/export/terraform/module.js'
import type { ProductionOptions } from '../../../src/table/production/production.js'
import { designed, global } from '../designs.js'

const PLACE = { region: 'eu-west-1', account: '123456789012' }
const PROVISIONED = { capacity: { read: 5, write: 5 } } as const

const EXPORTS: Record<string, (options: ProductionOptions) => unknown> = {
  cloudFormation: options => cloudFormation(designed({ ...PROVISIONED, stream: 'both' }), options),
  cdk: options => cdk(designed({ ...PROVISIONED, stream: 'both' }), options),
  terraform: options => terraform(designed({ ...PROVISIONED, stream: 'both' }), options),
  cliCommands: options => cliCommands(designed({ ...PROVISIONED, stream: 'both' }), { ...options, ...PLACE }),
}

/** The maximum lengths of names in IAM, CloudWatch, Application Auto Scaling and CloudFormation. */
const LONGEST = { PolicyName: 128, AlarmName: 255, logical: 255, scaling: 256 }

function namesOf(table: string, index: string) {
  const design = designed({ ...PROVISIONED, indexes: [global(index)] })
  const commands = cliCommands(design, { table, ...PLACE })
  const of = (command: string, member: string) =>
    commands.filter(each => each.command === command).map(({ input }) => String(input[member]))
  return {
    policies: of('create-policy', 'PolicyName'),
    alarms: of('put-metric-alarm', 'AlarmName'),
    scalings: of('put-scaling-policy', 'PolicyName'),
    logical: Object.keys(cloudFormation(design, { table }).Resources),
    hcl: terraform(design, { table }),
  }
}

const lengthOf = (names: readonly string[]) => Math.max(...names.map(name => name.length))

describe("the names of a table's resources", () => {
  it('resource names are valid for table and index names of any length', () => {
    const { policies, alarms, scalings, logical, hcl } = namesOf('t'.repeat(255), 'i'.repeat(255))
    expect(lengthOf(policies)).toBeLessThanOrEqual(LONGEST.PolicyName)
    expect(lengthOf(alarms)).toBeLessThanOrEqual(LONGEST.AlarmName)
    expect(lengthOf(scalings)).toBeLessThanOrEqual(LONGEST.scaling)
    expect(lengthOf(logical)).toBeLessThanOrEqual(LONGEST.logical)
    for (const id of logical) expect(id).toMatch(/^[A-Za-z0-9]+$/)
    for (const name of [...policies, ...alarms]) expect(hcl).toContain(`= "${name}"`)
    expect(new Set(alarms).size).toBe(4)
  })

  it('resource names of two tables with a common prefix differ', () => {
    const [one, other] = ['a', 'b'].map(last => namesOf(`${'t'.repeat(254)}${last}`, 'GSI1'))
    for (const kind of ['policies', 'alarms'] as const)
      for (const name of one![kind]) expect(other![kind]).not.toContain(name)
  })

  it('resource names that fit are not cut', () => {
    const { policies, alarms } = namesOf('t'.repeat(116), 'GSI1')
    expect(policies).toEqual([`${'t'.repeat(116)}-application`])
    expect(alarms).toContain(`${'t'.repeat(116)}-GSI1WriteThrottles`)
  })
})

describe.each(Object.entries(EXPORTS))('%s', (_, call) => {
  it('the export rejects an ARN as the name of a new table', () => {
    const arn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/cinema'
    for (const options of [{ table: arn }, { consumer: { table: arn } }, { consumer: { table: 'no' } }])
      expect(() => call(options)).toThrow(expect.objectContaining({ code: 'name.invalid' }))
  })

  it('the export rejects a consumers table with too long a name, unless another name is configured', () => {
    const table = 't'.repeat(250)
    expect(() => call({ table })).toThrow("give 'consumer.table'")
    expect(() => call({ table, consumer: { table: 'small' } })).not.toThrow()
    expect(() => call({ table, consumer: { function: 'keep' } })).not.toThrow()
  })

  test.each([
    ['recovery.days', 'a whole number from 1 to 35', [0, 36, 1.5, '7'], [1, 35]],
    ['autoscaling.targetPercent', 'a number from 20 to 90', [19, 91, Number.NaN], [20, 72.5, 90]],
    ['consumer.batchSize', 'a whole number from 1 to 10000', [0, 10_001], [1, 10_000]],
    ['consumer.windowSeconds', 'a whole number from 0 to 300', [-1, 301, 0.5], [0, 300]],
    ['consumer.parallelization', 'a whole number from 1 to 10', [0, 11], [1, 10]],
    ['consumer.attempts', 'a whole number from -1 to 10000', [-2, 10_001], [-1, 10_000]],
    ['consumer.recordAgeSeconds', 'a whole number from -1 to 604800', [-2, 604_801], [60, 604_800]],
  ])('the export accepts for %s the range of the service: %s', (path, message, refused, taken) => {
    const [option, part] = path.split('.') as [string, string]
    const given = (value: unknown) => ({
      [option]: { ...(option === 'consumer' && { function: 'keep' }), [part]: value },
    })
    for (const value of refused)
      expect(() => call(given(value))).toThrow(
        `${option}: '${part}' is ${formatValue(value)}, which is out of range; give ${message}`,
      )
    for (const value of taken) expect(() => call(given(value))).not.toThrow()
  })

  it('the export rejects an alias or a bare id in place of a key ARN, because policies need the ARN', () => {
    const key = 'arn:aws:kms:eu-west-1:123456789012'
    const id = '1234abcd-12ab-34cd-56ef-1234567890ab'
    for (const keyArn of [`${key}:alias/mine`, 'alias/mine', id, ''])
      expect(() => call({ encryption: { keyArn } })).toThrow(
        "encryption: 'keyArn' is not the ARN of a key; give the ARN of the key, not of an alias.",
      )
    expect(() => call({ encryption: { keyArn: `${key}:key/${id}` } })).not.toThrow()
  })

  it('the export rejects autoscaling whose least is more than its most', () => {
    expect(() => call({ autoscaling: { least: 20 } })).toThrow(
      "autoscaling: 'least' is greater than 'most'; lower 'least', or raise 'most'.",
    )
  })
})

describe('reserved words of the formats', () => {
  it('a tag named like a keyword of HCL is quoted', () => {
    const hcl = terraform(designed(), { tags: { for: 'films', team: 'a\bb\fc' } })
    expect(hcl).toContain('"for" = "films"')
    expect(hcl).toContain('"a\\u0008b\\u000cc"')
  })

  it('a construct does not get the name of the class that it contains', () => {
    expect(cdk(designed({ name: 'cfn' }))).toContain('export class GraphCfnTable extends Construct {')
    expect(cdk(designed({ name: 'cinema' }))).toContain('export class CinemaTable extends Construct {')
  })

  it('a region with characters that a shell interprets is rejected', () => {
    for (const region of ['eu-west-1; ls', '$(ls)', ''])
      expect(() => cliScript(designed(), { ...PLACE, region })).toThrow(
        expect.objectContaining({ code: 'call.argument' }),
      )
  })

  test.each([
    ['eu-isoe-west-1', 'aws-iso-e'],
    ['us-isof-south-1', 'aws-iso-f'],
    ['eusc-de-east-1', 'aws-eusc'],
    ['us-isob-east-1', 'aws-iso-b'],
    ['eu-west-1', 'aws'],
  ])('an ARN in the region %s has the partition %s', (region, partition) => {
    const text = JSON.stringify(cliCommands(designed(), { ...PLACE, region }))
    expect(text).toContain(`arn:${partition}:dynamodb:${region}:123456789012:table/cinema`)
  })
})
