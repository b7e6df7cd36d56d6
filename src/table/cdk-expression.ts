/** Writes CloudFormation values as TypeScript expressions over the constructs of the CDK. */
import type { Value } from './cloudformation.js'

/** Resources that the construct keeps as members, because its grants and its users refer to them. */
export const MEMBER_RESOURCES: readonly string[] = [
  'Table',
  'ApplicationPolicy',
  'ConsumerPolicy',
  'ConsumersTable',
  'FailureQueue',
]

/** The expression for a resource within the class. */
export function variable(id: string): string {
  return MEMBER_RESOURCES.includes(id) ? `this.cfn${id}` : member(id)
}

/**
 * A value as TypeScript. With `renamed`, properties get the names of the CDK. Policies keep theirs, because IAM defines
 * them.
 */
export function expression(value: Value, renamed: boolean, indent: number): string {
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

export function layOut(open: string, parts: readonly string[], close: string, indent: number): string {
  const space = open === '{' ? ' ' : ''
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (line.length + indent <= 100 && !line.includes('\n')) return line
  const margin = ' '.repeat(indent)
  return `${open}\n${parts.map(part => `${margin}  ${part},\n`).join('')}${margin}${close}`
}

/** A property of CloudFormation by its name in the CDK: SSESpecification becomes sseSpecification. */
export function member(name: string): string {
  return name.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z])/, start => start.toLowerCase())
}

export function literal(value: string | number | boolean | undefined): string {
  if (typeof value !== 'string') return String(value)
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
