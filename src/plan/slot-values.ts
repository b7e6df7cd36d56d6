import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import { bindValue } from '../layout/items/row-bindings.js'
import { isObject } from '../schema/checks/assertions.js'
import { mapValues } from '../schema/map-values.js'
import type { PlannedChange, SlotValues } from './plan.js'
import type { TypeTraits } from './type-traits.js'
import { applyValueChange } from './write/effects/value-change.js'

/** The values of a stored item by slot. Slots in its key come from the identity by which it was read. */
export function storedValuesOf({ storedNames }: TypeTraits, identity: SlotValues, item: Item): SlotValues {
  const values: Record<string, AttributeValue> = { ...identity }
  for (const [slot, name] of storedNames) if (item[name]) values[slot] = item[name]
  return values
}

/** The values that are known from a change without reading the item. */
export function valuesGivenBy({ identity, set, patch }: PlannedChange): SlotValues {
  const patched = mapValues(patch, part => (part.kind === 'set' ? part.value : undefined))
  return { ...identity, ...set, ...patched }
}

/** The values after an update. */
export function applyPatch({ type, fold }: TypeTraits, before: SlotValues, { patch }: PlannedChange): SlotValues {
  const values: Record<string, AttributeValue> = { ...before }
  // Computed attributes come last, because they depend on the other values.
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

/** Whether two stored values are equal. */
export const isSameValue = (a: AttributeValue | undefined, b: AttributeValue | undefined): boolean =>
  a === b || canonicalText(a) === canonicalText(b)

/** Returns the same text for equal values; the order of map members and set elements does not matter. */
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
