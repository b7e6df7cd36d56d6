import { GraphError } from '../schema/error.js'
import type { Kind } from './kinds.js'
import type { Names } from './names.js'
import { type DeclaredType, idSlots, referenceSlots, SHARD_SLOT, TENANT_SLOT } from './slots.js'

/** What tells one of a type from all others. */
export function identityOf(type: DeclaredType): string[] {
  return type.kind === 'node'
    ? idSlots(type)
    : [...type.ends.flatMap(({ name, node }) => referenceSlots(name, node)), ...type.key]
}

/** What a key of the table must tell: a second item under the same key would take the place of the first. */
function toldBy({ role, type, of }: Kind): readonly string[] {
  if (type.kind === 'edge')
    return identityOf({
      ...type,
      ...(type.one !== undefined && { ends: type.ends.filter(({ name }) => name === type.one) as never, key: [] }),
    })
  if (role === 'unique') return [of!]
  return role === 'node' ? idSlots(type) : [...idSlots(type), ...type.paths.find(({ name }) => name === of)!.in]
}

/** Refuses keys that leave out what tells one item from another, or need more than that to be found. */
export function checkIdentity(kinds: readonly Kind[], { partition, sort }: Names): void {
  for (const kind of kinds) {
    const { name, role, type, keys } = kind
    const slots = [...keys[partition]!.slots, ...keys[sort]!.slots].map(slot => slot.name)
    const known = [...identityOf(type), TENANT_SLOT, SHARD_SLOT]
    const lost = toldBy(kind).find(slot => !slots.includes(slot))
    const more = role === 'node' || role === 'edge' ? slots.find(slot => !known.includes(slot)) : undefined
    const slot = lost ?? more
    if (slot === undefined) continue
    const fault = lost === undefined ? `is not of its identity: leave it out of` : `tells one from another: put it into`
    throw new GraphError('key.identity', `${name}: {${slot}} ${fault} its key ${partition}, ${sort}`, {
      type: type.name,
      name: slot,
    })
  }
}
