import type { Key } from '../dynamodb/attribute-value.js'
import type { ServiceException } from '../dynamodb/exception.js'
import { GraphError } from '../schema/error.js'

/** Items that have no room for what the stream keeps on them. */
export class TooLarge extends GraphError {
  constructor(
    readonly keys: readonly Key[],
    cause: unknown,
  ) {
    const [first] = keys.map(key => Object.values(key).map(({ S }) => S))
    super('write.size', `the item ${first!.join(' ')} has no room for what the stream keeps on it: make it smaller`)
    this.cause = cause
  }
}

/** Those, of the items that a transaction writes, for whose size it was refused. */
export function tooLarge(error: unknown, keys: readonly Key[]): TooLarge | undefined {
  const { CancellationReasons = [] } = error as Partial<ServiceException>
  const large = keys.filter((_, at) => {
    const { Code, Message = '' } = CancellationReasons[at] ?? {}
    return Code === 'ValidationError' && /item size/i.test(Message)
  })
  return large.length > 0 ? new TooLarge(large, error) : undefined
}

/** Whether an item would be larger than it can be, as the store or the plan of a write has found. */
export const isTooLarge = (error: unknown): boolean => (error as Partial<GraphError>).code === 'write.size'
