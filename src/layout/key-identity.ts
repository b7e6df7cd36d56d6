import { endNamed } from '../schema/ends.js'
import { refuse } from '../schema/refusal.js'
import { type Kind, ownSlots } from './kinds.js'
import { membersOf } from './members.js'
import type { Names } from './names.js'
import { identityOf, partSlots, referenceSlots } from './slots.js'

/** What a key of the table must tell: a second item under the same key would take the place of the first. */
function toldBy({ role, type, of }: Kind): readonly string[] {
  if (type.kind === 'edge') {
    const one = endNamed(type, type.one)
    return one ? referenceSlots(one) : identityOf(type)
  }
  // A sentinel stands for a value, whoever has it.
  return role === 'unique'
    ? [of!]
    : [...identityOf(type), ...partSlots(type, type.paths.find(({ name }) => name === of)?.in ?? [])]
}

/** Refuses keys that leave out what tells one item from another, or need more than that to be found, or that a mark is. */
export function checkIdentity(kinds: readonly Kind[], names: Names): void {
  for (const kind of kinds) {
    const { name, role, type, of, keys } = kind
    for (const [mark, text] of Object.entries({ ...kind.marks, [names.type]: kind.mark })) {
      const isKey = Object.hasOwn(keys, mark) && keys[mark]!.source !== text
      refuse(type.name, isKey, 'layout.name', mark, `'${mark}' is a key, which is not '${text}': rename one`)
    }
    const slots = ownSlots(kind, names)
    const told = toldBy(kind)
    // A mirror and a facet are found by what sorts them too.
    const known = role === 'unique' ? told : of ? slots : identityOf(type)
    const lost = told.find(slot => !slots.includes(slot))
    const slot = lost ?? membersOf(type).find(each => slots.includes(each.slot) && !known.includes(each.slot))?.slot
    refuse(
      type.name,
      slot,
      'key.identity',
      slot!,
      `${lost ? `put {${slot}}, which tells one from another, into` : `leave {${slot}} out of`} the key of ${name}`,
    )
  }
}
