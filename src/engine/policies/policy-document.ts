import { RESOURCE_POLICY_BYTES } from '../../dynamodb/limits.js'
import { countUtf8Bytes } from '../../dynamodb/size.js'
import { invalidParameterError } from '../errors.js'

/** One value or several. A list with one element is normalized to the element. */
export type OneOrMore = string | readonly string[]

/** Everybody, or the principals of each type. */
export type PolicyPrincipal = '*' | Readonly<Record<string, OneOrMore>>

/** The members have the order of the service's responses. */
export interface CanonicalPolicyStatement {
  readonly Sid?: string
  readonly Effect: 'Allow' | 'Deny'
  readonly Principal?: PolicyPrincipal
  readonly NotPrincipal?: PolicyPrincipal
  readonly Action?: OneOrMore
  readonly NotAction?: OneOrMore
  readonly Resource?: OneOrMore
  readonly NotResource?: OneOrMore
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A policy in the normalized form of the service. Equivalent texts have the same form. */
export interface CanonicalPolicy {
  readonly Version?: string
  readonly Id?: string
  readonly Statement: readonly CanonicalPolicyStatement[]
}

const MEMBERS: readonly string[] = ['Version', 'Id', 'Statement']
/** Groups of members. A statement has at most one member of each group, and exactly one if the group is needed. */
const GROUPS: readonly { readonly names: readonly (keyof CanonicalPolicyStatement)[]; readonly isNeeded: boolean }[] = [
  { names: ['Sid'], isNeeded: false },
  { names: ['Effect'], isNeeded: true },
  { names: ['Principal', 'NotPrincipal'], isNeeded: true },
  { names: ['Action', 'NotAction'], isNeeded: true },
  { names: ['Resource', 'NotResource'], isNeeded: true },
  { names: ['Condition'], isNeeded: false },
]
const STATEMENT_MEMBERS: readonly string[] = GROUPS.flatMap(({ names }) => names)
const VERSIONS: readonly unknown[] = ['2012-10-17', '2008-10-17']
/** The version that the service returns for a policy without one. */
const DEFAULT_VERSION = '2008-10-17'

export const invalidPolicyError = (detail: string) => invalidParameterError(`Invalid policy document: ${detail}`)

export function parsePolicy(text: string): CanonicalPolicy {
  if (countUtf8Bytes(text) > RESOURCE_POLICY_BYTES)
    throw invalidParameterError(`Maximum policy size of ${RESOURCE_POLICY_BYTES} bytes exceeded`)
  const document = parseObject(text)
  if (Object.keys(document).length === 0) throw policySyntaxErrorAfter(text)
  const { Version, Id, Statement, ...others } = document
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw policySyntaxError(text, unknown)
  if (Version !== undefined && !VERSIONS.includes(Version))
    throw invalidPolicyError('The policy must contain a valid version string')
  if (Id !== undefined && typeof Id !== 'string') throw policySyntaxError(text, 'Id')
  const statements = Statement === undefined || Array.isArray(Statement) ? (Statement ?? []) : [Statement]
  if (statements.length === 0) throw invalidPolicyError('Could not parse the policy: Statement is empty!')
  return {
    ...(Version !== undefined && { Version: Version as string }),
    ...(Id !== undefined && { Id }),
    Statement: statements.map(statement => parsePolicyStatement(text, statement)),
  }
}

/** Returns the text by which policies are compared. */
export const policyTextOf = (document: CanonicalPolicy) => JSON.stringify(document)

/** Returns the text of a policy for a response. */
export function toPolicyOutput(document: string): string {
  return document.startsWith('{"Version":') ? document : `{"Version":"${DEFAULT_VERSION}",${document.slice(1)}`
}

function parseObject(text: string): Record<(typeof MEMBERS)[number], unknown> {
  let isNothing = false
  try {
    const read: unknown = JSON.parse(text)
    if (isObject(read)) return read
    isNothing = read === null
  } catch {
    // Invalid JSON gets the same error as other invalid values.
  }
  throw invalidPolicyError(isNothing ? 'This text appears not to be a policy' : 'This policy contains invalid Json')
}

function parsePolicyStatement(text: string, statement: unknown): CanonicalPolicyStatement {
  if (!isObject(statement)) throw policySyntaxError(text, 'Statement')
  const unknown = Object.keys(statement).find(name => !STATEMENT_MEMBERS.includes(name))
  if (unknown !== undefined) throw policySyntaxError(text, unknown)
  const members = GROUPS.flatMap(({ names, isNeeded }) => {
    const [name, second] = names.filter(member => statement[member] !== undefined)
    if (name === undefined && isNeeded) throw invalidPolicyError(`Missing required field ${names[0]}`)
    if (second !== undefined) throw policySyntaxError(text, second)
    return name === undefined ? [] : [[name, parseMember(text, name, statement[name])]]
  })
  return Object.fromEntries(members) as unknown as CanonicalPolicyStatement
}

function parseMember(text: string, name: keyof CanonicalPolicyStatement, value: unknown): unknown {
  const read = (): unknown => {
    switch (name) {
      case 'Sid':
        return typeof value === 'string' ? value : undefined
      case 'Effect':
        return toEffect(value)
      case 'Principal':
      case 'NotPrincipal':
        return toPrincipal(value)
      case 'Condition':
        return toCondition(value)
      default:
        return toOneOrMore(value)
    }
  }
  const member = read()
  if (member === undefined) throw policySyntaxError(text, typeof value === 'string' ? value : name)
  return member
}

function toEffect(value: unknown): string | undefined {
  return ['Allow', 'Deny'].find(effect => typeof value === 'string' && effect.toLowerCase() === value.toLowerCase())
}

/** Normalizes principals: accounts as their root ARN, without duplicates. */
function toPrincipal(value: unknown): PolicyPrincipal | undefined {
  if (value === '*') return value
  if (!isObject(value) || Object.keys(value).length === 0) return undefined
  const kinds = Object.entries(value).map(([kind, principals]) => {
    const values = toOneOrMore(principals)
    const arns = values && [...new Set([values].flat().map(principal => toRootArn(kind, principal)))]
    return [kind, arns && unwrapSingle(arns)] as const
  })
  return kinds.some(([, arns]) => arns === undefined) ? undefined : (Object.fromEntries(kinds) as PolicyPrincipal)
}

function toRootArn(kind: string, principal: string): string {
  return kind === 'AWS' && /^\d{12}$/.test(principal) ? `arn:aws:iam::${principal}:root` : principal
}

function toCondition(value: unknown): unknown {
  if (!isObject(value)) return undefined
  const operators = Object.entries(value).map(([operator, keys]) => {
    const values = isObject(keys) ? Object.entries(keys) : []
    return [
      operator,
      Object.fromEntries(
        values.map(([key, operand]) => [key, Array.isArray(operand) ? unwrapSingle(operand) : operand]),
      ),
    ]
  })
  return Object.fromEntries(operators)
}

function toOneOrMore(value: unknown): OneOrMore | undefined {
  if (typeof value === 'string') return value
  const isList = Array.isArray(value) && value.length > 0 && value.every(element => typeof element === 'string')
  return isList ? unwrapSingle(value as string[]) : undefined
}

const unwrapSingle = <T>(values: readonly T[]): T | readonly T[] => (values.length === 1 ? values[0]! : values)

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Creates a syntax error with the line and column of a token, as the service does. */
function policySyntaxError(text: string, token: string): Error {
  return policySyntaxErrorAfter(text.slice(0, Math.max(text.indexOf(JSON.stringify(token)), 0)))
}

function policySyntaxErrorAfter(text: string): Error {
  const before = text.split('\n')
  return invalidPolicyError(`Syntax error at position (${before.length},${before.at(-1)!.length + 1})`)
}
