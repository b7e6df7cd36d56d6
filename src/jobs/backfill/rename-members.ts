import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { membersOf } from '../../layout/row-members.js'
import type { DeclaredType } from '../../layout/slots.js'
import type { DeclaredAttribute, DeclaredAttributes } from '../../schema/declarations.js'
import { mapValues } from '../../schema/map-values.js'

/** Renames members inside stored values to the names of the new declaration. */
export function renameMembersInValues(
  oldType: DeclaredType,
  type: DeclaredType,
  values: Readonly<Record<string, AttributeValue>>,
): Record<string, AttributeValue> {
  const [oldAttributes, newAttributes] = [oldType, type].map(attributesBySlot) as [Attributes, Attributes]
  return mapValues(values, (value, slot) =>
    renameMembersInValue(oldAttributes.get(slot), newAttributes.get(slot), value),
  )
}

/** Whether a member takes the old name of another member, so that a stored value does not show which one it holds. */
export function hasSwappedMembers(oldType: DeclaredType, type: DeclaredType): boolean {
  const newAttributes = attributesBySlot(type)
  return [...attributesBySlot(oldType)].some(([slot, attribute]) =>
    hasSwappedNamesWithin(attribute, newAttributes.get(slot)),
  )
}

type Attributes = ReadonlyMap<string, DeclaredAttribute>

const attributesBySlot = (type: DeclaredType): Attributes =>
  new Map(membersOf(type).map(({ slot, attribute }) => [slot, attribute]))

/** Unwraps mapped attributes to the stored one. */
const unwrapMapped = (attribute: DeclaredAttribute | undefined): DeclaredAttribute | undefined =>
  attribute?.mapped ? unwrapMapped(attribute.mapped.inner) : attribute

/** Returns the members that both declarations have. */
function nestedDeclarationsOf(
  oldAttribute: DeclaredAttribute | undefined,
  newAttribute: DeclaredAttribute | undefined,
) {
  const [oldUnwrapped, newUnwrapped] = [oldAttribute, newAttribute].map(unwrapMapped)
  if (!oldUnwrapped || oldUnwrapped.kind !== newUnwrapped?.kind) return {}
  return {
    elements: oldUnwrapped.element && newUnwrapped.element && ([oldUnwrapped.element, newUnwrapped.element] as const),
    members: oldUnwrapped.members && newUnwrapped.members && ([oldUnwrapped.members, newUnwrapped.members] as const),
    isEntries: oldUnwrapped.kind === 'embedded',
  }
}

export function renameMembersInValue(
  oldAttribute: DeclaredAttribute | undefined,
  newAttribute: DeclaredAttribute | undefined,
  value: AttributeValue,
): AttributeValue {
  const { elements, members, isEntries } = nestedDeclarationsOf(oldAttribute, newAttribute)
  if (elements && value.L) return { L: value.L.map(element => renameMembersInValue(...elements, element)) }
  if (!members || !value.M) return value
  const renameEntry = (element: AttributeValue) => (element.M ? { M: renameMembers(...members, element.M) } : element)
  return isEntries ? { M: mapValues(value.M, renameEntry) } : renameEntry(value)
}

function renameMembers(oldMembers: DeclaredAttributes, newMembers: DeclaredAttributes, stored: Item): Item {
  const { shared, swapped } = memberRenamesOf(oldMembers, newMembers)
  const renamed = new Map(Object.entries(stored))
  for (const { from, to } of shared) if (from !== to) renamed.delete(from)
  for (const name of swapped) renamed.delete(name)
  for (const { name, from, to } of shared) {
    // A value under a name that is new was written with the new layout.
    const value = renamed.get(to) ?? stored[from]
    if (value) renamed.set(to, renameMembersInValue(oldMembers[name], newMembers[name], value))
  }
  return Object.fromEntries(renamed)
}

function hasSwappedNamesWithin(oldAttribute: DeclaredAttribute, newAttribute: DeclaredAttribute | undefined): boolean {
  const { elements, members } = nestedDeclarationsOf(oldAttribute, newAttribute)
  if (elements) return hasSwappedNamesWithin(...elements)
  if (!members) return false
  const { shared, swapped } = memberRenamesOf(...members)
  return swapped.length > 0 || shared.some(({ name }) => hasSwappedNamesWithin(members[0][name]!, members[1][name]))
}

/** Returns the old and new stored names of shared members, and the names that one member takes over from another. */
function memberRenamesOf(oldMembers: DeclaredAttributes, newMembers: DeclaredAttributes) {
  const isShared = (name: string) => Object.hasOwn(oldMembers, name) && Object.hasOwn(newMembers, name)
  const oldNameByStored = new Map(Object.keys(oldMembers).map(name => [storedNameOf(oldMembers, name), name]))
  const isSwapped = (name: string) => {
    const other = oldNameByStored.get(storedNameOf(newMembers, name))
    return other !== undefined && other !== name && (isShared(name) || isShared(other))
  }
  const names = Object.keys(newMembers)
  return {
    shared: names
      .filter(isShared)
      .map(name => ({ name, from: storedNameOf(oldMembers, name), to: storedNameOf(newMembers, name) })),
    swapped: names.filter(isSwapped).map(name => storedNameOf(newMembers, name)),
  }
}

const storedNameOf = (members: DeclaredAttributes, name: string): string => members[name]!.storedAs ?? name
