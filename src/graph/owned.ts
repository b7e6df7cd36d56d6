import type { Item, Key } from '../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import { identityOf } from '../layout/slots.js'
import { chunksOf } from '../plan/chunks.js'
import type { Answer } from '../plan/found.js'
import { accessNamed, keyOf, keyText, ownKind, tableKey } from '../plan/identity.js'
import type { Plan } from '../plan/plan.js'
import type { Sizes } from '../plan/price.js'
import { planPath } from '../plan/read-path.js'
import { rowOf, valuesOf } from '../plan/row.js'
import type { DeclaredNode } from '../schema/declared.js'
import type { Context } from './context.js'
import type { Sending } from './sending.js'
import { readBatch } from './writing.js'

/** An owned node as it is stored, and the id by which calls name it. */
export interface OwnedNode {
  readonly item: Item
  readonly id: unknown
}

/** Whether the nodes of a type are found from their owner by reads that miss none. */
export const isFoundConsistently = ({ layout }: Context, { name, within }: DeclaredNode): boolean =>
  accessNamed(layout, name, within!.name).consistent

/** Reads the nodes of a type that a node owns. */
export function ownedPlan(context: Context, { name: type, within }: DeclaredNode, owner: unknown, sizes?: Sizes): Plan {
  const { layout, tenant } = context
  const path = within!.name
  const { consistent } = accessNamed(layout, type, path)
  return planPath(layout, { type, path, given: owner, consistent, tenant, sizes })
}

/**
 * The nodes of a type that a node owns, page by page, also those that are being deleted or have expired: no call would
 * find them after their owner is gone.
 */
export async function* ownedNodes(sending: Sending, type: DeclaredNode, owner: unknown): AsyncGenerator<OwnedNode[]> {
  const consistent = isFoundConsistently(sending.context, type)
  for (const { request } of ownedPlan(sending.context, type, owner).steps) {
    if (request.operation !== 'query') continue
    let from: Key | undefined
    do {
      const input = { ...request.input, ...(from && { ExclusiveStartKey: from }) }
      const { Items = [], LastEvaluatedKey } = (await sending.send({ operation: 'query', input })) as Answer
      // An index may still have what is gone, and need not have all of an item.
      const items = consistent ? Items : await readItems(sending, Items)
      yield items.flatMap(item => ownedNode(sending.context, type, item) ?? [])
      from = LastEvaluatedKey
    } while (from)
  }
}

async function readItems(sending: Sending, items: readonly Item[]): Promise<Item[]> {
  const keys = items.map(item => keyOf(sending.context.layout.names, item))
  const found: Item[] = []
  for (const some of chunksOf(keys, BATCH_GET_KEYS)) found.push(...(await readBatch(sending, some)))
  return found
}

/** Undefined for an item of another type, and for one that another program stored in a place where none of this type is. */
function ownedNode({ layout }: Context, type: DeclaredNode, item: Item): OwnedNode | undefined {
  const { names } = layout
  const kind = ownKind(layout, type)
  if (item[names.type]?.S !== kind.mark) return undefined
  if (keyText(layout, tableKey(layout, kind, valuesOf(layout, kind, item))) !== keyText(layout, item)) return undefined
  // Other attributes may not be readable, which is no reason to keep the node.
  const others = Object.keys(type.attributes).filter(name => !identityOf(type).includes(name))
  const stored = new Set(others.map(name => names.of(type, name)))
  const bare = Object.fromEntries(Object.entries(item).filter(([name]) => !stored.has(name)))
  return { item, id: rowOf(layout, kind, bare) }
}
