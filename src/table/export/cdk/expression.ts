/** Writes CloudFormation values as TypeScript expressions over the constructs of the CDK. */
import type { Value } from '../cloudformation/template.js'

/** Resources that the construct keeps as members, because its grants and its users refer to them. */
export const MEMBER_RESOURCES: readonly string[] = [
  'Table',
  'ApplicationPolicy',
  'ConsumerPolicy',
  'ConsumersTable',
  'FailureQueue',
  'BatchRole',
]

/** The expression for a resource within the class. */
export function variableName(id: string): string {
  return MEMBER_RESOURCES.includes(id) ? `this.cfn${id}` : toMemberName(id)
}

/**
 * A value as TypeScript. With `renamed`, properties get the names of the CDK. Policies keep theirs, because IAM defines
 * them.
 */
export function toTypeScript(value: Value, usesCdkNames: boolean, indent: number): string {
  if (Array.isArray(value))
    return formatList(
      '[',
      value.map(item => toTypeScript(item, usesCdkNames, indent + 2)),
      ']',
      indent,
    )
  if (typeof value !== 'object') return toLiteral(value)
  const members = Object.entries(value)
  const [name, argument] = members[0] ?? []
  if (name === 'Ref') return `${variableName(String(argument))}.ref`
  if (name === 'Fn::GetAtt' && Array.isArray(argument))
    return attributeReference(String(argument[0]), String(argument[1]))
  if (name === 'Fn::Sub') return toTemplateLiteral(String(argument))
  const properties = members.map(([key, item]) => {
    const propertyName = usesCdkNames ? toMemberName(key) : /^\w+$/.test(key) ? key : toLiteral(key)
    return `${propertyName}: ${toTypeScript(item, usesCdkNames, indent + 2)}`
  })
  return formatList('{', properties, '}', indent)
}

/** The CDK's expression for the partition, which needs the import of `Aws`. */
export const CDK_PARTITION = 'Aws.PARTITION'

function toTemplateLiteral(text: string): string {
  const parts = text
    .replace(/\$\{(\w+)(?:\.(\w+))?\}/g, (_, id: string, name: string | undefined) =>
      name === undefined ? `\${${variableName(id)}.ref}` : `\${${attributeReference(id, name)}}`,
    )
    .replaceAll(`\${AWS::Partition}`, () => `\${${CDK_PARTITION}}`)
  return `\`${parts}\``
}

function attributeReference(id: string, name: string): string {
  return `${variableName(id)}.attr${name}`
}

export function formatList(open: string, parts: readonly string[], close: string, indent: number): string {
  const space = open === '{' ? ' ' : ''
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (line.length + indent <= 100 && !line.includes('\n')) return line
  const margin = ' '.repeat(indent)
  return `${open}\n${parts.map(part => `${margin}  ${part},\n`).join('')}${margin}${close}`
}

/** A property of CloudFormation by its name in the CDK: SSESpecification becomes sseSpecification. */
export function toMemberName(name: string): string {
  return name.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z])/, start => start.toLowerCase())
}

export function toLiteral(value: string | number | boolean | undefined): string {
  if (typeof value !== 'string') return String(value)
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
