import { ATTRIBUTE_NAME_BYTES } from '../../dynamodb/limits.js'
import { countUtf8Bytes } from '../../dynamodb/size.js'
import { validationError } from '../errors.js'

/** Returns why a text cannot be the name of an attribute; undefined if it can. */
export function findNameProblem(name: string): string | undefined {
  if (name === '') return 'Empty attribute name'
  // A UTF-16 unit takes at most three bytes of UTF-8, so short names need no counting.
  if (name.length * 3 > ATTRIBUTE_NAME_BYTES && countUtf8Bytes(name) > ATTRIBUTE_NAME_BYTES)
    return `Attribute name is too large, must be less than ${ATTRIBUTE_NAME_BYTES + 1} bytes`
  return undefined
}

/** Checks an attribute name in a legacy parameter. */
export function checkAttributeName(name: string): void {
  const problem = findNameProblem(name)
  if (problem !== undefined) throw validationError(problem)
}
