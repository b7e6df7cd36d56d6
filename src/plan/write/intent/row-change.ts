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
  /** Of a put edge: requires the nodes at both ends to exist. */
  readonly ends?: 'check'
}

type RowInput = Readonly<Record<string, unknown>>

const ETAG_BYTES = 9

/** Creates a change with the members that all changes share. */
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

/** Validates a complete row, applies defaults, and encodes it by slot. */
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
    // The output of a validator is not passed to the validator again.
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
    if (!optional && !set[name]) throw memberError('write.missing', type, name, 'is missing; give it')
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
 * Derived values of a row that was read: counters, embedded maps and carried copies. They are compared with the
 * stored or copied values and never written. A create rejects them except for empty aggregates.
 */
function expectedDerivedIn(traits: TypeTraits, verb: 'create' | 'put', row: RowInput): SlotValues {
  const { type, writableNames } = traits
  const expectedDerived: Record<string, SlotValues[string]> = {}
  for (const name in row) {
    const value = row[name]
    // A job may have recomputed a summary since the row was read, so the stored value remains.
    if (value === undefined || writableNames.has(name) || type.attributes[name]?.kind === 'summary') continue
    if (type.attributes[name]?.recomputation?.compute) continue
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

/** Whether an aggregate equals the default for a missing attribute: 0, or an empty map. */
export const isEmptyAggregate = ({ N, M }: SlotValues[string]): boolean =>
  N === '0' || (M !== undefined && !hasEntries(M))

/** A computed value may be given if it equals the computed result. It is then omitted. */
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
 * Rejects an empty text as the id of a new node, or of a node that a new edge or owned node refers to, because an
 * empty id is almost always a missing value. Existing items with an empty id can be read, updated and deleted.
 */
function assertIdentityTexts(type: DeclaredType, values: SlotValues): void {
  for (const { slot, segments, attribute, path, isReference } of membersOf(type)) {
    const isId = isReference || (type.kind === 'node' && type.id.includes(slot))
    // A `oneOf` that declares an empty text allows it deliberately.
    if (!isId || values[slot]?.S !== '' || attribute.kind === 'oneOf') continue
    throw new GraphError('key.empty', `${path}: the id is an empty text; give at least one character.`, {
      type: type.name,
      name: segments[0]!,
      path,
    })
  }
}

/** Encodes an identity as a change. An undirected edge gets its ends in canonical order. */
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
