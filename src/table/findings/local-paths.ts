import type { Layout } from '../../layout/layout.js'
import type { Finding } from './findings.js'

/** Finds paths declared as `local` whose index is configured as global. A global index lags and has its own cost. */
export function findGlobalLocalPaths({ accesses, design }: Layout): Finding[] {
  return accesses.flatMap(({ type, name, method, index }): Finding[] => {
    const globalIndex =
      method === 'local' && design.indexes.find(candidate => candidate.name === index && candidate.kind === 'global')
    if (!globalIndex) return []
    const message = `${type.name}.by.${name} is to be local, and the index ${globalIndex.name} is given as a global one, which is never read consistently: say kind: 'local' of it, or 'index' of the path.`
    return [{ code: 'index.local', rejected: false, index: globalIndex.name, message }]
  })
}
