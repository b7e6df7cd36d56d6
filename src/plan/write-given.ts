import { hexOf } from '../layout/hex.js'
import { boundValue } from '../layout/row-bindings.js'
import { type DeclaredType, endsInOrder, slotValues } from '../layout/slots.js'
import { encodeJson } from '../schema/attributes/json.js'
import type { Code } from '../schema/codes.js'
import type { Surroundings } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { hasAny } from '../schema/map-values.js'
import { sameValue } from './change-values.js'
import { identityValues, tenantValues } from './identity.js'
import { memberNames, membersOf } from './members.js'
import type { Change, Slots, WriteCondition } from './plan.js'
import type { Traits } from './write-traits.js'

export interface WriteOptions {
  readonly surroundings: Surroundings
  readonly tenant?: string | undefined
  readonly condition?: WriteCondition | undefined
  readonly returns?: 'old' | 'new' | undefined
  /** Of an edge that is put: the nodes at both ends must be there. */
  readonly ends?: 'check'
}

type Given = Readonly<Record<string, unknown>>

const ETAG_BYTES = 9

/** What every change has. */
function start(
  { type }: Traits,
  verb: Change['verb'],
  { tenant, surroundings, condition, returns, ends }: WriteOptions,
  identity: Slots,
  set: Slots,
  patch: Change['patch'],
  made: readonly string[] = [],
): Change {
  const within = (slots: Slots) => ({ ...slots, ...tenantValues(tenant) })
  return {
    type: type.name,
    verb,
    identity: within(identity),
    set: within(set),
    patch,
    etag: hexOf(surroundings.random(ETAG_BYTES)),
    nowSeconds: Math.floor(surroundings.now() / 1000),
    condition,
    returns,
    ends,
    made,
  }
}

/** A whole row that is given: checked, its defaults made, by slot. */
export function givenRow(traits: Traits, verb: 'create' | 'put', row: Given, options: WriteOptions): Change {
  const { type, identity, given } = traits
  const derived = derivedIn(traits, verb, row)
  const made: string[] = []
  const set = slotValues(type, row)
  for (const [name, { kind, encode, fallback }] of given) {
    if (!fallback || row[name] !== undefined) continue
    made.push(name)
    const value = fallback(options.surroundings)
    // What a validator has made is not given to it again.
    if (value !== undefined) set[name] = (kind === 'validated' ? encodeJson : encode)(value, `${type.name}.${name}`)
  }
  for (const [name, { renewed }] of given) {
    const value = renewed?.value?.(type, name, set)
    if (renewed?.value && row[name] !== undefined) checkComputed(traits, name, row[name], value)
    if (!value) continue
    set[name] = value
    made.push(name)
  }
  for (const [name, { optional }] of given)
    if (!optional && !set[name]) throw refusal('write.missing', type, name, 'is missing: give it')
  checkIdentityTexts(type, set)
  const values = { ...set, ...tenantValues(options.tenant) }
  for (const name of traits.bound) if (set[name]) set[name] = boundValue(type, name, set[name], values, traits.fold)
  const own: Record<string, Slots[string]> = {}
  for (const slot of identity) own[slot] = set[slot]!
  const change = start(traits, verb, options, own, set, {}, made)
  return hasAny(derived) ? { ...change, derived } : change
}

/**
 * Derived values of a row that was read: counters, embedded maps and carried copies. They are not written, and are held
 * to what is stored or copied. What a create makes has none of them yet.
 */
function derivedIn(traits: Traits, verb: 'create' | 'put', row: Given): Slots {
  const { type, writable } = traits
  const derived: Record<string, Slots[string]> = {}
  for (const name in row) {
    const value = row[name]
    if (value === undefined || writable.has(name) || type.attributes[name]?.renewed?.value) continue
    const member = membersOf(type).find(
      ({ slot, attribute }) => slot === name && (attribute.derived || isCarried(type, name)),
    )
    if (!member) throw unwritable(traits, name)
    const stored = member.attribute.encode(value, member.path)
    if (verb === 'create' && type.kind === 'node' && !isNothing(stored)) throw unwritable(traits, name)
    derived[name] = stored
  }
  return derived
}

const isCarried = (type: DeclaredType, name: string) => type.kind === 'edge' && type.carry.some(({ as }) => as === name)

/** Whether a counter or an embedded map is as it is where nothing is stored. */
export const isNothing = ({ N, M }: Slots[string]): boolean => N === '0' || (M !== undefined && !hasAny(M))

/** A computed value that is given with the row is left out when it is what is computed. */
function checkComputed(traits: Traits, name: string, given: unknown, computed: Slots[string] | undefined): void {
  const { type } = traits
  const stored = type.attributes[name]!.encode(given, `${type.name}.${name}`)
  if (!sameValue(stored, computed)) throw unwritable(traits, name)
}

/**
 * Refuses an empty text as the id of a new node, or of a node that a new edge or owned node refers to: it is a value that
 * the caller lacks. Items that have one already can be read, updated and deleted.
 */
function checkIdentityTexts(type: DeclaredType, values: Slots): void {
  for (const { slot, at, attribute, path, referred } of membersOf(type)) {
    const isId = referred || (type.kind === 'node' && type.id.includes(slot))
    // A choice that is declared as an empty text is meant.
    if (!isId || values[slot]?.S !== '' || attribute.kind === 'oneOf') continue
    throw new GraphError('key.empty', `${path}: the id is an empty text; give at least one character.`, {
      type: type.name,
      name: at[0]!,
      path,
    })
  }
}

/** What tells a node or an edge, in which an undirected edge has its ends in order, and what becomes of it. */
export function givenIdentity(
  traits: Traits,
  verb: Change['verb'],
  identity: unknown,
  options: WriteOptions,
  patch: Change['patch'] = {},
  made?: readonly string[],
): Change {
  const { type } = traits
  return start(traits, verb, options, endsInOrder(type, identityValues(type, identity)), {}, patch, made)
}

export function refusal(code: Code, { name: type }: DeclaredType, name: string, fault: string): GraphError {
  return new GraphError(code, `${name ? `${type}.${name}` : type} ${fault}`, { type, name })
}

export function unwritable({ type }: Traits, name: string): GraphError {
  const isMember = membersOf(type).some(({ at }) => at[0] === name)
  if (isMember) return refusal('write.derived', type, name, 'is derived and has another value here; leave it out')
  return refusal('write.unknown', type, name, `is not declared: ${memberNames(type)}`)
}
