import { type Deriving, itemAt, itemsAt } from '../derive/deriving.js'
import { isReadable, seen } from '../derive/sides.js'
import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { QueryRequest } from '../dynamodb/operations/reads.js'
import { identityValues, keyOf, ownKind, tableKey, tenantValues, typeOf } from '../plan/identity.js'
import { planPath } from '../plan/read-path.js'
import type { DeclaredEdge, DeclaredNode } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { isConsistent } from './backfill-derived.js'
import { ownerKey } from './inspect-orphan.js'

export function nodeItem(
  deriving: Deriving,
  name: string,
  id: unknown,
  tenant: string | undefined,
): Promise<Item | undefined> {
  const { layout } = deriving.context
  const type = typeOf(layout, name)
  if (type.kind !== 'node')
    throw new GraphError('call.given', `${name} is an edge: give a node, or the type alone`, { type: name })
  return itemAt(
    deriving,
    tableKey(layout, ownKind(layout, type), { ...identityValues(type, id), ...tenantValues(tenant) }),
  )
}

/** The items of a node's edges, by every path that finds them from it. */
export async function* itemsOfNode(
  deriving: Deriving,
  name: string,
  given: unknown,
  tenant: string | undefined,
): AsyncGenerator<Item[]> {
  const { layout, store } = deriving.context
  const node = typeOf(layout, name) as DeclaredNode
  const paths = layout.accesses.filter(
    ({ type, name: end }) => type.kind === 'edge' && type.ends.some(each => each.name === end && each.node === node),
  )
  for (const { type, name: path } of paths) {
    const consistent = isConsistent(layout, type as DeclaredEdge, path) ?? false
    const { steps } = planPath(layout, { type: type.name, path, given, tenant, consistent })
    for (const { request } of steps.filter(step => step.request.operation === 'query')) {
      let from: Record<string, AttributeValue> | undefined
      do {
        const { Items = [], LastEvaluatedKey } = await store.query({
          ...(request.input as unknown as QueryRequest),
          ...(from && { ExclusiveStartKey: from }),
        })
        // An index may lag, and have less than the item.
        const found = await itemsAt(
          deriving,
          Items.map(item => keyOf(layout.names, item)),
        )
        // What is copied and counted is looked at from the edge's own item.
        const owners = [...found.values()].flatMap(item => {
          const side = isReadable(layout, item) ? seen(layout, item) : undefined
          const owner = side?.kind.role === 'mirror' ? ownerKey(deriving, side.kind, side.values) : undefined
          return owner ? [owner] : []
        })
        yield [...new Map([...found, ...(await itemsAt(deriving, owners))]).values()]
        from = LastEvaluatedKey
      } while (from)
    }
  }
}
