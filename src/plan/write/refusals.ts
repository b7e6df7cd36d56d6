import type { Code } from '../../schema/codes.js'
import { GraphError } from '../../schema/error.js'
import { mapValues } from '../../schema/map-values.js'
import type { WriteSubject } from '../plan.js'

/** Refusals that depend on the stored state. */
const REFUSAL_TEXTS = {
  'edge.carry.absent': 'does not exist, but an edge carries from it; create it first',
  'edge.embed.full': 'has no room for another entry',
  'edge.one': 'would be a second edge where one is allowed; delete the other first',
  'edge.end.absent': 'does not exist, but an edge leads to it; create it first',
  'key.empty': 'has an empty {name}, which is a key; give a non-empty text',
  'key.long': 'cannot have this {name}, because it is too long for a key; give a shorter text',
  'node.edges': 'has edges; delete them first',
  'node.going': 'is being deleted; wait until the deletion has finished',
  'node.uncounted':
    "cannot be deleted: an earlier version wrote it, and how many edges are behind a sum is not known; run repair() or 'edgewise repair' once, then retry",
  'node.stays': 'was not deleted because a concurrent call cancelled the deletion',
  'owner.absent': 'is missing or is being deleted, but a node that it owns is written; create the owner first',
  'tree.cycle': 'would be below itself; choose a parent that is not below the child, or move that parent first',
  'tree.depth': 'has too many edges above it in its tree, over 50; attach it nearer to the root',
  'unique.taken': 'cannot have this {name}, because it is already taken; give another value',
  'write.absent': 'does not exist; create it',
  'write.condition': 'does not meet the condition',
  'write.derived': 'has other derived values than the given row; read it again, or leave them out',
  'write.exists': 'already exists; use put() or update()',
  'write.immutable': 'has another value of an immutable attribute',
  'write.size': 'exceeds the 400 KB limit of an item',
  'write.token': 'the token was used for a different request; give another token',
  'write.transaction': 'is written twice in one request; send the writes one after the other',
} satisfies { readonly [C in Code]?: string }

export type RefusalCode = keyof typeof REFUSAL_TEXTS

/** Creates the error of a refused write. The message names the node or the edge, except for a receipt. */
export function refusalError(
  code: RefusalCode,
  { type, identity, call, uniqueAttribute }: WriteSubject,
  name = uniqueAttribute,
): GraphError {
  const identityValue = mapValues(identity, stored => Object.values(stored)[0])
  const text = REFUSAL_TEXTS[code].replace('{name}', String(name))
  return new GraphError(code, call < 0 ? text : `${type} ${Object.values(identityValue).join(', ')} ${text}`, {
    type,
    value: identityValue,
    call,
    ...(name !== undefined && { name }),
  })
}
