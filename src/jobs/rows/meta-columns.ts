import type { Layout } from '../../layout/layout.js'
import { type DeclaredType, storedSlots } from '../../layout/slots.js'

/** The columns of a row for its type and its tenant. Attribute names cannot begin with `$`. */
export interface MetaColumns {
  readonly type: string
  readonly tenant: string
}

/** Returns `type` and `tenant`, or `$type` and `$tenant` if the graph uses these names. */
export function metaColumnsOf({ graph }: Layout): MetaColumns {
  const { nodes, edges } = graph.declared
  const usedNames = new Set([...nodes, ...edges].flatMap(columnNamesOf))
  const toFreeName = (name: string) => (usedNames.has(name) ? `$${name}` : name)
  return { type: toFreeName('type'), tenant: toFreeName('tenant') }
}

function columnNamesOf(type: DeclaredType): string[] {
  const carried = type.kind === 'edge' ? type.carry.map(({ copyName }) => copyName) : []
  return [...storedSlots(type).map(slot => slot.split('.')[0]!), ...carried]
}
