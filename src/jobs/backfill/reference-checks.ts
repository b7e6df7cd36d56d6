import type { Item } from '../../dynamodb/attribute-value.js'
import type { Layout } from '../../layout/layout.js'
import { referencesOf } from '../../layout/row-members.js'
import { type DeclaredType, identitySlotsOf } from '../../layout/slots.js'
import type { DeclaredNode } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { parseWithBoth } from './item.js'
import { findType } from './own-items.js'

/** A slot of an identity, with the type that declares its attribute. */
interface IdentityPart {
  readonly slot: string
  readonly of: DeclaredType
  readonly attribute: string
}

function identityPartsOf(type: DeclaredType): IdentityPart[] {
  const own = type.kind === 'edge' ? type.key : type.id
  return [...referencedPartsOf(type), ...own.map(attribute => ({ slot: attribute, of: type, attribute }))]
}

function referencedPartsOf(type: DeclaredType): IdentityPart[] {
  return referencesOf(type).flatMap(({ name, node }) => {
    const parts = identityPartsOf(node)
    return parts.map(part => ({ ...part, slot: parts.length === 1 ? name : `${name}.${part.slot}` }))
  })
}

/**
 * Returns references that would be misread: a single-part id is stored under the name of the end or the owner,
 * whichever attribute and node type it refers to.
 */
export function findMistakenReference(oldType: DeclaredType, newType: DeclaredType): string | undefined {
  for (const { name, node } of referencesOf(newType)) {
    const previous = referencesOf(oldType).find(reference => reference.name === name)?.node
    if (previous && previous.name !== node.name)
      return `${newType.name}.${name}: the stored value is the id of a ${previous.name}, and would be taken for that of a ${node.name}; give the end or owner another name.`
  }
  const oldParts = new Map(referencedPartsOf(oldType).map(part => [part.slot, part]))
  for (const { slot, of, attribute } of referencedPartsOf(newType)) {
    const previous = oldParts.get(slot)
    if (!previous || previous.of.name !== of.name || previous.attribute === attribute) continue
    if (previous.attribute in (of as DeclaredNode).attributes || attribute in previous.of.attributes)
      return `${newType.name}.${slot}: the stored value is the ${previous.attribute} of a ${of.name}, whose id is its ${attribute} now; give the end or owner another name.`
  }
  return undefined
}

/** Whether items of a type may lack part of their identity under another layout. */
export const hasNewIdentity = (oldType: DeclaredType, type: DeclaredType): boolean =>
  identitySlotsOf(type).some(slot => !identitySlotsOf(oldType).includes(slot))

/** Throws if an item lacks a slot of its identity under the new layout. */
export function assertIdentityPresent(oldLayout: Layout, newLayout: Layout, item: Item): void {
  const { type: oldType, values } = parseWithBoth(oldLayout, newLayout, item)!
  const type = findType(newLayout, oldType.name)!
  for (const slot of identitySlotsOf(type))
    if (!values[slot])
      throw new GraphError(
        'key.missing',
        `${type.name}.${slot}: a stored item lacks this value; put or delete the item.`,
        { path: `${type.name}.${slot}` },
      )
}
