import type { TableDesign } from '../layout/design.js'
import { fitting } from './fitting.js'

/** A template takes 255 for a resource, which is more than that of its index. */
const CHARACTERS = 128

/**
 * For each index a name of letters and digits that begins with a letter, as templates need them. No two are the same,
 * whatever their case, so that no resource of one index takes the place of another's, or of the table's own.
 */
export function indexIdentifiers(design: TableDesign): ReadonlyMap<string, string> {
  const taken = new Set(['table'])
  return new Map(
    design.indexes.map(({ name }) => {
      const wanted = fitting(words(name), '', CHARACTERS)
      let identifier = wanted
      for (let count = 2; taken.has(identifier.toLowerCase()); count++) identifier = `${wanted}N${count}`
      taken.add(identifier.toLowerCase())
      return [name, identifier]
    }),
  )
}

function words(name: string): string {
  const joined = name
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
  return /^[A-Za-z]/.test(joined) ? joined : `Index${joined}`
}
