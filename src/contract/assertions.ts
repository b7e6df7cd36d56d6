import { deepStrictEqual, match, strictEqual } from 'node:assert/strict'

interface RejectedError extends Error {
  Item?: unknown
  CancellationReasons?: { Code?: string; Message?: string; Item?: unknown }[]
}

/** Asserts that the call rejects with this exception and message. Resolves to the error, for its other members. */
export async function expectRejection(
  call: Promise<unknown>,
  name: string,
  message?: string | RegExp,
): Promise<RejectedError> {
  const error = await call.then(
    answer => new Error(`expected ${name}, but it was answered: ${JSON.stringify(answer)}`),
    (reason: unknown) => reason as RejectedError,
  )
  if (error.name !== name) throw new Error(`expected ${name}, got ${error.name}: ${error.message}`, { cause: error })
  if (typeof message === 'string') strictEqual(error.message, message)
  if (message instanceof RegExp) match(error.message, message)
  return error
}

/** Asserts the usual rejection of invalid input. */
export function expectValidationError(call: Promise<unknown>, message: string | RegExp): Promise<RejectedError> {
  return expectRejection(call, 'ValidationException', message)
}

const ENVELOPE = '1 validation error detected: '

/** Asserts the rejection of an invalid request in the format of a model violation. */
export function expectInvalidRequest(call: Promise<unknown>, message: string | RegExp): Promise<RejectedError> {
  const expectedMessage =
    typeof message === 'string' ? ENVELOPE + message : new RegExp(message.source.replace('^', `^${ENVELOPE}`))
  return expectValidationError(call, expectedMessage)
}

/** Asserts deep equality; the expected value is second. */
export function expectEqual(actual: unknown, expected: unknown): void {
  deepStrictEqual(actual, expected)
}
