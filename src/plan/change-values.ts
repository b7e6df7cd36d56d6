import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import { boundValue } from '../layout/row-bindings.js'
import { mapValues } from '../schema/map-values.js'
import { isObject } from '../schema/refusal.js'
import { changedPart } from './change-in-place.js'
import type { Change, Slots } from './plan.js'
import type { Traits } from './write-traits.js'

/** The values that a stored item of a type has, by slot; those that its key tells are the identity by which it was read. */
export function storedValues({ stored }: Traits, identity: Slots, item: Item): Slots {
  const values: Record<string, AttributeValue> = { ...identity }
  for (const [slot, name] of stored) if (item[name]) values[slot] = item[name]
  return values
}

/** What a change tells of the values after it by itself. */
export function givenValues({ identity, set, patch }: Change): Slots {
  const given = mapValues(patch, part => (part.kind === 'set' ? part.value : undefined))
  return { ...identity, ...set, ...given }
}

/** The values after an update. */
export function changedValues({ type, fold }: Traits, before: Slots, { patch }: Change): Slots {
  const values: Record<string, AttributeValue> = { ...before }
  // What is computed comes last.
  for (const slot in patch) {
    const attribute = type.attributes[slot]!
    const value = attribute.renewed?.value
      ? attribute.renewed.value(type, slot, values)
      : changedPart(attribute, before[slot], patch[slot]!, `${type.name}.${slot}`)
    if (value) values[slot] = attribute.renewed?.value ? boundValue(type, slot, value, values, fold) : value
    else delete values[slot]
  }
  return values
}

/** Whether two stored values are the same. */
export const sameValue = (a: AttributeValue | undefined, b: AttributeValue | undefined): boolean =>
  a === b || canonical(a) === canonical(b)

/** A text that is the same for the same values; the members of a map and of a set have no order. */
export function canonical(value: unknown): string | undefined {
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
