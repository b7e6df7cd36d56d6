import type { Item } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { referencesOf } from '../layout/members.js'
import { type DeclaredType, identityOf } from '../layout/slots.js'
import type { DeclaredNode } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { readBoth, typeIn } from './backfill-item.js'

/** A part of an identity, and the type whose attribute it is. */
interface Part {
  readonly slot: string
  readonly of: DeclaredType
  readonly attribute: string
}

function partsOf(type: DeclaredType): Part[] {
  const own = type.kind === 'edge' ? type.key : type.id
  return [...referredParts(type), ...own.map(attribute => ({ slot: attribute, of: type, attribute }))]
}

function referredParts(type: DeclaredType): Part[] {
  return referencesOf(type).flatMap(({ name, node }) => {
    const parts = partsOf(node)
    return parts.map(part => ({ ...part, slot: parts.length === 1 ? name : `${name}.${part.slot}` }))
  })
}

/**
 * What of a reference is stored as before and would be taken for something else: an id of one part is known by the name
 * of the end or the owner, whichever attribute it is of, and of whichever node.
 */
export function mistakenIn(was: DeclaredType, type: DeclaredType): string | undefined {
  for (const { name, node } of referencesOf(type)) {
    const before = referencesOf(was).find(each => each.name === name)?.node
    if (before && before.name !== node.name)
      return `${type.name}.${name} is the id of a ${before.name}, and would be taken for that of a ${node.name}`
  }
  const old = new Map(referredParts(was).map(part => [part.slot, part]))
  for (const { slot, of, attribute } of referredParts(type)) {
    const before = old.get(slot)
    if (!before || before.of.name !== of.name || before.attribute === attribute) continue
    if (before.attribute in (of as DeclaredNode).attributes || attribute in before.of.attributes)
      return `${type.name}.${slot} is the ${before.attribute} of a ${of.name}, whose id is its ${attribute} now`
  }
  return undefined
}

/** Whether items of a type may lack what they are told by under another layout. */
export const isToldOtherwise = (was: DeclaredType, type: DeclaredType): boolean =>
  identityOf(type).some(slot => !identityOf(was).includes(slot))

/** Refuses an item that does not say by what the new layout tells it from others. */
export function checkTold(before: Layout, after: Layout, item: Item): void {
  const { type: was, values } = readBoth(before, after, item)!
  const type = typeIn(after, was.name)!
  for (const slot of identityOf(type))
    if (!values[slot])
      throw new GraphError('key.missing', `it has no ${type.name}.${slot}`, { path: `${type.name}.${slot}` })
}
