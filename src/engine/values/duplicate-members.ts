import { invalidParameterError, type ServiceError, validationError } from '../errors.js'
import { toByteText } from './binaries.js'
import { compareStrings } from './compare-values.js'
import type { ValidatorLayer } from './validator-layer.js'

export function hasDuplicate(members: readonly string[]): boolean {
  return members.length > 1 && new Set(members).size < members.length
}

export function duplicateStringsError(members: readonly string[], layer: ValidatorLayer): ServiceError {
  const shown =
    layer === 'older'
      ? members.join(', ')
      : inValidatorOrder(members)
          .map(member => JSON.stringify(member))
          .join(', ')
  return invalidParameterError(`Input collection [${shown}] contains duplicates.`)
}

export function duplicateNumbersError(layer: ValidatorLayer): ServiceError {
  return layer === 'older'
    ? validationError('Input collection contains duplicates')
    : invalidParameterError('Input collection contains duplicates.')
}

export function duplicateBinariesError(members: readonly Uint8Array[], layer: ValidatorLayer): ServiceError {
  const texts = members.map(toByteText)
  const shown =
    layer === 'older'
      ? texts.map(encodeBase64).join(', ')
      : inValidatorOrder(texts)
          .map(text => `"${encodeBase64(text)}"`)
          .join(',')
  return invalidParameterError(`Input collection [${shown}]of type BS contains duplicates.`)
}

const encodeBase64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')

/**
 * Returns the members in the order of the current validator's messages: those before the first duplicate sorted, the
 * rest as sent.
 */
function inValidatorOrder(members: readonly string[]): string[] {
  const read = new Set<string>()
  for (const member of members) {
    if (read.has(member)) break
    read.add(member)
  }
  return [...[...read].sort(compareStrings), ...members.slice(read.size)]
}
