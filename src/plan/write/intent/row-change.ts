import { bindValue } from '../../../layout/items/row-bindings.js'
import { hexOf } from '../../../layout/keys/hex.js'
import { type DeclaredType, normalizeEnds, toSlotValues } from '../../../layout/slots.js'
import { encodeJson } from '../../../schema/attributes/json.js'
import type { Code } from '../../../schema/codes.js'
import type { Environment } from '../../../schema/declarations.js'
import { GraphError } from '../../../schema/error.js'
import { hasEntries } from '../../../schema/map-values.js'
import { encodeIdentity, tableKeyOf, tenantValues } from '../../identity.js'
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
  { layout, type, ownKind }: TypeTraits,
  verb: PlannedChange['verb'],
  { environment, condition, returns, ends }: WriteOptions,
  identity: SlotValues,
  set: SlotValues,
  patch: PlannedChange['patch'],
  generatedSlots: readonly string[] = [],
): PlannedChange {
  return {
    type: type.name,
    verb,
    identity,
    key: tableKeyOf(layout, ownKind, identity),
    set,
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
    if (!optional && !set[name]) throw memberError('write.missing', type, name, 'a value is missing; give it')
  assertIdentityTexts(traits, set)
  const tenant = tenantValues(options.tenant)
  const values = { ...set, ...tenant }
  for (const name of traits.rowBoundSlots)
    if (set[name]) values[name] = bindValue(type, name, set[name], values, traits.fold)
  const identity: Record<string, SlotValues[string]> = {}
  for (const slot of identitySlots) identity[slot] = values[slot]!
  Object.assign(identity, tenant)
  const change = createChange(traits, verb, options, identity, values, {}, generatedSlots)
  return expectedDerived ? { ...change, expectedDerived } : change
}

/**
 * Derived values of a row that was read: counters, embedded maps and carried copies. They are compared with the
 * stored or copied values and never written. A create rejects them except for empty aggregates.
 */
function expectedDerivedIn(traits: TypeTraits, verb: 'create' | 'put', row: RowInput): SlotValues | undefined {
  const { type, writableNames } = traits
  let expectedDerived: Record<string, SlotValues[string]> | undefined
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
    expectedDerived ??= {}
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
function assertIdentityTexts({ type, idMembers }: TypeTraits, values: SlotValues): void {
  for (const { slot, segments, path } of idMembers)
    if (values[slot]?.S === '')
      throw new GraphError('key.empty', `${path}: the id is an empty text; give at least one character.`, {
        type: type.name,
        name: segments[0]!,
        path,
      })
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
  const tenant = tenantValues(options.tenant)
  const slots = { ...normalizeEnds(type, encodeIdentity(type, identity)), ...tenant }
  return createChange(traits, verb, options, slots, tenant, patch, generatedSlots)
}

export function memberError(code: Code, { name: type }: DeclaredType, name: string, problem: string): GraphError {
  return new GraphError(code, `${name ? `${type}.${name}` : type}: ${problem}.`, { type, name })
}

export function unwritableError({ type }: TypeTraits, name: string): GraphError {
  const isMember = membersOf(type).some(({ segments }) => segments[0] === name)
  if (isMember)
    return memberError('write.derived', type, name, 'the attribute is derived and has another value; leave it out')
  return memberError('write.unknown', type, name, `the attribute is not declared; use one of ${describeMembers(type)}`)
}
