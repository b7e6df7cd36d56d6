import type { TableDesign } from '../../../layout/design.js'
import { consumersName } from '../../production/consumers-table.js'
import type { ProductionOptions } from '../../production/production.js'
import { cloudFormation, type Resource } from '../cloudformation/template.js'
import { CDK_PARTITION, MEMBER_RESOURCES, toLiteral, toMemberName, toTypeScript, variableName } from './expression.js'
import { GRANT_IMPORTS, grantMethods, memberReferencesOf } from './members.js'

/** The module and the class that the CDK has for a type of resource. */
const CLASSES: Readonly<Record<string, readonly [module: string, name: string]>> = {
  'AWS::DynamoDB::Table': ['aws-dynamodb', 'CfnTable'],
  'AWS::ApplicationAutoScaling::ScalableTarget': ['aws-applicationautoscaling', 'CfnScalableTarget'],
  'AWS::ApplicationAutoScaling::ScalingPolicy': ['aws-applicationautoscaling', 'CfnScalingPolicy'],
  'AWS::CloudWatch::Alarm': ['aws-cloudwatch', 'CfnAlarm'],
  'AWS::IAM::ManagedPolicy': ['aws-iam', 'CfnManagedPolicy'],
  'AWS::IAM::Role': ['aws-iam', 'CfnRole'],
  'AWS::EMRServerless::Application': ['aws-emrserverless', 'CfnApplication'],
  'AWS::Lambda::EventSourceMapping': ['aws-lambda', 'CfnEventSourceMapping'],
  'AWS::Scheduler::Schedule': ['aws-scheduler', 'CfnSchedule'],
  'AWS::Scheduler::ScheduleGroup': ['aws-scheduler', 'CfnScheduleGroup'],
  'AWS::SQS::Queue': ['aws-sqs', 'CfnQueue'],
}
/**
 * Exports a design as a CDK construct in TypeScript. It uses the L1 classes of CloudFormation resources, which create
 * exactly the table of `cloudFormation`. TableV2 creates another resource type (AWS::DynamoDB::GlobalTable), and an
 * existing table cannot become one. Its members are interfaces of the CDK, so that other constructs can use the table,
 * its policies and its queue.
 *
 * @throws {call.argument} if an option is invalid
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { cdk } from 'edgewise/table'
 *
 * const { design } = layout(graph('social', [node('user', { name: string() }, { id: 'name' })]))
 * console.log(cdk(design))
 * ```
 */
export function cdk(design: TableDesign, options: ProductionOptions = {}): string {
  const { Resources } = cloudFormation(design, options)
  const resources = Object.entries(Resources)
  const table = String(Resources.Table?.Properties.TableName)
  const members = memberReferencesOf(design, resources)
  const classes = resources.map(([, { Type }]) => CLASSES[Type]!.join(' '))
  const usedImports = [...members.values()].flatMap(reference => reference.imports)
  const statements = sortByDependency(resources).map(([id, resource]) => resourceStatement(id, resource, table))
  const ownModule = statements.some(statement => statement.includes(CDK_PARTITION)) ? ['Aws'] : []
  return [
    `import { ${[...ownModule, 'RemovalPolicy'].join(', ')} } from 'aws-cdk-lib'`,
    ...importLines([...classes, ...usedImports, ...GRANT_IMPORTS]),
    '',
    `/** The table of the graph ${design.name}, its autoscaling and alarms, and the policies of its users. */`,
    `export class ${classNameOf(design.name)} extends Construct {`,
    ...[...members].map(([id, { type }]) => `  readonly ${toMemberName(id)}: ${type}`),
    ...[...members.keys()].map(id => `  readonly cfn${id}: ${CLASSES[Resources[id]!.Type]![1]}`),
    '',
    '  constructor(scope: Construct, id: string, props: { readonly tableName?: string } = {}) {',
    '    super(scope, id)',
    ...(Resources.BatchApplication ? [tableNameCheck(table)] : []),
    ...statements,
    ...[...members].map(([id, reference]) => `    this.${toMemberName(id)} = ${reference.expression}`),
    '    this.node.defaultChild = this.cfnTable',
    '  }',
    ...grantMethods(design, options),
    '}',
    '',
  ].join('\n')
}

/** The resources that policies and alarms refer to. */
const REFERENCED_RESOURCES = ['Table', 'ConsumersTable', 'FailureQueue', 'BatchApplication', 'BatchScheduleGroup']

/** Policies and alarms come last, because they refer to other resources. */
function sortByDependency(resources: readonly [string, Resource][]): [string, Resource][] {
  const isFirst = ([id]: [string, Resource]) => REFERENCED_RESOURCES.includes(id)
  return [...resources.filter(isFirst), ...resources.filter(resource => !isFirst(resource))]
}

/** The folder in S3 has a fixed name, and a batch must not read the exports of another table. */
function tableNameCheck(table: string): string {
  const condition = `props.tableName !== undefined && props.tableName !== ${toLiteral(table)}`
  const message = `The batch of this construct is that of the table ${table}; export a construct for each table.`
  return `    if (${condition})\n      throw new Error(${toLiteral(message)})`
}

/** The name of the consumers table follows the name of the table, unless it is configured. */
function tableNameExpression(id: string, name: string, table: string): string {
  if (id === 'Table') return `props.tableName ?? ${toLiteral(name)}`
  if (name !== consumersName(table)) return toLiteral(name)
  return `props.tableName === undefined ? ${toLiteral(name)} : \`\${props.tableName}-consumers\``
}

/** Formats import lines for classes given as `module name`. */
function importLines(classes: readonly string[]): string[] {
  const modules = new Map<string, Set<string>>()
  for (const qualifiedName of classes) {
    const [module = '', name = ''] = qualifiedName.split(' ')
    modules.set(module, (modules.get(module) ?? new Set()).add(name))
  }
  const lines = [...modules].map(
    ([module, names]) => `import { ${[...names].sort().join(', ')} } from 'aws-cdk-lib/${module}'`,
  )
  return [...lines.sort(), "import { Construct } from 'constructs'"]
}

function resourceStatement(id: string, resource: Resource, table: string): string {
  const { TableName, ...rest } = resource.Properties
  const properties = Object.entries(resource.Type === 'AWS::DynamoDB::Table' ? rest : resource.Properties).map(
    ([name, value]) => `${toMemberName(name)}: ${toTypeScript(value, !name.endsWith('PolicyDocument'), 6)}`,
  )
  if (TableName !== undefined) properties.unshift(`tableName: ${tableNameExpression(id, String(TableName), table)}`)
  const propertyLines = properties.length > 0 ? `, {\n      ${properties.join(',\n      ')},\n    }` : ''
  const construction = `new ${CLASSES[resource.Type]![1]}(this, '${id}'${propertyLines})`
  const removal = resource.DeletionPolicy === 'Retain' ? 'RETAIN' : 'DESTROY'
  return [
    `    ${assignment(id, resource)}${construction}`,
    ...(resource.DependsOn ?? []).map(other => `    ${variableName(id)}.node.addDependency(${variableName(other)})`),
    ...(resource.DeletionPolicy ? [`    ${variableName(id)}.applyRemovalPolicy(RemovalPolicy.${removal})`] : []),
  ].join('\n')
}

/** Members are assigned to `this`, and a constant exists only where another resource or a dependency refers to it. */
function assignment(id: string, { Type, DependsOn }: Resource): string {
  if (MEMBER_RESOURCES.includes(id)) return `${variableName(id)} = `
  const isReferenced = REFERENCED_RESOURCES.includes(id) || id.endsWith('Target') || Type === 'AWS::IAM::Role'
  return isReferenced || DependsOn !== undefined ? `const ${variableName(id)} = ` : ''
}

function classNameOf(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).map(word => word.charAt(0).toUpperCase() + word.slice(1))
  // The construct contains a CfnTable.
  return `${words.join('').replace(/^(?=\d|Cfn$)/, 'Graph')}Table`
}
