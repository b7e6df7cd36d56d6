import { rejectDeclarationIf } from '../../schema/checks/assertions.js'
import { findEnd } from '../../schema/edge/ends.js'
import { type Kind, tableKeySlots } from '../kinds.js'
import { membersOf } from '../row-members.js'
import { identitySlotsOf, partSlots, referenceSlots } from '../slots.js'
import type { StoredNames } from '../stored-names.js'

/** The slots that a table key must contain: without them a second item would overwrite the first. */
function identifyingSlotsOf({ role, type, memberName }: Kind): readonly string[] {
  if (type.kind === 'edge') {
    const end = findEnd(type, type.one)
    return end ? referenceSlots(end) : identitySlotsOf(type)
  }
  // A sentinel represents a value, independent of the node that has it.
  return role === 'unique'
    ? [memberName!]
    : [...identitySlotsOf(type), ...partSlots(type, type.paths.find(({ name }) => name === memberName)?.in ?? [])]
}

/**
 * Rejects table keys that lack a part of the identity or need more than the identity, and keys with the name of a mark.
 */
export function checkKeyIdentity(kinds: readonly Kind[], names: StoredNames): void {
  for (const kind of kinds) {
    const { name, role, type, memberName, keys } = kind
    for (const [attribute, text] of Object.entries({ ...kind.constantAttributes, [names.type]: kind.typeMark })) {
      const isKey = Object.hasOwn(keys, attribute) && keys[attribute]!.source !== text
      rejectDeclarationIf(
        type.name,
        isKey,
        'layout.name',
        attribute,
        `'${attribute}' is a key, so it cannot hold the constant '${text}'; rename one of them.`,
      )
    }
    const slots = tableKeySlots(kind, names)
    const identifyingSlots = identifyingSlotsOf(kind)
    // Mirrors and facets may also contain the slots that they are sorted by.
    const allowedSlots = role === 'unique' ? identifyingSlots : memberName ? slots : identitySlotsOf(type)
    const missingSlot = identifyingSlots.find(slot => !slots.includes(slot))
    const slot =
      missingSlot ??
      membersOf(type).find(candidate => slots.includes(candidate.slot) && !allowedSlots.includes(candidate.slot))?.slot
    rejectDeclarationIf(
      type.name,
      slot,
      'key.identity',
      slot!,
      missingSlot
        ? `the key of ${name} lacks {${slot}}, which is part of its identity; add it to the key.`
        : `the key of ${name} has {${slot}}, which is not part of its identity; remove it from the key.`,
    )
  }
}
