import type { TableDesign } from '../../../layout/design.js'
import {
  applicationPolicy,
  consumerPolicy,
  type PolicyDocument,
  readerPolicy,
  type Statement,
} from '../../production/policies.js'
import type { ProductionOptions } from '../../production/production.js'
import { globalIndexesOf, localIndexesOf } from '../../table-definition.js'
import { CLOUDFORMATION_NAMES, type Resource, type Value } from '../cloudformation/template.js'
import { formatList, toLiteral, toTypeScript, variableName } from './expression.js'

/** A member of the class: its type, and the expression that refers to the resource by an interface of the CDK. */
interface MemberReference {
  readonly type: string
  readonly imports: readonly string[]
  readonly expression: string
}

type Resources = readonly (readonly [id: string, resource: Resource])[]

/** The members by which other constructs use a resource. */
export function memberReferencesOf(design: TableDesign, resources: Resources): ReadonlyMap<string, MemberReference> {
  const allReferences = new Map(
    Object.entries(REFERENCE_FACTORIES).map(([id, referTo]) => [id, referTo(design, id)] as const),
  )
  return new Map(resources.flatMap(([id]) => (allReferences.has(id) ? [[id, allReferences.get(id)!] as const] : [])))
}

const REFERENCE_FACTORIES: Readonly<Record<string, (design: TableDesign, id: string) => MemberReference>> = {
  Table: tableReferenceOf,
  ApplicationPolicy: policyReferenceOf,
  ConsumerPolicy: policyReferenceOf,
  ConsumersTable: (_, id) => ({
    type: 'ITable',
    imports: ['aws-dynamodb ITable', 'aws-dynamodb Table'],
    expression: `Table.fromTableArn(this, '${id}Reference', ${variableName(id)}.attrArn)`,
  }),
  FailureQueue: (_, id) => ({
    type: 'IQueue',
    imports: ['aws-sqs IQueue', 'aws-sqs Queue'],
    expression: `Queue.fromQueueArn(this, '${id}Reference', ${variableName(id)}.attrArn)`,
  }),
  BatchRole: (_, id) => ({
    type: 'IRole',
    imports: ['aws-iam IRole', 'aws-iam Role'],
    expression: `Role.fromRoleArn(this, '${id}Reference', ${variableName(id)}.attrArn)`,
  }),
}

function tableReferenceOf(design: TableDesign, id: string): MemberReference {
  const names = (indexes: readonly { readonly name: string }[]) =>
    `[${indexes.map(({ name }) => toLiteral(name)).join(', ')}]`
  const [global, local] = [globalIndexesOf(design), localIndexesOf(design)]
  const attributes = [
    `tableArn: ${variableName(id)}.attrArn`,
    ...(design.stream === 'none' ? [] : [`tableStreamArn: ${variableName(id)}.attrStreamArn`]),
    ...(global.length > 0 ? [`globalIndexes: ${names(global)}`] : []),
    ...(local.length > 0 ? [`localIndexes: ${names(local)}`] : []),
  ]
  return {
    type: 'ITable',
    imports: ['aws-dynamodb ITable', 'aws-dynamodb Table'],
    expression: `Table.fromTableAttributes(this, '${id}Reference', ${formatList('{', attributes, '}', 4)})`,
  }
}

function policyReferenceOf(_: TableDesign, id: string): MemberReference {
  return {
    type: 'IManagedPolicy',
    imports: ['aws-iam IManagedPolicy', 'aws-iam ManagedPolicy'],
    expression: `ManagedPolicy.fromManagedPolicyArn(this, '${id}Reference', ${variableName(id)}.ref)`,
  }
}

/** The imports of the types in the grant methods. */
export const GRANT_IMPORTS = ['aws-iam Grant', 'aws-iam IGrantable']

/** The grant methods of the class, named like those of the CDK's own constructs. */
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
    ...Statement.map(statement => `      ${grantExpressionOf(statement)},`),
    '    ]',
    '    return grants.reduce((all, grant) => all.combine(grant))',
    '  }',
  ]
}

function grantExpressionOf({ Action, Resource, Condition }: Statement<Value>): string {
  const parts = [
    'grantee',
    `actions: ${toTypeScript([...Action], false, 8)}`,
    `resourceArns: ${toTypeScript([...Resource], false, 8)}`,
    ...(Condition === undefined ? [] : [`conditions: ${toTypeScript(toPlainValue(Condition), false, 8)}`]),
  ]
  return `Grant.addToPrincipal(${formatList('{', parts, '}', 6)})`
}

/** Returns the data without types that only this package knows. */
function toPlainValue(value: object): Value {
  return JSON.parse(JSON.stringify(value))
}
