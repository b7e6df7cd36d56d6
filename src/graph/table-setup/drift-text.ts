import { CLOSURE_RULE } from '../../layout/fingerprint.js'
import type { Layout } from '../../layout/layout.js'

/** A difference as `differences` formats it: `kinds.movie.keys.GSI1PK was nothing, is "…"`. */
const CHANGE = /^kinds\.([^. ]+)((?:\.[^ ]+?)*) (was .*|is new|is gone)$/s

/** Describes the differences of two layouts by type, path and attribute. */
export function describeDrift(layout: Layout, changes: readonly string[]): string {
  return changes.map(change => describeChange(layout, change)).join('; ')
}

function describeChange(layout: Layout, change: string): string {
  const [, type, where = '', difference] = CHANGE.exec(change) ?? []
  if (type === undefined) return change
  const [part, ...rest] = where.split('.').slice(1)
  const name = rest.join('.')
  if (part === undefined) return `type '${type}' ${difference}`
  switch (part) {
    case 'attributes':
      return name.startsWith('$')
        ? `type '${type}': the node of '${name.slice(1)}' ${difference}`
        : `type '${type}': attribute '${name}' ${difference}`
    case 'keys':
      return `type '${type}'${describePaths(layout, type, name)}: key '${name}' ${difference}`
    case 'kept':
      return `type '${type}': ${name === CLOSURE_RULE ? 'closure' : `aggregate '${name}'`} ${difference}`
    default:
      return `type '${type}': ${where.slice(1)} ${difference}`
  }
}

/** Lists the paths that read an index by this key, for example `movie.by.year`. */
function describePaths({ design }: Layout, type: string, key: string): string {
  const index = design.indexes.find(({ partition, sort }) => [...partition, ...sort].includes(key))
  const paths = index?.serves.filter(path => path.startsWith(`${type}.`)) ?? []
  return paths.length > 0 ? `, path ${paths.join(', ')}` : ''
}
