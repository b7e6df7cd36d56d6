import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { ATTRIBUTE_NAME_BYTES, NESTING_LEVELS } from '../../dynamodb/limits.js'
import { CONTAINER_BYTES, ELEMENT_BYTES, numberBytes, utf8Bytes } from '../../dynamodb/size.js'
import { invalidParameter, validation } from '../errors.js'
import { bytesToText } from './binary.js'
import { duplicateBinaries, duplicateNumbers, duplicateStrings, hasDuplicate } from './duplicates.js'
import { textValue } from './latest.js'
import type { Layer } from './layer.js'
import { setMember } from './maps.js'
import { canonicalNumber } from './numbers.js'
import { binarySet, numberSet, stringSet } from './sets.js'
import { Stored } from './stored.js'

/**
 * Takes values from a caller: checks them, brings numbers into canonical form, copies and freezes, and adds up the
 * size, in one pass. It runs after the request's types were checked, so every member has the JavaScript type it should.
 */
class Intake {
  bytes = 0
  hasBinary = false
  /** Told of at the end: a value that nests too deep goes before a name within a value, whichever comes first. */
  private innerNameEmpty = false

  constructor(private readonly layer: Layer) {}

  /** The attributes of an item or a key. */
  attributes(map: Record<string, AttributeValue>): Record<string, AttributeValue> {
    if (map[''] !== undefined && map[''] !== null) throw emptyName()
    return this.ended(this.map(map, 1))
  }

  /** What was taken, where nothing was put off that refuses it. */
  ended<Taken>(taken: Taken): Taken {
    if (this.innerNameEmpty) throw emptyName()
    return taken
  }

  private map(map: Record<string, AttributeValue>, level: number): Record<string, AttributeValue> {
    const copy: Record<string, AttributeValue> = {}
    for (const name in map) {
      const value = map[name]
      if (value === undefined) continue
      if (value === null) throw validation(`${NULL_VALUE}: ${name} is null`)
      if (name === '') this.innerNameEmpty = true
      const nameBytes = utf8Bytes(name)
      if (nameBytes > ATTRIBUTE_NAME_BYTES) throw nameTooLong()
      this.bytes += nameBytes
      setMember(copy, name, this.value(value, level, name))
    }
    return Object.freeze(copy)
  }

  value(value: AttributeValue | null, level: number, name?: string): AttributeValue {
    if (value === null) throw validation(NULL_VALUE)
    const type = singleType(value, this.layer)
    switch (type) {
      case 'S':
        return name === undefined ? Object.freeze({ S: this.text(value.S!) }) : textValue(name, this.text(value.S!))
      case 'N':
        return Object.freeze({ N: this.number(value.N!) })
      case 'BOOL':
        this.bytes += 1
        return value.BOOL ? TRUE : FALSE
      case 'NULL':
        if (!value.NULL) throw invalidParameter(NULL_IS_TRUE)
        this.bytes += 1
        return NULL
      case 'B':
        return Object.freeze({ B: this.binary(value.B!) })
      case 'M':
      case 'L':
        return this.container(value, level)
      case 'SS':
      case 'NS':
      case 'BS':
        return this.set(value)
      default:
        // A member that is none of DynamoDB's, alone: there is no value.
        return this.value({ [typeAmong(value, this.layer)]: undefined } as never, level)
    }
  }

  /** Half a surrogate pair cannot be sent: the wire has U+FFFD in its place. */
  private text(text: string): string {
    const sent = text.toWellFormed()
    this.bytes += utf8Bytes(sent)
    return sent
  }

  private number(text: string): string {
    const number = canonicalNumber(text, this.layer)
    this.bytes += numberBytes(number)
    return number
  }

  private binary(bytes: Uint8Array): Uint8Array {
    this.hasBinary = true
    this.bytes += bytes.byteLength
    // A plain array of its own: a slice of a Buffer would be a view.
    return new Uint8Array(bytes)
  }

  private container(value: AttributeValue, level: number): AttributeValue {
    if (level >= NESTING_LEVELS) throw nestingTooDeep()
    if (value.M !== undefined) {
      const map = this.map(value.M, level + 1)
      this.bytes += CONTAINER_BYTES
      for (const _ in map) this.bytes += ELEMENT_BYTES
      return Object.freeze({ M: map })
    }
    const list = value.L!.map(element => this.value(element, level + 1))
    this.bytes += CONTAINER_BYTES + ELEMENT_BYTES * list.length
    return Object.freeze({ L: Object.freeze(list) as AttributeValue[] })
  }

  private set(value: AttributeValue): AttributeValue {
    if (value.SS !== undefined) {
      checkMembers('SS', value.SS)
      if (hasDuplicate(value.SS)) throw duplicateStrings(value.SS, this.layer)
      return stringSet(value.SS.map(member => this.text(member)))
    }
    if (value.NS !== undefined) {
      checkMembers('NS', value.NS)
      const members = value.NS.map(member => this.number(member))
      if (hasDuplicate(members)) throw duplicateNumbers(this.layer)
      return numberSet(members)
    }
    const members = value.BS!
    checkMembers('BS', members)
    if (hasDuplicate(members.map(bytesToText))) throw duplicateBinaries(members, this.layer)
    return binarySet(members.map(member => this.binary(member)))
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

/** That there are members, and none is a null. */
function checkMembers(type: keyof typeof EMPTY_SET, members: readonly unknown[]): void {
  if (members.length === 0) throw invalidParameter(EMPTY_SET[type])
  if (members.includes(null)) throw invalidParameter(NULL_MEMBER[type])
}

/** Not of a value of type NULL, but where there is none. */
const NULL_VALUE = 'The supplied Item contains a null AttributeValue'
const NULL_IS_TRUE = 'Null attribute value types must have the value of true'

const TRUE: AttributeValue = Object.freeze({ BOOL: true })
const FALSE: AttributeValue = Object.freeze({ BOOL: false })
const NULL: AttributeValue = Object.freeze({ NULL: true })

export function nestingTooDeep() {
  return validation(
    'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
  )
}

const emptyName = () => validation('Empty attribute name')

function nameTooLong() {
  return validation(`Attribute name is too large, must be less than ${ATTRIBUTE_NAME_BYTES + 1} bytes`)
}

/** The name of the only member, where there is exactly one. */
function singleType(value: AttributeValue, layer: Layer): string {
  let type: string | undefined
  for (const name in value) {
    if (type !== undefined) return typeAmong(value, layer)
    type = name
  }
  return type !== undefined && value[type as 'S'] != null ? type : typeAmong(value, layer)
}

/** The same where some members are absent in all but name, or are none of DynamoDB's. */
function typeAmong(value: AttributeValue, layer: Layer): string {
  const types = Object.keys(value).filter(name => TYPES.has(name) && value[name as 'S'] != null)
  if (types.length > 1) throw severalTypes(value, layer)
  if (types.length === 0)
    throw validation('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes')
  return types[0]!
}

const TYPES = new Set(['S', 'N', 'B', 'SS', 'NS', 'BS', 'M', 'L', 'NULL', 'BOOL'])

/** Of a value with several members the service tells what is wrong with one of them first. */
function severalTypes({ SS, NS, BS, N, NULL: isNull }: AttributeValue, layer: Layer): Error {
  if (SS?.length === 0) return invalidParameter(EMPTY_SET.SS)
  if (NS?.length === 0) return invalidParameter(EMPTY_SET.NS)
  if (BS?.length === 0) return invalidParameter(EMPTY_SET.BS)
  for (const number of [N, ...(NS ?? [])]) if (number != null) canonicalNumber(number, layer)
  if (isNull === false) return invalidParameter(NULL_IS_TRUE)
  return validation(
    'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
  )
}

/** An item from a caller, in the form in which it is kept. */
export function takeItem(item: Item, layer: Layer): Stored {
  const intake = new Intake(layer)
  const copy = intake.attributes(item)
  return new Stored(copy, intake.bytes, intake.hasBinary)
}

/** One value from a caller, for an expression. The older validator lets it nest by one level more than an item's. */
export function takeValue(value: AttributeValue, layer: Layer): AttributeValue {
  const intake = new Intake(layer)
  return intake.ended(intake.value(value, layer === 'older' ? 0 : 1))
}

/** A key from a caller. */
export function takeKey(key: Key, layer: Layer): Key {
  return new Intake(layer).attributes(key)
}
