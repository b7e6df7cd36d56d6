import { hasNoRoom } from '../derive/too-large.js'
import type { Key } from '../dynamodb/attribute-value.js'
import { textOf } from '../layout/store-item.js'
import { GraphError } from '../schema/error.js'

export const shownKey = (key: Key) => Object.values(key).map(textOf).join(' ')

/**
 * What it, or an edge of it, has stored is not as declared, or refused by a validator, or leaves no room for what is added:
 * nobody finds that without its key.
 */
export const unread = (key: Key) => (error: GraphError) => {
  const refused = `the item ${shownKey(key)} cannot be brought up`
  if (hasNoRoom(error)) {
    const words = 'it, or what lies beside it, has no room for what is added: make it smaller'
    throw Object.assign(new GraphError('write.size', `${refused}: ${words}`), { cause: error })
  }
  if (!/^(stored|key|value)\./.test(error.code)) throw error
  throw new GraphError(error.code, `${refused}: ${error.message}`, error.details)
}

export function taken(key: Key, cause: unknown): GraphError {
  return Object.assign(
    new GraphError(
      'unique.taken',
      `the item ${shownKey(key)} cannot be brought up: a value that is now unique is there twice, or a node that is to have one edge has two`,
    ),
    { cause },
  )
}
