import { invalidParameter, type ServiceError, validation } from '../errors.js'
import { bytesToText } from './binary.js'
import { compareStrings } from './compare.js'
import type { Layer } from './layer.js'

export function hasDuplicate(members: readonly string[]): boolean {
  return members.length > 1 && new Set(members).size < members.length
}

export function duplicateStrings(members: readonly string[], layer: Layer): ServiceError {
  const shown =
    layer === 'older'
      ? members.join(', ')
      : asRead(members)
          .map(member => JSON.stringify(member))
          .join(', ')
  return invalidParameter(`Input collection [${shown}] contains duplicates.`)
}

export function duplicateNumbers(layer: Layer): ServiceError {
  return layer === 'older'
    ? validation('Input collection contains duplicates')
    : invalidParameter('Input collection contains duplicates.')
}

export function duplicateBinaries(members: readonly Uint8Array[], layer: Layer): ServiceError {
  const texts = members.map(bytesToText)
  const shown =
    layer === 'older'
      ? texts.map(base64).join(', ')
      : asRead(texts)
          .map(text => `"${base64(text)}"`)
          .join(',')
  return invalidParameter(`Input collection [${shown}]of type BS contains duplicates.`)
}

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')

/** The current validator shows what it had when it met the first duplicate, which is in order, and the rest as sent. */
function asRead(members: readonly string[]): string[] {
  const read = new Set<string>()
  for (const member of members) {
    if (read.has(member)) break
    read.add(member)
  }
  return [...[...read].sort(compareStrings), ...members.slice(read.size)]
}
