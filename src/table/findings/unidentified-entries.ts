import type { Layout } from '../../layout/layout.js'
import { idSlots, TENANT_SLOT } from '../../layout/slots.js'
import type { Finding } from './findings.js'

/**
 * Paths by an index whose entries do not tell what they stand for: raw keys do not, and the index does not hold it. An
 * entry of a facet leads to no node then, and one of an undirected edge does not say by which end it was found. Nor do
 * entries of a facet say that they have expired, where the index does not, and their node may be there anew.
 */
export function findUnidentifiedEntries({ accesses, design, names }: Layout): Finding[] {
  return accesses.flatMap(({ type, name, kind, index }): Finding[] => {
    const { project = 'all', partition = [], sort = [] } = design.indexes.find(each => each.name === index) ?? {}
    const isFacet = kind.role === 'facet'
    if (project === 'all' || !(isFacet || (type.kind === 'edge' && type.undirected))) return []
    const projected = [...(project === 'keys' ? [] : project), ...partition, ...sort, ...names.keys]
    const missing = [...(design.tenant ? [TENANT_SLOT] : []), ...idSlots(type)]
      .filter(slot => !kind.slotsInKey.has(slot))
      .map(slot => names.attributeOf(type, slot))
      .filter(attribute => !projected.includes(attribute))
    const finding = (fault: string): Finding => ({
      code: 'index.untold',
      refused: false,
      index: index!,
      message: `${type.name}.by.${name} reads the index ${index}, whose entries do not tell ${fault} too, or all.`,
    })
    if (missing.length > 0)
      return [finding(`${missing.join(' and ')}, nor do raw keys: it cannot be read. Project them`)]
    if (!isFacet || !type.expires || projected.includes(names.expires)) return []
    return [
      finding(
        `when they expire: a ${type.name} that is made anew is found by what it had before, until that is taken away. Project ${names.expires}`,
      ),
    ]
  })
}
