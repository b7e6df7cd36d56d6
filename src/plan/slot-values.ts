import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import { bindValue } from '../layout/items/row-bindings.js'
import { isObject } from '../schema/checks/assertions.js'
import { mapValues } from '../schema/map-values.js'
import type { PlannedChange, SlotValues } from './plan.js'
import type { TypeTraits } from './type-traits.js'
import { applyValueChange } from './write/effects/value-change.js'

/** The values that a stored item of a type has, by slot; those that its key tells are the identity by which it was read. */
export function storedValuesOf({ storedNames }: TypeTraits, identity: SlotValues, item: Item): SlotValues {
  const values: Record<string, AttributeValue> = { ...identity }
  for (const [slot, name] of storedNames) if (item[name]) values[slot] = item[name]
  return values
}

/** What a change tells of the values after it by itself. */
export function valuesGivenBy({ identity, set, patch }: PlannedChange): SlotValues {
  const patched = mapValues(patch, part => (part.kind === 'set' ? part.value : undefined))
  return { ...identity, ...set, ...patched }
}

/** The values after an update. */
export function applyPatch({ type, fold }: TypeTraits, before: SlotValues, { patch }: PlannedChange): SlotValues {
  const values: Record<string, AttributeValue> = { ...before }
  // What is computed comes last.
  for (const slot in patch) {
    const attribute = type.attributes[slot]!
    const value = attribute.recomputation?.compute
      ? attribute.recomputation.compute(type, slot, values)
      : applyValueChange(attribute, before[slot], patch[slot]!, `${type.name}.${slot}`)
    if (value) values[slot] = attribute.recomputation?.compute ? bindValue(type, slot, value, values, fold) : value
    else delete values[slot]
  }
  return values
}

/** Whether two stored values are the same. */
export const isSameValue = (a: AttributeValue | undefined, b: AttributeValue | undefined): boolean =>
  a === b || canonicalText(a) === canonicalText(b)

/** A text that is the same for the same values; the members of a map and of a set have no order. */
export function canonicalText(value: unknown): string | undefined {
  return JSON.stringify(value, (_, each: unknown) => {
    if (each instanceof Uint8Array) return [...each]
    if (!isObject(each)) return each
    const names = Object.keys(each).sort()
    return names.map(name => {
      const part = each[name]
      return [name, /^[SNB]S$/.test(name) && Array.isArray(part) ? part.map(String).sort() : part]
    })
  })
}
