import type { TableDesign } from '../layout/design.js'
import { expression, layOut, literal, variable } from './cdk-expression.js'
import { CLOUDFORMATION_NAMES, type Resource, type Value } from './cloudformation.js'
import { globalIndexes, localIndexes } from './definition.js'
import { applicationPolicy, consumerPolicy, type PolicyDocument, readerPolicy, type Statement } from './policies.js'
import type { ProductionOptions } from './production.js'

/** A member of the class: its type, and the expression that refers to the resource by an interface of the CDK. */
interface Reference {
  readonly type: string
  readonly imports: readonly string[]
  readonly expression: string
}

type Resources = readonly (readonly [id: string, resource: Resource])[]

/** The members by which other constructs use a resource. */
export function references(design: TableDesign, resources: Resources): ReadonlyMap<string, Reference> {
  const made = new Map(Object.entries(REFERENCES).map(([id, referTo]) => [id, referTo(design, id)] as const))
  return new Map(resources.flatMap(([id]) => (made.has(id) ? [[id, made.get(id)!] as const] : [])))
}

const REFERENCES: Readonly<Record<string, (design: TableDesign, id: string) => Reference>> = {
  Table: tableReference,
  ApplicationPolicy: policyReference,
  ConsumerPolicy: policyReference,
  ConsumersTable: (_, id) => ({
    type: 'ITable',
    imports: ['aws-dynamodb ITable', 'aws-dynamodb Table'],
    expression: `Table.fromTableArn(this, '${id}Reference', ${variable(id)}.attrArn)`,
  }),
  FailureQueue: (_, id) => ({
    type: 'IQueue',
    imports: ['aws-sqs IQueue', 'aws-sqs Queue'],
    expression: `Queue.fromQueueArn(this, '${id}Reference', ${variable(id)}.attrArn)`,
  }),
}

function tableReference(design: TableDesign, id: string): Reference {
  const names = (indexes: readonly { readonly name: string }[]) =>
    `[${indexes.map(({ name }) => literal(name)).join(', ')}]`
  const [global, local] = [globalIndexes(design), localIndexes(design)]
  const attributes = [
    `tableArn: ${variable(id)}.attrArn`,
    ...(design.stream === 'none' ? [] : [`tableStreamArn: ${variable(id)}.attrStreamArn`]),
    ...(global.length > 0 ? [`globalIndexes: ${names(global)}`] : []),
    ...(local.length > 0 ? [`localIndexes: ${names(local)}`] : []),
  ]
  return {
    type: 'ITable',
    imports: ['aws-dynamodb ITable', 'aws-dynamodb Table'],
    expression: `Table.fromTableAttributes(this, '${id}Reference', ${layOut('{', attributes, '}', 4)})`,
  }
}

function policyReference(_: TableDesign, id: string): Reference {
  return {
    type: 'IManagedPolicy',
    imports: ['aws-iam IManagedPolicy', 'aws-iam ManagedPolicy'],
    expression: `ManagedPolicy.fromManagedPolicyArn(this, '${id}Reference', ${variable(id)}.ref)`,
  }
}

/** The types that the grants use. */
export const GRANT_IMPORTS = ['aws-iam Grant', 'aws-iam IGrantable']

/** The methods of the class that grant permissions, as the constructs of the CDK have them. */
export function grantMethods(design: TableDesign, options: ProductionOptions): string[] {
  const { queueArn } = options.consumer ?? {}
  const names = queueArn === undefined ? CLOUDFORMATION_NAMES : { ...CLOUDFORMATION_NAMES, queue: queueArn }
  const consumer = consumerPolicy(design, options, names)
  return [
    ...grantMethod('grantReadData', 'Allows a principal to read the graph.', readerPolicy(design, options, names)),
    ...grantMethod(
      'grantReadWriteData',
      'Allows a principal every call of the graph, as `applicationPolicy` does.',
      applicationPolicy(design, options, names),
    ),
    ...(consumer
      ? grantMethod(
          'grantConsumeStream',
          'Allows a principal to read the stream and to keep derived data, as `consumerPolicy` does.',
          consumer,
        )
      : []),
  ]
}

function grantMethod(name: string, summary: string, { Statement }: PolicyDocument<Value>): string[] {
  return [
    '',
    `  /** ${summary} */`,
    `  ${name}(grantee: IGrantable): Grant {`,
    '    const grants = [',
    ...Statement.map(statement => `      ${grantOf(statement)},`),
    '    ]',
    '    return grants.reduce((all, grant) => all.combine(grant))',
    '  }',
  ]
}

function grantOf({ Action, Resource, Condition }: Statement<Value>): string {
  const parts = [
    'grantee',
    `actions: ${expression([...Action], false, 8)}`,
    `resourceArns: ${expression([...Resource], false, 8)}`,
    ...(Condition === undefined ? [] : [`conditions: ${expression(plain(Condition), false, 8)}`]),
  ]
  return `Grant.addToPrincipal(${layOut('{', parts, '}', 6)})`
}

/** The same data without the types that only this package knows. */
function plain(value: object): Value {
  return JSON.parse(JSON.stringify(value))
}
