import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { ATTRIBUTE_NAME_BYTES, NESTING_LEVELS } from '../../dynamodb/limits.js'
import { CONTAINER_BYTES, countNumberBytes, countUtf8Bytes, ELEMENT_BYTES } from '../../dynamodb/size.js'
import { invalidParameterError, validationError } from '../errors.js'
import { setMember } from './attribute-maps.js'
import { newBinarySet, newNumberSet, newStringSet } from './attribute-sets.js'
import { toByteText } from './binaries.js'
import {
  duplicateBinariesError,
  duplicateNumbersError,
  duplicateStringsError,
  hasDuplicate,
} from './duplicate-members.js'
import { internText } from './interned-text.js'
import { toCanonicalNumber } from './numbers.js'
import { StoredItem } from './stored-item.js'
import type { ValidatorLayer } from './validator-layer.js'

/**
 * Parses the values of a request: validates, normalizes, copies and freezes them and computes their size in one pass.
 * The types of members were checked before.
 */
class ItemParser {
  bytes = 0
  hasBinary = false
  /** Reported at the end, because a value that nests too deeply takes precedence over an empty name within a value. */
  private hasEmptyInnerName = false

  constructor(private readonly layer: ValidatorLayer) {}

  /** Parses the attributes of an item or key. */
  parseAttributes(map: Record<string, AttributeValue>): Record<string, AttributeValue> {
    if (map[''] !== undefined && map[''] !== null) throw emptyNameError()
    return this.finish(this.parseMap(map, 1))
  }

  /** Returns the parsed value, or throws a deferred error. */
  finish<Taken>(parsed: Taken): Taken {
    if (this.hasEmptyInnerName) throw emptyNameError()
    return parsed
  }

  private parseMap(map: Record<string, AttributeValue>, level: number): Record<string, AttributeValue> {
    const copy: Record<string, AttributeValue> = {}
    for (const name in map) {
      const value = map[name]
      if (value === undefined) continue
      if (value === null) throw validationError(`${NULL_VALUE}: ${name} is null`)
      if (name === '') this.hasEmptyInnerName = true
      const nameBytes = countUtf8Bytes(name)
      if (nameBytes > ATTRIBUTE_NAME_BYTES) throw nameTooLongError()
      this.bytes += nameBytes
      setMember(copy, name, this.parseValue(value, level, name))
    }
    return Object.freeze(copy)
  }

  parseValue(value: AttributeValue | null, level: number, name?: string): AttributeValue {
    if (value === null) throw validationError(NULL_VALUE)
    const type = singleTypeOf(value, this.layer)
    switch (type) {
      case 'S':
        return name === undefined
          ? Object.freeze({ S: this.parseText(value.S!) })
          : internText(name, this.parseText(value.S!))
      case 'N':
        return Object.freeze({ N: this.parseNumber(value.N!) })
      case 'BOOL':
        this.bytes += 1
        return value.BOOL ? TRUE : FALSE
      case 'NULL':
        if (!value.NULL) throw invalidParameterError(NULL_IS_TRUE)
        this.bytes += 1
        return NULL
      case 'B':
        return Object.freeze({ B: this.parseBinary(value.B!) })
      case 'M':
      case 'L':
        return this.parseContainer(value, level)
      case 'SS':
      case 'NS':
      case 'BS':
        return this.parseSet(value)
      default:
        // The only member is not a type of DynamoDB, so the value counts as empty.
        return this.parseValue({ [presentTypeOf(value, this.layer)]: undefined } as never, level)
    }
  }

  /** Replaces lone surrogates by U+FFFD, as encoding for the wire does. */
  private parseText(text: string): string {
    const sent = text.toWellFormed()
    this.bytes += countUtf8Bytes(sent)
    return sent
  }

  private parseNumber(text: string): string {
    const number = toCanonicalNumber(text, this.layer)
    this.bytes += countNumberBytes(number)
    return number
  }

  private parseBinary(bytes: Uint8Array): Uint8Array {
    this.hasBinary = true
    this.bytes += bytes.byteLength
    // A copy as a plain Uint8Array, because a slice of a Buffer would be a view.
    return new Uint8Array(bytes)
  }

  private parseContainer(value: AttributeValue, level: number): AttributeValue {
    if (level >= NESTING_LEVELS) throw nestingTooDeepError()
    if (value.M !== undefined) {
      const map = this.parseMap(value.M, level + 1)
      this.bytes += CONTAINER_BYTES
      for (const _ in map) this.bytes += ELEMENT_BYTES
      return Object.freeze({ M: map })
    }
    const list = value.L!.map(element => this.parseValue(element, level + 1))
    this.bytes += CONTAINER_BYTES + ELEMENT_BYTES * list.length
    return Object.freeze({ L: Object.freeze(list) as AttributeValue[] })
  }

  private parseSet(value: AttributeValue): AttributeValue {
    if (value.SS !== undefined) {
      checkMembers('SS', value.SS)
      if (hasDuplicate(value.SS)) throw duplicateStringsError(value.SS, this.layer)
      return newStringSet(value.SS.map(member => this.parseText(member)))
    }
    if (value.NS !== undefined) {
      checkMembers('NS', value.NS)
      const members = value.NS.map(member => this.parseNumber(member))
      if (hasDuplicate(members)) throw duplicateNumbersError(this.layer)
      return newNumberSet(members)
    }
    const members = value.BS!
    checkMembers('BS', members)
    if (hasDuplicate(members.map(toByteText))) throw duplicateBinariesError(members, this.layer)
    return newBinarySet(members.map(member => this.parseBinary(member)))
  }
}

const EMPTY_SET = {
  SS: 'An string set  may not be empty',
  NS: 'An number set  may not be empty',
  BS: 'Binary sets should not be empty',
}
const NULL_MEMBER = {
  SS: 'An string set may not have a null string as a member',
  NS: 'Numeric sets may not contain null',
  BS: 'Binary sets may not contain null or empty values',
}

/** Checks that a set has members and none of them is null. */
function checkMembers(type: keyof typeof EMPTY_SET, members: readonly unknown[]): void {
  if (members.length === 0) throw invalidParameterError(EMPTY_SET[type])
  if (members.includes(null)) throw invalidParameterError(NULL_MEMBER[type])
}

/** For a missing value, not for a value of type NULL. */
const NULL_VALUE = 'The supplied Item contains a null AttributeValue'
const NULL_IS_TRUE = 'Null attribute value types must have the value of true'

const TRUE: AttributeValue = Object.freeze({ BOOL: true })
const FALSE: AttributeValue = Object.freeze({ BOOL: false })
const NULL: AttributeValue = Object.freeze({ NULL: true })

export function nestingTooDeepError() {
  return validationError(
    'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
  )
}

const emptyNameError = () => validationError('Empty attribute name')

function nameTooLongError() {
  return validationError(`Attribute name is too large, must be less than ${ATTRIBUTE_NAME_BYTES + 1} bytes`)
}

/** Returns the name of the only member. */
function singleTypeOf(value: AttributeValue, layer: ValidatorLayer): string {
  let type: string | undefined
  for (const name in value) {
    if (type !== undefined) return presentTypeOf(value, layer)
    type = name
  }
  return type !== undefined && value[type as 'S'] != null ? type : presentTypeOf(value, layer)
}

/** Returns the only present type, ignoring absent and unknown members. */
function presentTypeOf(value: AttributeValue, layer: ValidatorLayer): string {
  const types = Object.keys(value).filter(name => TYPES.has(name) && value[name as 'S'] != null)
  if (types.length > 1) throw severalTypesError(value, layer)
  if (types.length === 0)
    throw validationError('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes')
  return types[0]!
}

const TYPES = new Set(['S', 'N', 'B', 'SS', 'NS', 'BS', 'M', 'L', 'NULL', 'BOOL'])

/** Creates the error for a value with several types. The service reports an error within one of them first. */
function severalTypesError({ SS, NS, BS, N, NULL: isNull }: AttributeValue, layer: ValidatorLayer): Error {
  if (SS?.length === 0) return invalidParameterError(EMPTY_SET.SS)
  if (NS?.length === 0) return invalidParameterError(EMPTY_SET.NS)
  if (BS?.length === 0) return invalidParameterError(EMPTY_SET.BS)
  for (const number of [N, ...(NS ?? [])]) if (number != null) toCanonicalNumber(number, layer)
  if (isNull === false) return invalidParameterError(NULL_IS_TRUE)
  return validationError(
    'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
  )
}

/** Parses an item of a request into its stored form. */
export function parseInputItem(item: Item, layer: ValidatorLayer): StoredItem {
  const parser = new ItemParser(layer)
  const copy = parser.parseAttributes(item)
  return new StoredItem(copy, parser.bytes, parser.hasBinary)
}

/** Parses a value of an expression. The older validator allows one more nesting level than for items. */
export function parseInputValue(value: AttributeValue, layer: ValidatorLayer): AttributeValue {
  const parser = new ItemParser(layer)
  return parser.finish(parser.parseValue(value, layer === 'older' ? 0 : 1))
}

/** Parses a key of a request. */
export function parseInputKey(key: Key, layer: ValidatorLayer): Key {
  return new ItemParser(layer).parseAttributes(key)
}
