import type { Key } from '../../dynamodb/attribute-value.js'
import type { ServiceException } from '../../dynamodb/exception.js'
import { keyAttributeText } from '../../layout/items/compose-item.js'
import { GraphError } from '../../schema/error.js'

/** Items that have no room for what is kept on them. */
export class ItemSizeError extends GraphError {
  constructor(
    readonly keys: readonly Key[],
    cause: unknown,
  ) {
    const [first] = keys.map(key => Object.values(key).map(keyAttributeText))
    super('write.size', `the item ${first!.join(' ')} has no room for what is kept on it: make it smaller`)
    this.cause = cause
  }
}

/** Of each part of a transaction, or of a single write, whether it was refused for the size of its item. */
function findSizeRefusals(error: unknown): boolean[] {
  const { name, message, CancellationReasons = [{ Code: name, Message: message }] } = error as Partial<ServiceException>
  return CancellationReasons.map(
    ({ Code = '', Message = '' }) => /^Validation(Error|Exception)$/.test(Code) && /item size/i.test(Message),
  )
}

/** Whether a write was refused for the size of one of its items. */
export const isSizeRefusal = (error: unknown): boolean => findSizeRefusals(error).includes(true)

/** Those of the items that were to be written for whose size that was refused. */
export function toItemSizeError(error: unknown, keys: readonly Key[]): ItemSizeError | undefined {
  const refusals = findSizeRefusals(error)
  const oversizedKeys = keys.filter((_, index) => refusals[index])
  return oversizedKeys.length > 0 ? new ItemSizeError(oversizedKeys, error) : undefined
}

/** Whether an item would be larger than it can be, as the store or the plan of a write has found. */
export const isItemSizeError = (error: unknown): boolean => (error as Partial<GraphError>).code === 'write.size'
