import { bindValue } from '../../../layout/items/row-bindings.js'
import { hexOf } from '../../../layout/keys/hex.js'
import { type DeclaredType, normalizeEnds, toSlotValues } from '../../../layout/slots.js'
import { encodeJson } from '../../../schema/attributes/json.js'
import type { Code } from '../../../schema/codes.js'
import type { Environment } from '../../../schema/declarations.js'
import { GraphError } from '../../../schema/error.js'
import { hasEntries } from '../../../schema/map-values.js'
import { encodeIdentity, tenantValues } from '../../identity.js'
import { describeMembers, membersOf } from '../../members.js'
import type { PlannedChange, SlotValues, WriteCondition } from '../../plan.js'
import { isSameValue } from '../../slot-values.js'
import type { TypeTraits } from '../../type-traits.js'

export interface WriteOptions {
  readonly environment: Environment
  readonly tenant?: string | undefined
  readonly condition?: WriteCondition | undefined
  readonly returns?: 'old' | 'new' | undefined
  /** Of an edge that is put: the nodes at both ends must be there. */
  readonly ends?: 'check'
}

type RowInput = Readonly<Record<string, unknown>>

const ETAG_BYTES = 9

/** What every change has. */
function createChange(
  { type }: TypeTraits,
  verb: PlannedChange['verb'],
  { tenant, environment, condition, returns, ends }: WriteOptions,
  identity: SlotValues,
  set: SlotValues,
  patch: PlannedChange['patch'],
  generatedSlots: readonly string[] = [],
): PlannedChange {
  const within = (slots: SlotValues) => ({ ...slots, ...tenantValues(tenant) })
  return {
    type: type.name,
    verb,
    identity: within(identity),
    set: within(set),
    patch,
    etag: hexOf(environment.random(ETAG_BYTES)),
    nowSeconds: Math.floor(environment.now() / 1000),
    condition,
    returns,
    ends,
    generatedSlots,
  }
}

/** A whole row that is given: checked, its defaults made, by slot. */
export function toRowChange(
  traits: TypeTraits,
  verb: 'create' | 'put',
  row: RowInput,
  options: WriteOptions,
): PlannedChange {
  const { type, identitySlots, inputAttributes } = traits
  const expectedDerived = expectedDerivedIn(traits, verb, row)
  const generatedSlots: string[] = []
  const set = toSlotValues(type, row)
  for (const [name, { kind, encode, fallback }] of inputAttributes) {
    if (!fallback || row[name] !== undefined) continue
    generatedSlots.push(name)
    const value = fallback(options.environment)
    // What a validator has made is not given to it again.
    if (value !== undefined) set[name] = (kind === 'validated' ? encodeJson : encode)(value, `${type.name}.${name}`)
  }
  for (const [name, { recomputation }] of inputAttributes) {
    const value = recomputation?.compute?.(type, name, set)
    if (recomputation?.compute && row[name] !== undefined) assertComputed(traits, name, row[name], value)
    if (!value) continue
    set[name] = value
    generatedSlots.push(name)
  }
  for (const [name, { optional }] of inputAttributes)
    if (!optional && !set[name]) throw memberError('write.missing', type, name, 'is missing: give it')
  assertIdentityTexts(type, set)
  const values = { ...set, ...tenantValues(options.tenant) }
  for (const name of traits.rowBoundSlots)
    if (set[name]) set[name] = bindValue(type, name, set[name], values, traits.fold)
  const own: Record<string, SlotValues[string]> = {}
  for (const slot of identitySlots) own[slot] = set[slot]!
  const change = createChange(traits, verb, options, own, set, {}, generatedSlots)
  return hasEntries(expectedDerived) ? { ...change, expectedDerived } : change
}

/**
 * Derived values of a row that was read: counters, embedded maps and carried copies. They are not written, and are held
 * to what is stored or copied. What a create makes has none of them yet.
 */
function expectedDerivedIn(traits: TypeTraits, verb: 'create' | 'put', row: RowInput): SlotValues {
  const { type, writableNames } = traits
  const expectedDerived: Record<string, SlotValues[string]> = {}
  for (const name in row) {
    const value = row[name]
    if (value === undefined || writableNames.has(name) || type.attributes[name]?.recomputation?.compute) continue
    const member = membersOf(type).find(
      ({ slot, attribute }) => slot === name && (attribute.derived || isCarried(type, name)),
    )
    if (!member) throw unwritableError(traits, name)
    const stored = member.attribute.encode(value, member.path)
    if (verb === 'create' && type.kind === 'node' && !isEmptyAggregate(stored)) throw unwritableError(traits, name)
    expectedDerived[name] = stored
  }
  return expectedDerived
}

const isCarried = (type: DeclaredType, name: string) =>
  type.kind === 'edge' && type.carry.some(({ copyName }) => copyName === name)

/** Whether a counter or an embedded map is as it is where nothing is stored. */
export const isEmptyAggregate = ({ N, M }: SlotValues[string]): boolean =>
  N === '0' || (M !== undefined && !hasEntries(M))

/** A computed value that is given with the row is left out when it is what is computed. */
function assertComputed(
  traits: TypeTraits,
  name: string,
  value: unknown,
  computed: SlotValues[string] | undefined,
): void {
  const { type } = traits
  const stored = type.attributes[name]!.encode(value, `${type.name}.${name}`)
  if (!isSameValue(stored, computed)) throw unwritableError(traits, name)
}

/**
 * Refuses an empty text as the id of a new node, or of a node that a new edge or owned node refers to: it is a value that
 * the caller lacks. Items that have one already can be read, updated and deleted.
 */
function assertIdentityTexts(type: DeclaredType, values: SlotValues): void {
  for (const { slot, segments, attribute, path, isReference } of membersOf(type)) {
    const isId = isReference || (type.kind === 'node' && type.id.includes(slot))
    // A choice that is declared as an empty text is meant.
    if (!isId || values[slot]?.S !== '' || attribute.kind === 'oneOf') continue
    throw new GraphError('key.empty', `${path}: the id is an empty text; give at least one character.`, {
      type: type.name,
      name: segments[0]!,
      path,
    })
  }
}

/** What tells a node or an edge, in which an undirected edge has its ends in order, and what becomes of it. */
export function toIdentityChange(
  traits: TypeTraits,
  verb: PlannedChange['verb'],
  identity: unknown,
  options: WriteOptions,
  patch: PlannedChange['patch'] = {},
  generatedSlots?: readonly string[],
): PlannedChange {
  const { type } = traits
  return createChange(
    traits,
    verb,
    options,
    normalizeEnds(type, encodeIdentity(type, identity)),
    {},
    patch,
    generatedSlots,
  )
}

export function memberError(code: Code, { name: type }: DeclaredType, name: string, problem: string): GraphError {
  return new GraphError(code, `${name ? `${type}.${name}` : type} ${problem}`, { type, name })
}

export function unwritableError({ type }: TypeTraits, name: string): GraphError {
  const isMember = membersOf(type).some(({ segments }) => segments[0] === name)
  if (isMember) return memberError('write.derived', type, name, 'is derived and has another value here; leave it out')
  return memberError('write.unknown', type, name, `is not declared: ${describeMembers(type)}`)
}
