import type { PathQuery } from '../../plan/read/options.js'
import { GraphError } from '../../schema/error.js'
import { hopOf } from '../../traverse/hop.js'
import type { Hop } from '../../traverse/traversal.js'
import { assertArgument, isSameContext } from '../arguments.js'
import { GraphQuery } from '../calls/query.js'
import type { Context } from '../context.js'

export type PathFunction = (id: never) => unknown
/** What the read of each adjacency list says more than its path. */
export type RefineQuery = (read: never) => unknown

/** The hop along a path of this graph, from nodes of a type. */
export function hopFromPath(
  context: Context,
  start: string,
  path: PathFunction | { readonly type: string; readonly path: string },
  refine?: RefineQuery,
  consistent?: boolean,
): Hop {
  assertArgument(Object(path) === path, 'hop: the argument is not a path; give one, for example g.follow.by.follower.')
  assertArgument(
    refine === undefined || typeof refine === 'function',
    'hop: the second argument is not a function; give a function that refines the read of each list.',
  )
  const query = typeof path === 'function' ? path(undefined as never) : new GraphQuery(context, path)
  const refined = refine ? refine(query as never) : query
  if (!(refined instanceof GraphQuery) || !isSameContext(context, refined.context) || !refined.query.path)
    throw new GraphError(
      'read.path',
      'hop: the argument is not a read by a path of this graph and tenant; give one, for example g.follow.by.follower.',
    )
  const { nodes, only } = refined.query
  assertArgument(!nodes && !only, 'hop: a hop always reads whole edges; leave nodes(), withNodes() and only() out.')
  const hop = hopOf(context.layout, start, refined.query as PathQuery)
  return consistent ? { ...hop, read: { ...hop.read, consistent } } : hop
}
