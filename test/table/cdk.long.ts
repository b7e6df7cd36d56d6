import { describe, expect, test } from 'vitest'
import { cdk } from '../../src/table/export/cdk/construct.js'
import { cloudFormation } from '../../src/table/export/cloudformation/template.js'
import { EXPORTED } from './designs.js'
import { compiled } from './validators.js'

/** A program that creates a stack for each construct and prints the resources of all stacks. */
const APPLICATION = [
  "import { App, Stack } from 'aws-cdk-lib'",
  ...EXPORTED.map((_, at) => `import { CinemaTable as Table${at} } from './table${at}.js'`),
  'const app = new App()',
  ...EXPORTED.map((_, at) => `new Table${at}(new Stack(app, 'stack${at}'), 'Graph')`),
  'const assembly = app.synth()',
  `const stacks = Array.from({ length: ${EXPORTED.length} }, (_, at) => assembly.getStackByName('stack' + at))`,
  'console.log(JSON.stringify(stacks.map(stack => stack.template.Resources)))',
]

describe('the CDK', () => {
  test('the CDK compiles each construct and synthesizes the CloudFormation template', () => {
    const constructs = EXPORTED.map(({ design, options }, at) => [`table${at}.ts`, cdk(design, options)])
    const files = Object.fromEntries([...constructs, ['application.ts', APPLICATION.join('\n')]])
    const made: Data[] = JSON.parse(compiled(files, 'application.js'))
    const expected = EXPORTED.map(({ design, options }) => cloudFormation(design, options).Resources)
    expect(made.map(withoutPaths).map(withProperties).map(settled)).toEqual(expected.map(settled))
  })

  test('other constructs use the table by grants, managed policies, metrics and event sources', () => {
    const { design, options } = EXPORTED.find(({ message }) => message.includes('queue of its own'))!
    const application = `
import { App, Stack } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Code, Function, Runtime, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { CinemaTable } from './table.js'
const stack = new Stack(new App(), 'stack')
const cinema = new CinemaTable(stack, 'Cinema')
const principal = new ServicePrincipal('lambda.amazonaws.com')
const [reader, writer, keeper] = ['Reader', 'Writer', 'Keeper'].map(name => new Role(stack, name, { assumedBy: principal }))
cinema.grantReadData(reader!).assertSuccess()
cinema.grantReadWriteData(writer!).assertSuccess()
cinema.grantConsumeStream(keeper!).assertSuccess()
keeper!.addManagedPolicy(cinema.consumerPolicy)
cinema.table.grantReadData(keeper!)
cinema.table.metricConsumedReadCapacityUnits()
const code = Code.fromInline('exports.handler = () => {}')
const search = new Function(stack, 'Search', { code, handler: 'index.handler', runtime: Runtime.NODEJS_22_X })
search.addEventSource(new DynamoEventSource(cinema.table, { startingPosition: StartingPosition.TRIM_HORIZON }))
const { Resources } = (App.of(stack) as App).synth().getStackByName('stack').template
console.log(JSON.stringify(Resources))
`
    const made = JSON.parse(
      compiled({ 'table.ts': cdk(design, options), 'application.ts': application }, 'application.js'),
    )
    const resources = Object.entries<{ Type: string; Properties: Record<string, never> }>(made)
    const named = (start: string, type: string) =>
      resources.find(([id, { Type }]) => id.startsWith(start) && Type === type)![1].Properties as Record<
        string,
        unknown
      >
    const actionsOf = (role: string) => JSON.stringify(named(`${role}DefaultPolicy`, 'AWS::IAM::Policy'))
    expect(actionsOf('Reader')).toContain('dynamodb:Query')
    expect(actionsOf('Reader')).not.toContain('dynamodb:PutItem')
    expect(actionsOf('Writer')).toContain('dynamodb:PutItem')
    expect(actionsOf('Keeper')).toContain('dynamodb:GetRecords')
    expect(named('Keeper', 'AWS::IAM::Role').ManagedPolicyArns).toEqual([
      { Ref: expect.stringMatching(/^CinemaConsumerPolicy/) },
    ])
    expect(named('SearchDynamoDBEventSource', 'AWS::Lambda::EventSourceMapping').EventSourceArn).toEqual({
      'Fn::GetAtt': [expect.stringMatching(/^CinemaTable/), 'StreamArn'],
    })
  })

  test('a construct with a batch rejects the name of another table, whose exports it would read', () => {
    const { design, options } = EXPORTED.find(({ message }) => message === 'a table with a nightly batch')!
    const application = `
import { App, Stack } from 'aws-cdk-lib'
import { CinemaTable } from './table.js'
const stack = new Stack(new App(), 'stack')
const table = new CinemaTable(stack, 'Cinema', { tableName: 'cinema' })
console.log(table.batchRole.roleName !== '')
try {
  new CinemaTable(stack, 'Test', { tableName: 'cinema-test' })
} catch (error) {
  console.log((error as Error).message)
}
`
    const files = { 'table.ts': cdk(design, options), 'application.ts': application }
    expect(compiled(files, 'application.js')).toBe(
      'true\nThe batch of this construct is that of the table cinema; export a construct for each table.\n',
    )
  })

  test('the CDK rejects an unknown property, which shows that it validates', () => {
    const { design } = EXPORTED[0]!
    const text = cdk(design).replace('billingMode', 'billingMood')
    expect(() => compiled({ 'table.ts': text })).toThrow("'billingMood' does not exist in type 'CfnTableProps'")
  })
})

type Data = string | number | boolean | Data[] | { [member: string]: Data }

/** Removes the parts that the CDK adds to names: the path of the construct and a hash. */
function withoutPaths(resources: Data): Data {
  return JSON.parse(JSON.stringify(resources).replace(/"Graph(\w+?)[0-9A-F]{8}"/g, '"$1"'))
}

/** Adds empty properties, which the CDK omits. */
function withProperties(resources: Data): Data {
  return Object.fromEntries(
    Object.entries(resources).map(([id, resource]) => [id, { Properties: {}, ...(resource as object) }]),
  )
}

/** Resolves text functions, because the CDK joins texts that the template substitutes. */
function settled(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(settled)
  if (typeof data !== 'object' || data === null) return data
  const [[name, argument] = []] = Object.entries(data)
  if (name === 'Ref') return `\${${argument}}`
  if (name === 'Fn::GetAtt') return `\${${argument.join('.')}}`
  if (name === 'Fn::Sub') return argument
  if (name === 'Fn::Join') return argument[1].map(settled).join(argument[0])
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, settled(value)]))
}
