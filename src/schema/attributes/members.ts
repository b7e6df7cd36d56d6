import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { DeclaredAttribute, DeclaredAttributes } from '../declared.js'
import { GraphError } from '../error.js'
import { checkDistinct } from '../names.js'
import { wrongStored, wrongType } from '../refusal.js'
import type { Attributes } from '../types/row.js'
import { declaredOf } from './validated.js'

/** The members of a map or of an embedded entry. They have names of any kind, since they are in no key. */
export function declaredMembers(members: Attributes, what: string): DeclaredAttributes {
  const declared = Object.entries(members).map(
    ([name, member]) => [name, declaredOf(member, `'${name}' of ${what}`)] as const,
  )
  for (const [name, member] of declared) checkMember(name, member, what)
  checkDistinct(
    declared.map(([name, { storedAs }]) => storedAs ?? name),
    `${what}, as stored,`,
  )
  return Object.fromEntries(declared)
}

function checkMember(name: string, { kind, immutable, derived, fallback }: DeclaredAttribute, what: string): void {
  if (!derived && (kind === 'validated' || kind === 'ulid' || (!immutable && !fallback))) return
  const fault = derived ? `is a ${kind}` : immutable ? 'is immutable' : 'has a default'
  throw new GraphError('attribute.member', `'${name}' of ${what} ${fault}: only attributes of a node or an edge can`, {
    name,
  })
}

export function encodeMembers(members: DeclaredAttributes, value: unknown, path: string): AttributeValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(path, 'an object', value)
  for (const name of Object.keys(value))
    if (!Object.hasOwn(members, name))
      throw new GraphError(
        'value.member',
        `${path} has no member '${name}': it has ${Object.keys(members).join(', ')}`,
        { path, name },
      )
  const stored: [string, AttributeValue][] = []
  for (const [name, member] of Object.entries(members)) {
    const given = (value as Record<string, unknown>)[name]
    if (given !== undefined) stored.push([member.storedAs ?? name, member.encode(given, `${path}.${name}`)])
    else if (!member.optional) stored.push([member.storedAs ?? name, encodeMissing(member, path, name)])
  }
  return { M: Object.fromEntries(stored) }
}

/** A validator may have a default of its own; anything else that is missing is missed. */
function encodeMissing(member: DeclaredAttribute, path: string, name: string): AttributeValue {
  if (member.kind === 'validated') return member.encode(undefined, `${path}.${name}`)
  throw new GraphError('value.member', `${path} lacks '${name}': give it, or declare it optional()`, { path, name })
}

export function decodeMembers(
  members: DeclaredAttributes,
  value: AttributeValue,
  path: string,
): Record<string, unknown> {
  if (value.M === undefined) throw wrongStored(path, 'a map', value)
  const row: [string, unknown][] = []
  for (const [name, member] of Object.entries(members)) {
    const stored = value.M[member.storedAs ?? name]
    if (stored !== undefined) row.push([name, member.decode(stored, `${path}.${name}`)])
  }
  return Object.fromEntries(row)
}
