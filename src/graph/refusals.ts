import type { About } from '../plan/plan.js'
import type { Code } from '../schema/codes.js'
import { GraphError } from '../schema/error.js'

/** What a refused condition says of a node or an edge, for those that a user can meet. */
const WORDS: Partial<Record<Code, string>> = {
  'edge.end.absent': 'is not there, but an edge leads to it: create it first',
  'node.edges': 'has edges that are counted or kept in it: delete them first',
  'node.going': 'is being deleted: wait until it is gone',
  'unique.taken': 'has a value of a unique attribute that another has: give another value',
  'write.absent': 'is not there: create it',
  'write.condition': 'does not meet the condition that the write was given',
  'write.exists': 'is there already: put() or update() it',
  'write.immutable': 'has another value of an immutable attribute',
  'write.token': 'a token was used for something else: give another',
}

/** The error for a part of a write that was refused, which names the node or the edge. */
export function refusalOf(code: Code, about: About | undefined, several: boolean): GraphError {
  const { type, identity = {}, call = -1 } = about ?? {}
  const parts = Object.entries(identity).map(([slot, value]) => [slot, Object.values(value)[0]] as const)
  const subject = type === undefined || call < 0 ? [] : [`${type} ${parts.map(([, part]) => part).join(', ')}`]
  return new GraphError(code, [...subject, WORDS[code] ?? 'was refused'].join(' '), {
    ...(type !== undefined && { type }),
    value: Object.fromEntries(parts),
    ...(several && call >= 0 && { call }),
  })
}
