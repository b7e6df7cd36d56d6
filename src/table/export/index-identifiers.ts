import type { TableDesign } from '../../layout/design.js'
import { fitName } from './fit-name.js'

/** The length that leaves room for suffixes: a template allows 255 characters for an identifier. */
const MAX_IDENTIFIER_CHARACTERS = 128

/**
 * Returns an identifier of letters and digits for each index, as templates need them. They differ even without regard
 * to case, so that no resource of one index replaces a resource of another index or of the table.
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
