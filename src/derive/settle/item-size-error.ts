import type { Key } from '../../dynamodb/attribute-value.js'
import type { ServiceException } from '../../dynamodb/exception.js'
import { keyAttributeText } from '../../layout/items/compose-item.js'
import { GraphError } from '../../schema/error.js'

/** Reports items that are too large for the derived data to be stored on them. */
export class ItemSizeError extends GraphError {
  constructor(
    readonly keys: readonly Key[],
    cause: unknown,
  ) {
    const [first] = keys.map(key => Object.values(key).map(keyAttributeText))
    super('write.size', `item '${first!.join(' ')}': this item has no room for its derived data; make it smaller.`)
    this.cause = cause
  }
}

/** Returns whether each write of a transaction, or a single write, failed because its item is too large. */
function findSizeRefusals(error: unknown): boolean[] {
  const { name, message, CancellationReasons = [{ Code: name, Message: message }] } = error as Partial<ServiceException>
  return CancellationReasons.map(
    ({ Code = '', Message = '' }) => /^Validation(Error|Exception)$/.test(Code) && /item size/i.test(Message),
  )
}

/** Whether a write failed because an item is too large. */
export const isSizeRefusal = (error: unknown): boolean => findSizeRefusals(error).includes(true)

/** Returns an `ItemSizeError` for the items that are too large, or undefined if the write failed for another reason. */
export function toItemSizeError(error: unknown, keys: readonly Key[]): ItemSizeError | undefined {
  const refusals = findSizeRefusals(error)
  const oversizedKeys = keys.filter((_, index) => refusals[index])
  return oversizedKeys.length > 0 ? new ItemSizeError(oversizedKeys, error) : undefined
}

/** Whether an item exceeds the size limit, reported by the store or by the plan of a write. */
export const isItemSizeError = (error: unknown): boolean => (error as Partial<GraphError>).code === 'write.size'
