import { type DerivationContext, keyTextOf, readCurrentItems } from '../../derive/settle/context.js'
import { type ParsedItem, toIdentityItem } from '../../derive/settle/side-items.js'
import { deleteOrphan } from '../../graph/run/delete-node.js'
import { RequestSender } from '../../graph/run/request-sender.js'
import { tenantOf } from '../../plan/identity.js'
import { rowOf } from '../../plan/row.js'
import { traitsOf } from '../../plan/type-traits.js'
import { endNodeOf } from '../../plan/write/effects/item-write.js'
import { toIdentityChange } from '../../plan/write/intent/row-change.js'
import type { DeclaredNode } from '../../schema/declarations.js'
import { nodeIdOf } from '../backfill/own-items.js'
import { faultRowOf, type VerifyFault } from './fault.js'

/**
 * Finds an owned node whose owner does not exist, unless it is declared to remain. The repair deletes it if it is
 * declared to be deleted with its owner; otherwise a person must decide.
 */
export async function findOwnerFaults(
  derivation: DerivationContext,
  { kind, item, values }: ParsedItem,
): Promise<VerifyFault[]> {
  const { layout } = derivation.context
  const type = kind.type as DeclaredNode
  const { within, onDelete } = type
  if (!within || onDelete === 'leave') return []
  const { key } = endNodeOf(layout, { name: within.name, node: within }, values)
  const itemsByKey = await readCurrentItems(derivation, [key])
  if (itemsByKey.has(keyTextOf(derivation, key))) return []
  const repair = onDelete === 'cascade' ? () => deleteOrphanNode(derivation, type, { kind, item, values }) : undefined
  return [{ code: 'owner.missing', type: type.name, row: faultRowOf(layout, kind, item), name: within.name, repair }]
}

async function deleteOrphanNode(
  { context }: DerivationContext,
  type: DeclaredNode,
  { kind, item, values }: ParsedItem,
): Promise<void> {
  const { layout, environment } = context
  const tenant = tenantOf(layout, values)
  const identityItem = toIdentityItem(layout, type, item)
  const options = { environment: environment, ...(tenant !== undefined && { tenant }) }
  const ownerId = (rowOf(layout, kind, identityItem) as Readonly<Record<string, unknown>>)[type.within!.name]
  const owner = toIdentityChange(traitsOf(layout, type.within!.name), 'absent', ownerId, options)
  const sender = new RequestSender({ ...context, tenant }, {}, false)
  await deleteOrphan(sender, { type, id: nodeIdOf(layout, type, identityItem) }, options, owner)
}
