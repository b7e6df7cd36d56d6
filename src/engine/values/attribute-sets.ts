import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { compareNumbers } from '../../dynamodb/number.js'
import { compareBytes, compareStrings } from './compare-values.js'

/** Sets are stored and returned in sorted order, as by the service. These functions sort the passed array in place. */
export function newStringSet(members: string[]): AttributeValue {
  return Object.freeze({ SS: Object.freeze(members.sort(compareStrings)) as string[] })
}

export function newNumberSet(members: string[]): AttributeValue {
  return Object.freeze({ NS: Object.freeze(members.sort(compareNumbers)) as string[] })
}

export function newBinarySet(members: Uint8Array[]): AttributeValue {
  return Object.freeze({ BS: Object.freeze(members.sort(compareBytes)) as Uint8Array[] })
}
