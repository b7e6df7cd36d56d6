import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { replaceBoundValues, valueOwnerOf } from '../../../layout/items/row-bindings.js'
import type { DeclaredType } from '../../../layout/slots.js'
import { toPlainNumber } from '../../../schema/attributes/number.js'
import { formatValue, isSafeInteger } from '../../../schema/checks/assertions.js'
import type { DeclaredAttribute } from '../../../schema/declarations.js'
import { hasEntries, mapValues } from '../../../schema/map-values.js'
import { isPatchOperation } from '../../../schema/patch-operations.js'
import type { PlannedChange, ValueChange } from '../../plan.js'
import type { TypeTraits } from '../../type-traits.js'
import { memberError, toIdentityChange, unwritableError, type WriteOptions } from './row-change.js'

type PatchInput = Readonly<Record<string, unknown>>

/** Encodes a patch: values and operations by attribute. */
export function toPatchChange(
  traits: TypeTraits,
  identity: unknown,
  patch: PatchInput,
  options: WriteOptions,
): PlannedChange {
  const { type, identitySlots, writableNames } = traits
  const attributeOf = (name: string) => {
    const attribute = type.attributes[name]
    // Apart from attributes, a row contains only ends and an owner.
    if (identitySlots.includes(name) || (!attribute && writableNames.has(name)))
      throw memberError(
        'write.key',
        type,
        name,
        'the attribute is part of the identity; delete the row and create another one',
      )
    if (!writableNames.has(name)) throw unwritableError(traits, name)
    if (attribute!.immutable)
      throw memberError('write.immutable', type, name, 'the attribute is immutable; leave it out')
    return attribute
  }
  const parts = toValueChanges(type, '', patch, attributeOf)
  const generatedSlots = traits.inputAttributes.flatMap(([name, { recomputation }]) => {
    const part = !parts[name] && recomputation?.changeForPatch(type, name, parts, options.environment)
    if (part) parts[name] = part
    return part ? [name] : []
  })
  const change = toIdentityChange(traits, 'update', identity, options, parts, generatedSlots)
  return traits.rowBoundSlots.some(name => parts[name]) ? { ...change, patch: bindPatch(traits, change) } : change
}

/** Binds the encrypted values of a patch to the row. */
function bindPatch(
  { type, rowBoundSlots, fold }: TypeTraits,
  { patch, identity }: PlannedChange,
): PlannedChange['patch'] {
  return mapValues(patch, (part, slot) => {
    if (!rowBoundSlots.includes(slot)) return part
    const belonging = valueOwnerOf(type, slot, identity, fold)
    return bindValueChange(type.attributes[slot]!, part, belonging.name, belonging.identity)
  })
}

function bindValueChange(
  attribute: DeclaredAttribute,
  change: ValueChange,
  name: string,
  identity: string,
): ValueChange {
  if (change.kind === 'remove') return change
  if (change.kind !== 'within') {
    const value = replaceBoundValues(attribute, change.value, name, (binding, stored, at) =>
      binding.bind(stored, { name: at, identity }),
    )
    return { ...change, value }
  }
  const { element, members } = attribute
  const parts = mapValues(change.parts, (each, at) => {
    const inner = element ?? members?.[at]
    return inner ? bindValueChange(inner, each, element ? name : `${name}.${at}`, identity) : each
  })
  return { ...change, parts }
}

/** Encodes the values and operations of a patch, or of a nested patch. */
function toValueChanges(
  type: DeclaredType,
  path: string,
  patch: PatchInput,
  attributeOf: (part: string) => DeclaredAttribute | false | undefined,
): Record<string, ValueChange> {
  const parts = mapValues(patch, (value, part) => {
    if (value === undefined) return undefined
    const name = path ? `${path}.${part}` : part
    const attribute = attributeOf(part)
    if (!attribute)
      throw memberError('write.unknown', type, name, 'the attribute is not declared; declare it, or leave it out')
    return toValueChange(type, name, attribute, value)
  })
  if (!hasEntries(parts)) throw memberError('write.empty', type, path, 'the patch has no change; give at least one')
  return parts
}

/** Encodes a value of a patch: a new stored value, or an operation on it. */
function toValueChange(type: DeclaredType, name: string, attribute: DeclaredAttribute, value: unknown): ValueChange {
  const path = `${type.name}.${name}`
  if (!isPatchOperation(value)) return { kind: 'set', value: attribute.encode(value, path) }
  const { kind, value: operand } = value
  const { kind: of, optional, members, element } = attribute
  const isList = of === 'list'
  if (kind === 'remove' && optional) return { kind }
  if (kind === 'remove')
    throw memberError(
      'write.missing',
      type,
      name,
      'the attribute is not optional, so it cannot be removed; give a value, or declare it optional()',
    )
  if (kind === 'add') return { kind, value: toAddend(type, name, attribute, operand) }
  if (kind === 'within' && (isList || (of === 'map' && members))) {
    // Any element of a list may be removed.
    const anyElement = { ...element!, optional: true }
    const memberOf = (part: string) =>
      isList ? /^(0|[1-9]\d*)$/.test(part) && anyElement : Object.hasOwn(members!, part) && members![part]
    return { kind, parts: toValueChanges(type, name, operand as PatchInput, memberOf) }
  }
  if (kind === 'within' || of !== (kind.endsWith('pend') ? 'list' : 'set'))
    throw memberError('write.operation', type, name, `${kind}() does not apply to ${of}(); use an operation that does`)
  return { kind, value: attribute.encode(isList ? operand : new Set(operand as readonly unknown[]), path) }
}

function toAddend(of: DeclaredType, name: string, { kind, type }: DeclaredAttribute, value: unknown): AttributeValue {
  const N = type === 'N' ? toPlainNumber(String(value)) : undefined
  const fits = kind === 'integer' ? isSafeInteger(value) : kind !== 'bigint' || /^-?\d+$/.test(String(value))
  if (!N || !fits)
    throw memberError(
      'write.operation',
      of,
      name,
      `${formatValue(value)} cannot be added to ${kind}(); give a number of that kind`,
    )
  return { N }
}
