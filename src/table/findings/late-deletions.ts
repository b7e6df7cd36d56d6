import type { Layout } from '../../layout/layout.js'
import type { DeclaredEdge, DeclaredEnd } from '../../schema/declarations.js'
import type { Finding } from './findings.js'

/**
 * Finds ends with `cascade` or `refuse` whose edges are read from an index. An index lags, so it may miss an edge
 * written just before the deletion.
 */
export function findLateDeletions({ graph, accesses }: Layout): Finding[] {
  return graph.declared.edges.flatMap(edge =>
    edge.ends.flatMap((end): Finding[] => {
      const { name, node, onDelete } = end
      const access = accesses.find(candidate => candidate.type === edge && candidate.name === name)
      if (onDelete === 'leave' || !access || access.consistent || blocksDeletion(edge, end)) return []
      const index = access.index!
      const message = `${edge.name}.by.${name}, which says '${onDelete}', reads the index ${index}: an edge that is put right before its ${node.name} is deleted may not be in it yet, and is left behind. Say 'mirror' there, or count its edges in the ${node.name} by transaction.`
      return [{ code: 'index.late', rejected: false, index, message }]
    }),
  )
}

/**
 * Whether the node itself records each of its edges, so that it cannot be deleted while one exists, even if an index
 * does not show it yet.
 */
const blocksDeletion = ({ count, sum, embed }: DeclaredEdge, { name }: DeclaredEnd): boolean =>
  [...[...count, ...sum].filter(({ by, where }) => by !== 'stream' && !where), ...embed].some(({ end }) => end === name)
