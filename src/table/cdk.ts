import type { TableDesign } from '../layout/design.js'
import { cloudFormation, type Resource, type Value } from './cloudformation.js'
import { consumersName } from './consumers.js'
import type { ProductionOptions } from './production.js'

/** The module and the class that the CDK has for a type of resource. */
const CLASSES: Readonly<Record<string, readonly [module: string, name: string]>> = {
  'AWS::DynamoDB::Table': ['aws-dynamodb', 'CfnTable'],
  'AWS::ApplicationAutoScaling::ScalableTarget': ['aws-applicationautoscaling', 'CfnScalableTarget'],
  'AWS::ApplicationAutoScaling::ScalingPolicy': ['aws-applicationautoscaling', 'CfnScalingPolicy'],
  'AWS::CloudWatch::Alarm': ['aws-cloudwatch', 'CfnAlarm'],
  'AWS::IAM::ManagedPolicy': ['aws-iam', 'CfnManagedPolicy'],
  'AWS::Lambda::EventSourceMapping': ['aws-lambda', 'CfnEventSourceMapping'],
  'AWS::SQS::Queue': ['aws-sqs', 'CfnQueue'],
}
/** What the construct shows to those who use it. */
const SHOWN = ['Table', 'ApplicationPolicy', 'ConsumerPolicy', 'ConsumersTable', 'FailureQueue']

/**
 * A construct for the CDK in TypeScript. It is made of the classes that stand for CloudFormation's own resources, since
 * these give exactly the table of `cloudFormation`: TableV2 makes another type of resource (AWS::DynamoDB::GlobalTable),
 * into which a table that is live cannot be turned, and scales writes by rules of its own.
 */
export function cdk(design: TableDesign, options: ProductionOptions = {}): string {
  const { Resources } = cloudFormation(design, options)
  const resources = Object.entries(Resources)
  const table = String(Resources.Table?.Properties.TableName)
  const shown = resources.filter(([id]) => SHOWN.includes(id))
  return [
    ...imports(resources.map(([, resource]) => resource.Type)),
    '',
    `/** The table of the graph ${design.name}, what scales and watches it, and the policies of those who use it. */`,
    `export class ${className(design.name)} extends Construct {`,
    ...shown.map(([id, { Type }]) => `  readonly ${member(id)}: ${CLASSES[Type]![1]}`),
    '',
    '  constructor(scope: Construct, id: string, props: { readonly tableName?: string } = {}) {',
    '    super(scope, id)',
    ...inOrder(resources).map(([id, resource]) => statement(id, resource, table)),
    '  }',
    '}',
    '',
  ].join('\n')
}

/** Policies and alarms refer to a table and a queue that must be there before them. */
function inOrder(resources: readonly [string, Resource][]): [string, Resource][] {
  const isFirst = ([id]: [string, Resource]) => id === 'Table' || id === 'ConsumersTable' || id === 'FailureQueue'
  return [...resources.filter(isFirst), ...resources.filter(each => !isFirst(each))]
}

/** The small table is named after the table, whatever that is called, unless it was given another name. */
function tableName(id: string, name: string, table: string): string {
  if (id === 'Table') return `props.tableName ?? ${literal(name)}`
  if (name !== consumersName(table)) return literal(name)
  return `props.tableName === undefined ? ${literal(name)} : \`\${props.tableName}-consumers\``
}

function imports(types: readonly string[]): string[] {
  const modules = new Map<string, Set<string>>()
  for (const type of types) {
    const [module, name] = CLASSES[type]!
    modules.set(module, (modules.get(module) ?? new Set()).add(name))
  }
  const lines = [...modules].map(
    ([module, names]) => `import { ${[...names].sort().join(', ')} } from 'aws-cdk-lib/${module}'`,
  )
  return ["import { RemovalPolicy } from 'aws-cdk-lib'", ...lines.sort(), "import { Construct } from 'constructs'"]
}

function statement(id: string, resource: Resource, table: string): string {
  const { TableName, ...rest } = resource.Properties
  const properties = Object.entries(resource.Type === 'AWS::DynamoDB::Table' ? rest : resource.Properties).map(
    ([name, value]) => `${member(name)}: ${expression(value, name !== 'PolicyDocument', 6)}`,
  )
  if (TableName !== undefined) properties.unshift(`tableName: ${tableName(id, String(TableName), table)}`)
  const made = `new ${CLASSES[resource.Type]![1]}(this, '${id}', {\n      ${properties.join(',\n      ')},\n    })`
  const removal = resource.DeletionPolicy === 'Retain' ? 'RETAIN' : 'DESTROY'
  return [
    `    ${assignment(id, resource.DependsOn !== undefined)}${made}`,
    ...(resource.DependsOn ?? []).map(other => `    ${variable(id)}.node.addDependency(${variable(other)})`),
    ...(resource.DeletionPolicy ? [`    ${variable(id)}.applyRemovalPolicy(RemovalPolicy.${removal})`] : []),
  ].join('\n')
}

/** Shown resources are members, targets are referred to by their scaling, and nothing refers to most others. */
function assignment(id: string, dependent: boolean): string {
  if (SHOWN.includes(id)) return `${variable(id)} = `
  return id.endsWith('Target') || dependent ? `const ${variable(id)} = ` : ''
}

function variable(id: string): string {
  return SHOWN.includes(id) ? `this.${member(id)}` : member(id)
}

/** A value as TypeScript. Names of properties are those of the CDK, but for a policy, which is IAM's own language. */
function expression(value: Value, renamed: boolean, indent: number): string {
  if (Array.isArray(value))
    return layOut(
      '[',
      value.map(one => expression(one, renamed, indent + 2)),
      ']',
      indent,
    )
  if (typeof value !== 'object') return literal(value)
  const members = Object.entries(value)
  const [name, argument] = members[0] ?? []
  if (name === 'Ref') return `${variable(String(argument))}.ref`
  if (name === 'Fn::GetAtt' && Array.isArray(argument)) return attribute(String(argument[0]), String(argument[1]))
  if (name === 'Fn::Sub') return substituted(String(argument))
  const written = members.map(([key, one]) => {
    const quoted = renamed ? member(key) : /^\w+$/.test(key) ? key : literal(key)
    return `${quoted}: ${expression(one, renamed, indent + 2)}`
  })
  return layOut('{', written, '}', indent)
}

function substituted(text: string): string {
  const parts = text.replace(/\$\{(\w+)(?:\.(\w+))?\}/g, (_, id: string, name: string | undefined) =>
    name === undefined ? `\${${variable(id)}.ref}` : `\${${attribute(id, name)}}`,
  )
  return `\`${parts}\``
}

function attribute(id: string, name: string): string {
  return `${variable(id)}.attr${name}`
}

function layOut(open: string, parts: readonly string[], close: string, indent: number): string {
  const space = open === '{' ? ' ' : ''
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (line.length + indent <= 100 && !line.includes('\n')) return line
  const margin = ' '.repeat(indent)
  return `${open}\n${parts.map(part => `${margin}  ${part},\n`).join('')}${margin}${close}`
}

/** A property of CloudFormation as the CDK names it: SSESpecification is sseSpecification. */
function member(name: string): string {
  return name.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z])/, start => start.toLowerCase())
}

function className(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).map(word => word.charAt(0).toUpperCase() + word.slice(1))
  // CfnTable is the class that it is made of.
  return `${words.join('').replace(/^(?=\d|Cfn$)/, 'Graph')}Table`
}

function literal(value: string | number | boolean | undefined): string {
  if (typeof value !== 'string') return String(value)
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
