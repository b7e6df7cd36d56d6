import type { TableDesign } from '../../layout/design.js'
import { fitName } from './fit-name.js'

/** A template takes 255 for a resource, which is more than that of its index. */
const MAX_IDENTIFIER_CHARACTERS = 128

/**
 * For each index a name of letters and digits that begins with a letter, as templates need them. No two are the same,
 * whatever their case, so that no resource of one index takes the place of another's, or of the table's own.
 */
export function indexIdentifiersOf(design: TableDesign): ReadonlyMap<string, string> {
  const used = new Set(['table'])
  return new Map(
    design.indexes.map(({ name }) => {
      const preferred = fitName(toPascalCase(name), '', MAX_IDENTIFIER_CHARACTERS)
      let identifier = preferred
      for (let count = 2; used.has(identifier.toLowerCase()); count++) identifier = `${preferred}N${count}`
      used.add(identifier.toLowerCase())
      return [name, identifier]
    }),
  )
}

function toPascalCase(name: string): string {
  const joined = name
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
  return /^[A-Za-z]/.test(joined) ? joined : `Index${joined}`
}
