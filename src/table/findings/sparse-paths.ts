import type { Access } from '../../layout/access/access.js'
import type { Layout } from '../../layout/layout.js'
import type { Finding } from './findings.js'

/**
 * Finds paths whose index key contains an optional attribute that the path does not name. Rows without it are not
 * found.
 */
export function findSparsePaths({ accesses }: Layout): Finding[] {
  return accesses.flatMap((access): Finding[] => {
    const { type, name, index, sortSlots } = access
    const requestedSlots = requestedSlotsOf(access)
    const optionalSlots = sortSlots.filter(part => !requestedSlots.includes(part) && type.attributes[part]?.optional)
    if (index === undefined || optionalSlots.length === 0) return []
    const message = `${type.name}.by.${name} reads the index ${index}, which omits rows without ${optionalSlots.join(' or ')}. Give the path an index without it, or sort it by that if they are to be left out.`
    return [{ code: 'index.sparse', rejected: false, index, message }]
  })
}

function requestedSlotsOf({ type, name, requiredSlots }: Access): readonly string[] {
  const by =
    type.kind === 'edge' ? type.ends.find(end => end.name === name)?.by : type.paths.find(path => path.name === name)
  return [...requiredSlots, ...(by?.order ?? [])]
}
