import type { Layout } from '../../layout/layout.js'
import { idSlots, TENANT_SLOT } from '../../layout/slots.js'
import type { Finding } from './findings.js'

/**
 * Finds paths whose index entries do not identify their items: raw keys cannot be decoded, and the index does not
 * project the id. An entry of a facet then leads to no node, and an entry of an undirected edge does not show by which
 * end it was found. A facet index without the expiry attribute also returns expired entries, although their node may
 * have been created again.
 */
export function findUnidentifiedEntries({ accesses, design, names }: Layout): Finding[] {
  return accesses.flatMap(({ type, name, kind, index }): Finding[] => {
    const {
      project = 'all',
      partition = [],
      sort = [],
    } = design.indexes.find(candidate => candidate.name === index) ?? {}
    const isFacet = kind.role === 'facet'
    if (project === 'all' || !(isFacet || (type.kind === 'edge' && type.undirected))) return []
    const projected = [...(project === 'keys' ? [] : project), ...partition, ...sort, ...names.keys]
    const missing = [...(design.tenant ? [TENANT_SLOT] : []), ...idSlots(type)]
      .filter(slot => !kind.slotsInKey.has(slot))
      .map(slot => names.attributeOf(type, slot))
      .filter(attribute => !projected.includes(attribute))
    const finding = (fault: string): Finding => ({
      code: 'index.untold',
      rejected: false,
      index: index!,
      message: `${type.name}.by.${name} reads the index ${index}, whose entries lack ${fault} too, or all.`,
    })
    if (missing.length > 0)
      return [finding(`${missing.join(' and ')}, which raw keys do not show either: it cannot be read. Project them`)]
    if (!isFacet || !type.expires || projected.includes(names.expires)) return []
    return [
      finding(
        `their expiry: a ${type.name} that is created again is found by its old values until TTL deletes them. Project ${names.expires}`,
      ),
    ]
  })
}
