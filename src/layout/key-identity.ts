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
  if (role === 'unique') return []
  if (type.kind === 'node') return [...idSlots(type), ...(type.paths.find(({ name }) => name === of)?.in ?? [])]
  const one = type.ends.find(({ name }) => name === type.one)
  return one ? referenceSlots(one.name, one.node) : identityOf(type)
}

/** Refuses keys that leave out what tells one item from another, or need more than that to be found. */
export function checkIdentity(kinds: readonly Kind[], { partition, sort }: Names): void {
  for (const kind of kinds) {
    const { name, type, of, keys } = kind
    const slots = [...keys[partition]!.slots, ...keys[sort]!.slots].map(slot => slot.name)
    const known = [...identityOf(type), TENANT_SLOT, SHARD_SLOT]
    const lost = toldBy(kind).find(slot => !slots.includes(slot))
    const slot = lost ?? (of === undefined ? slots.find(each => !known.includes(each)) : undefined)
    if (slot !== undefined)
      throw new GraphError(
        'key.identity',
        `${name}: ${lost ? `put {${slot}}, which tells one from another, into` : `leave {${slot}} out of`} its key`,
        { type: type.name, name: slot },
      )
  }
}
