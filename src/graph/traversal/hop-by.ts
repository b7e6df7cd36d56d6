import type { PathAsk } from '../../plan/ask.js'
import { GraphError } from '../../schema/error.js'
import { hopOf } from '../../traverse/hop.js'
import type { Hop } from '../../traverse/traversal.js'
import type { Context } from '../context.js'
import { given, isOf } from '../given.js'
import { GraphQuery } from '../query.js'

export type PathFunction = (id: never) => unknown
/** What the read of each adjacency list says more than its path. */
export type Refine = (read: never) => unknown

/** The hop along a path of this graph, from nodes of a type. */
export function hopBy(
  context: Context,
  start: string,
  path: PathFunction | { readonly type: string; readonly path: string },
  refine?: Refine,
  consistent?: boolean,
): Hop {
  given(Object(path) === path, 'a hop takes a path, as g.follow.by.follower')
  given(
    refine === undefined || typeof refine === 'function',
    'a hop takes a function that refines the read of each list',
  )
  const query = typeof path === 'function' ? path(undefined as never) : new GraphQuery(context, path)
  const refined = refine ? refine(query as never) : query
  if (!(refined instanceof GraphQuery) || !isOf(context, refined.context) || !refined.ask.path)
    throw new GraphError(
      'read.path',
      'the hop is not a read by a path of this graph and tenant; give one as g.follow.by.follower',
    )
  const { nodes, only } = refined.ask
  given(!nodes && !only, 'a hop reads whole edges; leave nodes(), withNodes() and only() out')
  const hop = hopOf(context.layout, start, refined.ask as PathAsk)
  return consistent ? { ...hop, read: { ...hop.read, consistent } } : hop
}
