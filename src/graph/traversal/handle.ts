import type { DeclaredType } from '../../layout/slots.js'
import type { Context } from '../context.js'
import { GraphTraversal } from './builder.js'

/** The calls of a node's handle that go over more than one edge. */
export function traversalsOf(context: Context, type: DeclaredType): object {
  return {
    from: (...ids: readonly unknown[]) => GraphTraversal.from(context, type, ids),
  }
}
