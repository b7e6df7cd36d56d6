import type { Key } from '../dynamodb/attribute-value.js'
import { textOf } from '../layout/store-item.js'
import { GraphError } from '../schema/error.js'

const keyText = (key: Key) => Object.values(key).map(textOf).join(' ')

/** What it, or an edge of it, has stored is not as declared, or refused by a validator: nobody finds that without its key. */
export const unread = (key: Key) => (error: GraphError) => {
  if (!/^(stored|key|value)\./.test(error.code)) throw error
  throw new GraphError(error.code, `the item ${keyText(key)} cannot be brought up: ${error.message}`, error.details)
}

export function taken(key: Key, cause: unknown): GraphError {
  return Object.assign(
    new GraphError(
      'unique.taken',
      `the item ${keyText(key)} cannot be brought up: a value that is now unique is there twice`,
    ),
    { cause },
  )
}
