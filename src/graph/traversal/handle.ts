import type { DeclaredType } from '../../layout/slots.js'
import type { Context } from '../context.js'
import { GraphTraversal } from './builder.js'
import { GraphSearches } from './searches.js'

/** The calls of a node's handle that go over more than one edge. */
export function traversalMethodsOf(context: Context, type: DeclaredType): object {
  const searches = new GraphSearches(context, type)
  return {
    from: (...ids: readonly unknown[]) => GraphTraversal.from(context, type, ids),
    shortestPath: searches.shortestPath.bind(searches),
    shortestPaths: searches.shortestPaths.bind(searches),
    common: searches.common.bind(searches),
    similarity: searches.similarity.bind(searches),
  }
}
