import type { Layout } from '../../layout/layout.js'
import { type DeclaredType, storedSlots } from '../../layout/slots.js'

/** Members of a row beside its own: which type it is of, and whose it is. No attribute begins with `$`. */
export interface Marks {
  readonly type: string
  readonly tenant: string
}

/** `type` and `tenant`, unless the graph has attributes or ends of these names. */
export function marksOf({ graph }: Layout): Marks {
  const { nodes, edges } = graph.declared
  const taken = new Set([...nodes, ...edges].flatMap(namesOf))
  const free = (name: string) => (taken.has(name) ? `$${name}` : name)
  return { type: free('type'), tenant: free('tenant') }
}

function namesOf(type: DeclaredType): string[] {
  const carried = type.kind === 'edge' ? type.carry.map(({ as }) => as) : []
  return [...storedSlots(type).map(slot => slot.split('.')[0]!), ...carried]
}
