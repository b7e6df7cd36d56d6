import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { isRowBound } from '../layout/row-bindings.js'
import { type DeclaredType, TENANT_SLOT } from '../layout/slots.js'
import { identityMembers, type Member, membersNamed, membersOf } from './members.js'
import type { Place } from './partition.js'
import { traitsOf } from './write-traits.js'

/** Carried copies that are encrypted belong to the nodes at the ends, whose ids identify them. */
const boundTo = (type: DeclaredType, only: readonly string[]): readonly Member[] =>
  membersOf(type).filter(({ referred }) => referred && only.some(name => membersNamed(type, name).some(isBoundMember)))

const isBoundMember = ({ attribute }: Member) => isRowBound(attribute)

/** The stored attributes that rows with only these members need: keys and marks tell what they are, and if they are there. */
export function projected(layout: Layout, kind: Kind, only: readonly string[], place?: Place): string[] {
  const { names, design } = layout
  const { type, told } = kind
  const members = [...identityMembers(type), ...boundTo(type, only), ...only.flatMap(name => membersNamed(type, name))]
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
