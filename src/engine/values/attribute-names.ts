import { ATTRIBUTE_NAME_BYTES } from '../../dynamodb/limits.js'
import { countUtf8Bytes } from '../../dynamodb/size.js'
import { validationError } from '../errors.js'

/** What keeps a text from being the name of an attribute. */
export function findNameProblem(name: string): string | undefined {
  if (name === '') return 'Empty attribute name'
  // No character takes more than three bytes for each unit of length, so short names need no counting.
  if (name.length * 3 > ATTRIBUTE_NAME_BYTES && countUtf8Bytes(name) > ATTRIBUTE_NAME_BYTES)
    return `Attribute name is too large, must be less than ${ATTRIBUTE_NAME_BYTES + 1} bytes`
  return undefined
}

/** For names that a request gives by themselves, as it did before there were expressions. */
export function checkAttributeName(name: string): void {
  const problem = findNameProblem(name)
  if (problem !== undefined) throw validationError(problem)
}
