import { contextOf } from '../../graph/open.js'
import { encodeIdentity, ownKindOf, tableKeyOf, tenantValues, typeByName } from '../../plan/identity.js'
import { type SummaryStamp, stampIn } from './stamp.js'

/**
 * Reads the times at which the summaries of a node or an edge were computed, and the moments of their data, by attribute.
 * The stamp of a summary is that of the run that changed it last.
 *
 * @throws {read.path} if the graph has no type of this name.
 * @example
 * ```ts
 * import { graph, node, open, string, summary } from 'edgewise'
 * import { summaryStamps } from 'edgewise/batch'
 * import { memory } from 'edgewise/engine'
 *
 * const user = node('user', { id: string(), rank: summary() }, { id: 'id' })
 * const g = await open(graph('social', [user]), memory())
 * const { rank } = await summaryStamps(g, 'user', 'ann')
 * console.log(rank)
 * ```
 */
export async function summaryStamps(
  opened: object,
  type: string,
  id: unknown,
  tenant?: string,
): Promise<Readonly<Record<string, SummaryStamp>>> {
  const { layout, store } = contextOf(opened)
  const declared = typeByName(layout, type)
  const values = { ...encodeIdentity(declared, id), ...tenantValues(tenant) }
  const Key = tableKeyOf(layout, ownKindOf(layout, declared), values)
  const { Item = {} } = await store.getItem({ TableName: layout.design.name, Key })
  const names = Object.keys(declared.attributes).filter(name => declared.attributes[name]!.kind === 'summary')
  const stamps = names.flatMap(name => {
    const stamp = stampIn(Item, layout.names.attributeOf(declared, name))
    return stamp ? [[name, stamp] as const] : []
  })
  return Object.fromEntries(stamps)
}
