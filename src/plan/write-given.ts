import { type DeclaredType, endsInOrder, slotValues } from '../layout/slots.js'
import type { Code } from '../schema/codes.js'
import type { Surroundings } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { identityOf } from './change-values.js'
import { identityValues, referencesOf, tenantValues } from './identity.js'
import type { Change, Slots, WriteCondition } from './plan.js'

export interface WriteOptions {
  readonly surroundings: Surroundings
  readonly tenant?: string
  readonly condition?: WriteCondition
  readonly returns?: 'old' | 'new'
}

type Given = Readonly<Record<string, unknown>>

const ETAG_BYTES = 9

/** What every change has. */
function start(type: DeclaredType, verb: Change['verb'], identity: Slots, options: WriteOptions): Change {
  const { surroundings, tenant, condition, returns } = options
  const etag = Array.from(surroundings.random(ETAG_BYTES), byte => byte.toString(16).padStart(2, '0')).join('')
  return {
    type: type.name,
    verb,
    identity: { ...tenantValues(tenant), ...identity },
    set: {},
    add: {},
    remove: [],
    inPlace: {},
    etag,
    nowSeconds: Math.floor(surroundings.now() / 1000),
    ...(condition && { condition }),
    ...(returns && { returns }),
  }
}

/** A whole row that is given: checked, its defaults made, by slot. */
export function givenRow(type: DeclaredType, verb: 'create' | 'put', row: Given, options: WriteOptions): Change {
  const references = referencesOf(type).map(({ name }) => name)
  for (const name of Object.keys(row)) if (!references.includes(name)) checkWritable(type, name)
  const filled: Record<string, unknown> = { ...row }
  for (const [name, attribute] of Object.entries(type.attributes))
    if (filled[name] === undefined && attribute.fallback) filled[name] = attribute.fallback(options.surroundings)
  const values = slotValues(type, filled)
  for (const [name, attribute] of Object.entries(type.attributes)) {
    if (values[name] || attribute.derived || attribute.optional) continue
    if (attribute.kind !== 'validated') throw refusal('write.missing', type, name, 'is missing: give it')
    // A validator may have a default of its own.
    values[name] = attribute.encode(undefined, `${type.name}.${name}`)
  }
  const slots = identityOf(type)
  const entries = Object.entries(values)
  return {
    ...start(type, verb, Object.fromEntries(entries.filter(([slot]) => slots.includes(slot))), options),
    set: Object.fromEntries(entries.filter(([slot]) => !slots.includes(slot))),
  }
}

export function givenIdentity(type: DeclaredType, identity: unknown, options: WriteOptions): Change {
  const values = identityValues(type, identity)
  return start(type, 'delete', type.kind === 'edge' && type.undirected ? endsInOrder(type, values) : values, options)
}

export function refusal(code: Code, { name: type }: DeclaredType, name: string, fault: string): GraphError {
  return new GraphError(code, `${name === '' ? type : `${type}.${name}`} ${fault}`, { type, name })
}

export function checkWritable(type: DeclaredType, name: string): void {
  const attribute = Object.hasOwn(type.attributes, name) ? type.attributes[name] : undefined
  const carried = type.kind === 'edge' && type.carry.some(({ as }) => as === name)
  if (attribute?.derived || carried) throw refusal('write.derived', type, name, 'is kept by edges: leave it out')
  if (!attribute)
    throw refusal('write.unknown', type, name, `is not declared: it has ${Object.keys(type.attributes).join(', ')}`)
}
