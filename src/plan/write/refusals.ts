import type { Code } from '../../schema/codes.js'
import { GraphError } from '../../schema/error.js'
import { mapValues } from '../../schema/map-values.js'
import type { WriteSubject } from '../plan.js'

/**
 * Refusals that depend on the stored state, without their subject. `{type}` is the type of the node or edge, and
 * `{name}` the attribute that is concerned.
 */
const REFUSAL_TEXTS = {
  'edge.carry.absent': 'this {type} does not exist, but an edge carries an attribute from it; create it first.',
  'edge.embed.full': "this {type} has no room for another entry; delete an edge first, or raise its 'max'.",
  'edge.one': 'this {type} would be a second edge where one is allowed; delete the other edge first.',
  'edge.end.absent': 'this {type} does not exist, but an edge refers to it; create it first.',
  'key.empty': 'this {type} has an empty {name}, which is a key; give a non-empty text.',
  'key.long': 'this {type} has a {name} that is too long for a key; give a shorter text.',
  'node.edges': 'this {type} still has edges; delete them first.',
  'node.deleting': 'this {type} is being deleted; wait until the deletion has finished.',
  'node.uncounted':
    "this {type} cannot be deleted, because an earlier version wrote it without the number of edges behind its sums; run repair() or 'edgewise repair' once, then retry.",
  'node.restored':
    'this {type} was not deleted, because a concurrent call cancelled the deletion or created it again; read it, and delete it again if it is still unwanted.',
  'owner.absent':
    'this {type} does not exist or is being deleted, but the call writes a node that it owns; create the owner first.',
  'tree.cycle':
    'this {type} would put a node below itself; choose a parent that is not below the child, or move that parent first.',
  'tree.depth': 'this {type} would have more than 50 edges above it in its tree; attach it nearer to the root.',
  'unique.taken': 'this {name} is already taken; give another value.',
  'write.absent': 'this {type} does not exist; create it first.',
  'write.condition':
    'this {type} does not meet the condition of the call; read it, and then decide whether to repeat the call.',
  'write.derived':
    'the row has another derived value than this {type}; read the row again, or leave the derived attributes out.',
  'write.exists': 'this {type} already exists; use put() or update().',
  'write.immutable':
    'the row has another value of an immutable attribute than this {type}; give the stored value, or delete the {type} and create it again.',
  'write.size': 'this {type} would exceed the 400 KB limit of an item; store less in it.',
  'write.token': 'this token was used for a different request; give another token.',
  'write.transaction': 'this {type} is written twice in one request; send the writes one after the other.',
} satisfies { readonly [C in Code]?: string }

/** Replaces the text of `write.immutable` when the stored item shows which attribute differs. */
const IMMUTABLE_ATTRIBUTE_TEXT =
  "the row has another value of the immutable attribute '{name}' than this {type}; give the stored value, or delete the {type} and create it again."

export type RefusalCode = keyof typeof REFUSAL_TEXTS

/** Creates the error of a refused write. Its subject is the node or the edge, or the token of the call. */
export function refusalError(
  code: RefusalCode,
  { type, identity, call, uniqueAttribute }: WriteSubject,
  name = uniqueAttribute,
): GraphError {
  const identityValue = mapValues(identity, stored => Object.values(stored)[0])
  const subject = call < 0 ? 'token' : `${type} '${Object.values(identityValue).join(', ')}'`
  const text = code === 'write.immutable' && name !== undefined ? IMMUTABLE_ATTRIBUTE_TEXT : REFUSAL_TEXTS[code]
  const problemAndAdvice = text.replaceAll('{type}', type).replace('{name}', String(name))
  return new GraphError(code, `${subject}: ${problemAndAdvice}`, {
    type,
    value: identityValue,
    call,
    ...(name !== undefined && { name }),
  })
}
