import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { EmptyKeyError } from '../errors.js'

type EmptyKind = 'string' | 'binary'

/** Returns the type of an empty value, which no key attribute can have. */
export function emptyKindOf(value: AttributeValue): EmptyKind | undefined {
  if (value.S === '') return 'string'
  return value.B?.byteLength === 0 ? 'binary' : undefined
}

const NOT_VALID = 'One or more parameter values are not valid.'
const emptyValueSentence = (kind: EmptyKind) =>
  `The AttributeValue for a key attribute cannot contain an empty ${kind} value.`

export function emptyKeyError(name: string, kind: EmptyKind): EmptyKeyError {
  return new EmptyKeyError(`${NOT_VALID} ${emptyValueSentence(kind)} Key: ${name}`)
}

export function emptyIndexKeyError(index: string, name: string, kind: EmptyKind): EmptyKeyError {
  return new EmptyKeyError(
    `${NOT_VALID} A value specified for a secondary index key is not supported. ` +
      `${emptyValueSentence(kind)} IndexName: ${index}, IndexKey: ${name}`,
  )
}

export function emptyUpdatedIndexKeyError(kind: EmptyKind): EmptyKeyError {
  return new EmptyKeyError(
    `${NOT_VALID} The update expression attempted to update a secondary index key to a value that is not supported. ` +
      emptyValueSentence(kind),
  )
}
