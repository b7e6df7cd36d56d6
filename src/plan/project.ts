import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { TENANT_SLOT } from '../layout/slots.js'
import { identityMembers, membersNamed } from './members.js'
import type { Place } from './partition.js'
import { traitsOf } from './write-traits.js'

/** The stored attributes that rows with only these members need: keys and marks tell what they are, and if they are there. */
export function projected(layout: Layout, kind: Kind, only: readonly string[], place?: Place): string[] {
  const { names, design } = layout
  const { type, told } = kind
  const members = [...identityMembers(type), ...only.flatMap(name => membersNamed(type, name))]
  const slots = [...(design.tenant ? [TENANT_SLOT] : []), ...members.map(({ slot }) => slot)]
  const attributes = [
    ...names.keys,
    names.type,
    ...(place ? [...place.partition, ...place.sort] : []),
    ...(traitsOf(layout, type.name).timed ? [names.expires] : []),
    ...(type.kind === 'node' ? [names.going] : []),
    ...slots.filter(slot => !told.has(slot)).map(slot => names.of(type, slot)),
  ]
  return [...new Set(attributes)]
}
