import { isSizeRefusal } from '../../derive/settle/item-size-error.js'
import type { Key } from '../../dynamodb/attribute-value.js'
import { keyAttributeText } from '../../layout/items/compose-item.js'
import { GraphError } from '../../schema/error.js'

export const keyTextForMessage = (key: Key) => Object.values(key).map(keyAttributeText).join(' ')

/** Adds the key of the item to an error: the user needs it to find the value that is invalid or too large. */
export const rethrowForItem = (key: Key) => (error: GraphError) => {
  const refusal = `the item ${keyTextForMessage(key)} cannot be brought up`
  if (isSizeRefusal(error)) {
    const words = 'it, or what lies beside it, has no room for what is added: make it smaller'
    throw Object.assign(new GraphError('write.size', `${refusal}: ${words}`), { cause: error })
  }
  if (!/^(stored|key|value)\./.test(error.code)) throw error
  throw new GraphError(error.code, `${refusal}: ${error.message}`, error.details)
}

export function toUniqueTakenError(key: Key, cause: unknown): GraphError {
  return Object.assign(
    new GraphError(
      'unique.taken',
      `the item ${keyTextForMessage(key)} cannot be brought up: a value that is now unique is there twice, or a node that is to have one edge has two`,
    ),
    { cause },
  )
}
