import type { Layout } from '../layout/layout.js'
import { idSlots, TENANT_SLOT } from '../layout/slots.js'
import type { Finding } from './findings.js'

/**
 * Paths by an index whose entries do not tell what they stand for: raw keys do not, and the index does not hold it. An
 * entry of a facet leads to no node then, and one of an undirected edge does not say by which end it was found.
 */
export function untoldEntries({ accesses, design, names }: Layout): Finding[] {
  return accesses.flatMap(({ type, name, kind, index }): Finding[] => {
    const { project = 'all', partition = [], sort = [] } = design.indexes.find(each => each.name === index) ?? {}
    const needsThem = kind.role === 'facet' || (type.kind === 'edge' && type.undirected)
    if (project === 'all' || !needsThem) return []
    const held = [...(project === 'keys' ? [] : project), ...partition, ...sort, ...names.keys]
    const lacking = [...(design.tenant ? [TENANT_SLOT] : []), ...idSlots(type)]
      .filter(slot => !kind.told.has(slot))
      .map(slot => names.of(type, slot))
      .filter(attribute => !held.includes(attribute))
    if (lacking.length === 0) return []
    const says = `${type.name}.by.${name} reads the index ${index}, whose entries do not tell ${lacking.join(' and ')}, nor do raw keys: it cannot be read. Project them too, or all.`
    return [{ code: 'index.untold', refused: false, index: index!, says }]
  })
}
