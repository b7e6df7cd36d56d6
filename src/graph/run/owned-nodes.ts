import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { identitySlotsOf } from '../../layout/slots.js'
import { accessByName, keyOfItem, ownKindOf, tableKeyOf, uniqueKeyTextOf } from '../../plan/identity.js'
import type { Plan } from '../../plan/plan.js'
import type { Sizes } from '../../plan/price/read-price.js'
import type { ReadResponse } from '../../plan/read/entries.js'
import { planPath } from '../../plan/read/path.js'
import { rowOf, valuesOf } from '../../plan/row.js'
import type { DeclaredNode } from '../../schema/declarations.js'
import type { Context } from '../context.js'
import { readItemsByKey } from './read-items.js'
import type { RequestSender } from './request-sender.js'

/** The item of an owned node, and the id that calls accept. */
export interface OwnedNode {
  readonly item: Item
  readonly id: unknown
}

/** Whether owned nodes of a type can be found by strongly consistent reads. */
export const canFindConsistently = ({ layout }: Context, { name, within }: DeclaredNode): boolean =>
  accessByName(layout, name, within!.name).consistent

/** Plans reading the owned nodes of a type. */
export function planOwnedNodes(
  context: Context,
  { name: type, within }: DeclaredNode,
  owner: unknown,
  sizes?: Sizes,
): Plan {
  const { layout, tenant } = context
  const path = within!.name
  const { consistent } = accessByName(layout, type, path)
  return planPath(layout, { type, path, start: owner, consistent, tenant, sizes })
}

/**
 * Reads the owned nodes of a type, page by page. The pages include nodes that are expired or being deleted, because
 * no call would find them after the owner is gone.
 */
export async function* readOwnedNodes(
  sender: RequestSender,
  type: DeclaredNode,
  owner: unknown,
): AsyncGenerator<OwnedNode[]> {
  const { layout } = sender.context
  const consistent = canFindConsistently(sender.context, type)
  for (const { request } of planOwnedNodes(sender.context, type, owner).steps) {
    if (request.operation !== 'query') continue
    let startKey: Key | undefined
    do {
      const input = { ...request.input, ...(startKey && { ExclusiveStartKey: startKey }) }
      const { Items = [], LastEvaluatedKey } = (await sender.send({ operation: 'query', input })) as ReadResponse
      // An index may still contain deleted items, and may project only some attributes.
      const keys = Items.map(item => keyOfItem(layout.names, item))
      const items = consistent ? Items : [...(await readItemsByKey(sender, layout, keys)).values()]
      yield items.flatMap(item => toOwnedNode(sender.context, type, item) ?? [])
      startKey = LastEvaluatedKey
    } while (startKey)
  }
}

/**
 * Converts an item to an owned node. Returns undefined for an item of another type, and for an item of another
 * program under a key that this type never has.
 */
function toOwnedNode({ layout }: Context, type: DeclaredNode, item: Item): OwnedNode | undefined {
  const { names } = layout
  const kind = ownKindOf(layout, type)
  if (item[names.type]?.S !== kind.typeMark) return undefined
  if (uniqueKeyTextOf(layout, tableKeyOf(layout, kind, valuesOf(layout, kind, item))) !== uniqueKeyTextOf(layout, item))
    return undefined
  // Other attributes may be unreadable, which must not prevent the deletion.
  const otherNames = Object.keys(type.attributes).filter(name => !identitySlotsOf(type).includes(name))
  const otherStoredNames = new Set(otherNames.map(name => names.attributeOf(type, name)))
  const identityItem = Object.fromEntries(Object.entries(item).filter(([name]) => !otherStoredNames.has(name)))
  return { item, id: rowOf(layout, kind, identityItem) }
}
