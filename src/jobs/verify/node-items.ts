import { type DerivationContext, readCurrentItem, readCurrentItems } from '../../derive/settle/context.js'
import { hasKnownKind, parseItem } from '../../derive/settle/side-items.js'
import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import type { QueryInput } from '../../dynamodb/operation-types.js'
import { encodeIdentity, keyOfItem, ownKindOf, tableKeyOf, tenantValues, typeByName } from '../../plan/identity.js'
import { planPath } from '../../plan/read/path.js'
import type { DeclaredEdge, DeclaredNode } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { hasConsistentReads } from '../backfill/derived-data.js'
import { ownerKeyOf } from './orphans.js'

export function readNodeItem(
  derivation: DerivationContext,
  name: string,
  id: unknown,
  tenant: string | undefined,
): Promise<Item | undefined> {
  const { layout } = derivation.context
  const type = typeByName(layout, name)
  if (type.kind !== 'node')
    throw new GraphError(
      'call.argument',
      `type: '${name}' is an edge, but 'id' requires a node; use a node, or leave 'id' out.`,
      { type: name },
    )
  return readCurrentItem(
    derivation,
    tableKeyOf(layout, ownKindOf(layout, type), { ...encodeIdentity(type, id), ...tenantValues(tenant) }),
  )
}

/** Reads the items of a node's edges, by every path from the node. */
export async function* readItemsOfNode(
  derivation: DerivationContext,
  name: string,
  id: unknown,
  tenant: string | undefined,
): AsyncGenerator<Item[]> {
  const { layout, store } = derivation.context
  const node = typeByName(layout, name) as DeclaredNode
  const paths = layout.accesses.filter(
    ({ type, name: end }) =>
      type.kind === 'edge' && type.ends.some(candidate => candidate.name === end && candidate.node === node),
  )
  for (const { type, name: path } of paths) {
    const consistent = hasConsistentReads(layout, type as DeclaredEdge, path) ?? false
    const { steps } = planPath(layout, { type: type.name, path, start: id, tenant, consistent })
    for (const { request } of steps.filter(step => step.request.operation === 'query')) {
      let startKey: Record<string, AttributeValue> | undefined
      do {
        const { Items = [], LastEvaluatedKey } = await store.query({
          ...(request.input as unknown as QueryInput),
          ...(startKey && { ExclusiveStartKey: startKey }),
        })
        // An index may lag and may not project the whole item, so read items by key.
        const itemsByKey = await readCurrentItems(
          derivation,
          Items.map(item => keyOfItem(layout.names, item)),
        )
        // Copies and counters are checked from the edge's own item.
        const ownerKeys = [...itemsByKey.values()].flatMap(item => {
          const side = hasKnownKind(layout, item) ? parseItem(layout, item) : undefined
          const ownerItemKey = side?.kind.role === 'mirror' ? ownerKeyOf(derivation, side.kind, side.values) : undefined
          return ownerItemKey ? [ownerItemKey] : []
        })
        yield [...new Map([...itemsByKey, ...(await readCurrentItems(derivation, ownerKeys))]).values()]
        startKey = LastEvaluatedKey
      } while (startKey)
    }
  }
}
