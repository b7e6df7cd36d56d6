import { isRowBound } from '../../layout/items/row-bindings.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { type DeclaredType, TENANT_SLOT } from '../../layout/slots.js'
import { identityMembers, membersByName, membersOf, type RowMember } from '../members.js'
import { traitsOf } from '../type-traits.js'
import type { QueryTarget } from './partition.js'

/** Encrypted carried copies are bound to the nodes at the ends, whose ids identify them. */
const bindingMembersOf = (type: DeclaredType, only: readonly string[]): readonly RowMember[] =>
  membersOf(type).filter(
    ({ isReference }) => isReference && only.some(name => membersByName(type, name).some(isBoundMember)),
  )

const isBoundMember = ({ attribute }: RowMember) => isRowBound(attribute)

/**
 * The stored attributes needed for rows with only these members: keys and type marks identify the item, and expiry
 * and deletion marks show whether it is live.
 */
export function projectedNamesOf(layout: Layout, kind: Kind, only: readonly string[], target?: QueryTarget): string[] {
  const { names, design } = layout
  const { type, slotsInKey } = kind
  const members = [
    ...identityMembers(type),
    ...bindingMembersOf(type, only),
    ...only.flatMap(name => membersByName(type, name)),
  ]
  const slots = [...(design.tenant ? [TENANT_SLOT] : []), ...members.map(({ slot }) => slot)]
  const attributes = [
    ...names.keys,
    names.type,
    ...(target ? [...target.partition, ...target.sort] : []),
    ...(traitsOf(layout, type.name).expiryName ? [names.expires] : []),
    ...(type.kind === 'node' ? [names.deletionMark] : []),
    ...slots.filter(slot => !slotsInKey.has(slot)).map(slot => names.attributeOf(type, slot)),
  ]
  return [...new Set(attributes)]
}
