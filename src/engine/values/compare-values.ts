import { type AttributeValue, attributeTypeOf, type Item } from '../../dynamodb/attribute-value.js'
import { compareNumbers } from '../../dynamodb/number.js'

/** Returns an attribute of an item, and ignores members that JavaScript objects inherit. */
export function attributeOf(item: Item, name: string): AttributeValue | undefined {
  return Object.hasOwn(item, name) ? item[name] : undefined
}

/** Compares strings by their UTF-8 bytes, as DynamoDB does. JavaScript compares UTF-16 units. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return byteOrder(x) - byteOrder(y)
  }
  return a.length - b.length
}

/** Surrogates encode characters above U+FFFF, which sort after all other units in UTF-8. */
function byteOrder(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b)
}

/** Compares two scalars of the same type; returns undefined for other values. */
export function compareValues(a: AttributeValue, b: AttributeValue): number | undefined {
  if (a.S !== undefined) return b.S === undefined ? undefined : compareStrings(a.S, b.S)
  if (a.N !== undefined) return b.N === undefined ? undefined : compareNumbers(a.N, b.N)
  if (a.B !== undefined) return b.B === undefined ? undefined : compareBytes(a.B, b.B)
  return undefined
}

/** Compares canonical values, in which sets are sorted. */
export function isEqualValue(a: AttributeValue, b: AttributeValue): boolean {
  if (a === b) return true
  const type = attributeTypeOf(a)
  if (type !== attributeTypeOf(b)) return false
  switch (type) {
    case 'S':
    case 'N':
    case 'BOOL':
      return a[type] === b[type]
    case 'NULL':
      return true
    case 'B':
      return compareBytes(a.B!, b.B!) === 0
    case 'M':
      return isEqualMap(a.M!, b.M!)
    case 'L':
      return a.L!.length === b.L!.length && a.L!.every((element, i) => isEqualValue(element, b.L![i]!))
    case 'BS':
      return isEqualBinarySet(a.BS!, b.BS!)
    default:
      return isEqualSet(a[type]!, b[type]!)
  }
}

export function isEqualMap(a: Item, b: Item): boolean {
  if (a === b) return true
  let names = 0
  for (const name in a) {
    names++
    const other = attributeOf(b, name)
    if (other === undefined || !isEqualValue(a[name]!, other)) return false
  }
  for (const _ in b) names--
  return names === 0
}

/** Compares sorted sets; see `attribute-sets.ts`. */
function isEqualSet(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((member, i) => member === b[i])
}

function isEqualBinarySet(a: Uint8Array[], b: Uint8Array[]): boolean {
  return a.length === b.length && a.every((member, i) => compareBytes(member, b[i]!) === 0)
}
