import { isSizeRefusal } from '../../derive/settle/item-size-error.js'
import type { Key } from '../../dynamodb/attribute-value.js'
import { keyAttributeText } from '../../layout/items/compose-item.js'
import { GraphError } from '../../schema/error.js'

export const keyTextForMessage = (key: Key) => Object.values(key).map(keyAttributeText).join(' ')

/** Adds the key of the item to an error: the user needs it to find the value that is invalid or too large. */
export const rethrowForItem = (key: Key) => (error: GraphError) => {
  const subject = `item '${keyTextForMessage(key)}'`
  if (isSizeRefusal(error)) {
    throw Object.assign(
      new GraphError(
        'write.size',
        `${subject}: this item or one of its side items would exceed the size limit of an item; make it smaller.`,
      ),
      { cause: error },
    )
  }
  if (!/^(stored|key|value)\./.test(error.code)) throw error
  throw new GraphError(
    error.code,
    `${subject}: this item cannot be migrated (${error.message}); correct it, and run the backfill again.`,
    error.details,
  )
}

export function toUniqueTakenError(key: Key, cause: unknown): GraphError {
  return Object.assign(
    new GraphError(
      'unique.taken',
      `item '${keyTextForMessage(key)}': this item cannot be migrated, because a unique value exists twice, or a node that may have one edge has two; change or delete one of them.`,
    ),
    { cause },
  )
}
