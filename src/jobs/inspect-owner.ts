import { type Deriving, itemsAt, textOf } from '../derive/deriving.js'
import { identifying, type Seen } from '../derive/sides.js'
import { deleteOrphan } from '../graph/cascade.js'
import { Sending } from '../graph/sending.js'
import { endOf } from '../plan/change-part.js'
import { tenantOf } from '../plan/identity.js'
import { rowOf } from '../plan/row.js'
import { givenIdentity } from '../plan/write-given.js'
import { traitsOf } from '../plan/write-traits.js'
import type { DeclaredNode } from '../schema/declared.js'
import { idOf } from './backfill-item.js'
import { type Fault, rowIn } from './fault.js'

/**
 * An owned node without its owner, unless it is declared to be left. It is deleted by a repair where it is declared to go
 * with its owner; otherwise a person decides.
 */
export async function ownerFaults(deriving: Deriving, { kind, item, values }: Seen): Promise<Fault[]> {
  const { layout } = deriving.context
  const type = kind.type as DeclaredNode
  const { within, onDelete } = type
  if (!within || onDelete === 'leave') return []
  const { key } = endOf(layout, { name: within.name, node: within }, values)
  const owners = await itemsAt(deriving, [key])
  if (owners.has(textOf(deriving, key))) return []
  const mend = onDelete === 'cascade' ? () => deleteOrphaned(deriving, type, { kind, item, values }) : undefined
  return [{ code: 'owner.missing', type: type.name, row: rowIn(layout, kind, item), name: within.name, mend }]
}

async function deleteOrphaned({ context }: Deriving, type: DeclaredNode, { kind, item, values }: Seen): Promise<void> {
  const { layout, surroundings } = context
  const tenant = tenantOf(layout, values)
  const bare = identifying(layout, type, item)
  const options = { surroundings, ...(tenant !== undefined && { tenant }) }
  const ownerId = (rowOf(layout, kind, bare) as Readonly<Record<string, unknown>>)[type.within!.name]
  const owner = givenIdentity(traitsOf(layout, type.within!.name), 'absent', ownerId, options)
  const sending = new Sending({ ...context, tenant }, {}, false)
  await deleteOrphan(sending, { type, id: idOf(layout, type, bare) }, options, owner)
}
