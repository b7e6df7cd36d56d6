import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { belongingOf, eachBound } from '../layout/row-bindings.js'
import type { DeclaredType } from '../layout/slots.js'
import { plainNumber } from '../schema/attributes/number.js'
import type { DeclaredAttribute } from '../schema/declared.js'
import { hasAny, mapValues } from '../schema/map-values.js'
import { isOperation } from '../schema/operations.js'
import { isWhole, shown } from '../schema/refusal.js'
import type { Change, PartChange } from './plan.js'
import { givenIdentity, refusal, unwritable, type WriteOptions } from './write-given.js'
import type { Traits } from './write-traits.js'

type Given = Readonly<Record<string, unknown>>

/** A patch: values and operations by attribute. */
export function givenPatch(traits: Traits, identity: unknown, patch: Given, options: WriteOptions): Change {
  const { type, identity: own, writable } = traits
  const attributeOf = (name: string) => {
    const attribute = type.attributes[name]
    // What a row gives beside attributes are ends, or an owner.
    if (own.includes(name) || (!attribute && writable.has(name)))
      throw refusal('write.key', type, name, 'tells which it is: delete it and create another')
    if (!writable.has(name)) throw unwritable(traits, name)
    if (attribute!.immutable) throw refusal('write.immutable', type, name, 'is immutable: leave it out')
    return attribute
  }
  const parts = partsOf(type, '', patch, attributeOf)
  const made = traits.given.flatMap(([name, { renewed }]) => {
    const part = !parts[name] && renewed?.patched(type, name, parts, options.surroundings)
    if (part) parts[name] = part
    return part ? [name] : []
  })
  const change = givenIdentity(traits, 'update', identity, options, parts, made)
  return traits.bound.some(name => parts[name]) ? { ...change, patch: boundPatch(traits, change) } : change
}

/** The patch, with its encrypted values bound to the row. */
function boundPatch({ type, bound, fold }: Traits, { patch, identity }: Change): Change['patch'] {
  return mapValues(patch, (part, slot) => {
    if (!bound.includes(slot)) return part
    const belonging = belongingOf(type, slot, identity, fold)
    return boundPart(type.attributes[slot]!, part, belonging.name, belonging.identity)
  })
}

function boundPart(attribute: DeclaredAttribute, part: PartChange, name: string, identity: string): PartChange {
  if (part.kind === 'remove') return part
  if (part.kind !== 'within') {
    const value = eachBound(attribute, part.value, name, (binding, stored, at) =>
      binding.bind(stored, { name: at, identity }),
    )
    return { ...part, value }
  }
  const { element, members } = attribute
  const parts = mapValues(part.parts, (each, at) => {
    const inner = element ?? members?.[at]
    return inner ? boundPart(inner, each, element ? name : `${name}.${at}`, identity) : each
  })
  return { ...part, parts }
}

/** Values and operations of a patch, or of one within a value. */
function partsOf(
  type: DeclaredType,
  path: string,
  patch: Given,
  attributeOf: (part: string) => DeclaredAttribute | false | undefined,
): Record<string, PartChange> {
  const parts = mapValues(patch, (value, part) => {
    if (value === undefined) return undefined
    const name = path ? `${path}.${part}` : part
    const attribute = attributeOf(part)
    if (!attribute) throw refusal('write.unknown', type, name, 'is not declared')
    return partOf(type, name, attribute, value)
  })
  if (!hasAny(parts)) throw refusal('write.empty', type, path, 'has no change: give one, or remove()')
  return parts
}

/** A value of a patch: what is stored instead, or how that is changed. */
function partOf(type: DeclaredType, name: string, attribute: DeclaredAttribute, value: unknown): PartChange {
  const path = `${type.name}.${name}`
  if (!isOperation(value)) return { kind: 'set', value: attribute.encode(value, path) }
  const { kind, value: given } = value
  const { kind: of, optional, members, element } = attribute
  const isList = of === 'list'
  if (kind === 'remove' && optional) return { kind }
  if (kind === 'remove') throw refusal('write.missing', type, name, 'is not optional: it cannot be removed')
  if (kind === 'add') return { kind, value: added(type, name, attribute, given) }
  if (kind === 'within' && (isList || (of === 'map' && members))) {
    // Any element of a list can be taken out.
    const anyElement = { ...element!, optional: true }
    const memberOf = (part: string) =>
      isList ? /^(0|[1-9]\d*)$/.test(part) && anyElement : Object.hasOwn(members!, part) && members![part]
    return { kind, parts: partsOf(type, name, given as Given, memberOf) }
  }
  if (kind === 'within' || of !== (kind.endsWith('pend') ? 'list' : 'set'))
    throw refusal('write.operation', type, name, `is ${of}(), which has no ${kind}()`)
  return { kind, value: attribute.encode(isList ? given : new Set(given as readonly unknown[]), path) }
}

function added(of: DeclaredType, name: string, { kind, type }: DeclaredAttribute, value: unknown): AttributeValue {
  const N = type === 'N' ? plainNumber(String(value)) : undefined
  const fits = kind === 'integer' ? isWhole(value) : kind !== 'bigint' || /^-?\d+$/.test(String(value))
  if (!N || !fits) throw refusal('write.operation', of, name, `is ${kind}(): ${shown(value)} cannot be added`)
  return { N }
}
