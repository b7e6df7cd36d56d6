import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import { membersOf } from '../layout/members.js'
import type { DeclaredType } from '../layout/slots.js'
import type { DeclaredAttribute, DeclaredAttributes } from '../schema/declared.js'
import { mapValues } from '../schema/map-values.js'

/** Stored values by slot, with the names that the new declaration has for the members within them. */
export function valuesRenamed(
  was: DeclaredType,
  type: DeclaredType,
  values: Readonly<Record<string, AttributeValue>>,
): Record<string, AttributeValue> {
  const [before, after] = [was, type].map(attributesBySlot) as [Attributes, Attributes]
  return mapValues(values, (value, slot) => valueRenamed(before.get(slot), after.get(slot), value))
}

/** Whether, within any attribute, a member is to be where another was: the stored value does not tell which is there. */
export function isTangledWithin(was: DeclaredType, type: DeclaredType): boolean {
  const after = attributesBySlot(type)
  return [...attributesBySlot(was)].some(([slot, attribute]) => isTangled(attribute, after.get(slot)))
}

type Attributes = ReadonlyMap<string, DeclaredAttribute>

const attributesBySlot = (type: DeclaredType): Attributes =>
  new Map(membersOf(type).map(({ slot, attribute }) => [slot, attribute]))

/** One that is stored as another is stands for that. */
const seenThrough = (attribute: DeclaredAttribute | undefined): DeclaredAttribute | undefined =>
  attribute?.mapped ? seenThrough(attribute.mapped.of) : attribute

/** What two declarations both have within. */
function insideBoth(was: DeclaredAttribute | undefined, is: DeclaredAttribute | undefined) {
  const [before, after] = [was, is].map(seenThrough)
  if (!before || before.kind !== after?.kind) return {}
  return {
    elements: before.element && after.element && ([before.element, after.element] as const),
    members: before.members && after.members && ([before.members, after.members] as const),
    isEntries: before.kind === 'embedded',
  }
}

export function valueRenamed(
  was: DeclaredAttribute | undefined,
  is: DeclaredAttribute | undefined,
  value: AttributeValue,
): AttributeValue {
  const { elements, members, isEntries } = insideBoth(was, is)
  if (elements && value.L) return { L: value.L.map(each => valueRenamed(...elements, each)) }
  if (!members || !value.M) return value
  const renamed = (each: AttributeValue) => (each.M ? { M: membersRenamed(...members, each.M) } : each)
  return isEntries ? { M: mapValues(value.M, renamed) } : renamed(value)
}

function membersRenamed(was: DeclaredAttributes, is: DeclaredAttributes, stored: Item): Item {
  const { kept, tangled } = renamingOf(was, is)
  const now = new Map(Object.entries(stored))
  for (const { from, to } of kept) if (from !== to) now.delete(from)
  for (const name of tangled) now.delete(name)
  for (const { name, from, to } of kept) {
    // What is there under a name that nothing had before was written since.
    const value = now.get(to) ?? stored[from]
    if (value) now.set(to, valueRenamed(was[name], is[name], value))
  }
  return Object.fromEntries(now)
}

function isTangled(was: DeclaredAttribute, is: DeclaredAttribute | undefined): boolean {
  const { elements, members } = insideBoth(was, is)
  if (elements) return isTangled(...elements)
  if (!members) return false
  const { kept, tangled } = renamingOf(...members)
  return tangled.length > 0 || kept.some(({ name }) => isTangled(members[0][name]!, members[1][name]))
}

/** Where the members lie that both declarations have, and the names under which one of them lay and another is to lie. */
function renamingOf(was: DeclaredAttributes, is: DeclaredAttributes) {
  const isKept = (name: string) => Object.hasOwn(was, name) && Object.hasOwn(is, name)
  const nameUnder = new Map(Object.keys(was).map(name => [storedIn(was, name), name]))
  const isTaken = (name: string) => {
    const other = nameUnder.get(storedIn(is, name))
    return other !== undefined && other !== name && (isKept(name) || isKept(other))
  }
  const names = Object.keys(is)
  return {
    kept: names.filter(isKept).map(name => ({ name, from: storedIn(was, name), to: storedIn(is, name) })),
    tangled: names.filter(isTaken).map(name => storedIn(is, name)),
  }
}

const storedIn = (members: DeclaredAttributes, name: string): string => members[name]!.storedAs ?? name
