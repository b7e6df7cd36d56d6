import type { OperationName } from '../../../src/dynamodb/model/operations.js'
import { checkShape } from '../../../src/engine/request/check-shape.js'

/** Returns the name and message of the error of a request, or undefined if it is valid. */
export function refusal(operation: OperationName, request: unknown): { name: string; message: string } | undefined {
  try {
    checkShape(operation, request)
    return undefined
  } catch (error) {
    const { name, message } = error as Error
    return { name, message }
  }
}

export const message = (operation: OperationName, request: unknown) => refusal(operation, request)?.message

/** Returns the message for several violations of a request's model. */
export const together = (...violations: string[]) =>
  `${violations.length} validation error${violations.length === 1 ? '' : 's'} detected: ${violations.join('; ')}`

export const failed = (value: string | null, path: string, words: string) =>
  `Value ${value === null ? 'null' : `'${value}'`} at '${path}' failed to satisfy constraint: ${words}`

export const missing = (path: string) => failed(null, path, 'Member must not be null')
