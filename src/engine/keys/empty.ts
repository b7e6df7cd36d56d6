import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { EmptyKeyError } from '../errors.js'

type EmptyKind = 'string' | 'binary'

/** Of what kind a value is that no key can have, since it is empty. */
export function emptyKind(value: AttributeValue): EmptyKind | undefined {
  if (value.S === '') return 'string'
  return value.B?.byteLength === 0 ? 'binary' : undefined
}

const NOT_VALID = 'One or more parameter values are not valid.'
const cannotContain = (kind: EmptyKind) =>
  `The AttributeValue for a key attribute cannot contain an empty ${kind} value.`

export function emptyKey(name: string, kind: EmptyKind): EmptyKeyError {
  return new EmptyKeyError(`${NOT_VALID} ${cannotContain(kind)} Key: ${name}`)
}

export function emptyIndexKey(index: string, name: string, kind: EmptyKind): EmptyKeyError {
  return new EmptyKeyError(
    `${NOT_VALID} A value specified for a secondary index key is not supported. ` +
      `${cannotContain(kind)} IndexName: ${index}, IndexKey: ${name}`,
  )
}

export function emptyUpdatedIndexKey(kind: EmptyKind): EmptyKeyError {
  return new EmptyKeyError(
    `${NOT_VALID} The update expression attempted to update a secondary index key to a value that is not supported. ` +
      cannotContain(kind),
  )
}
