import type { AttributeValue, Item } from '../attribute-value.js'
import { fromBase64 } from './base64.js'
import { FormatError } from './format-error.js'
import type { IonValue } from './ion-reader.js'
import { setAttribute } from './json-item.js'

/** The item in a struct of Ion. `path` names the struct in errors. */
export function ionToItem(value: IonValue | undefined, path: string): Item {
  if (value?.type !== 'struct') throw new FormatError(`${path} is not a struct of Ion`)
  const item: Item = {}
  for (const [name, field] of value.fields) setAttribute(item, name, ionToValue(field, `${path}.${name}`))
  return item
}

function ionToValue(value: IonValue, path: string): AttributeValue {
  switch (value.type) {
    case 'null':
      return { NULL: true }
    case 'bool':
      return { BOOL: value.value }
    case 'number':
      return { N: value.value }
    case 'string':
      return { S: value.value }
    case 'blob':
      return { B: bytesOf(value.base64, path) }
    case 'struct':
      return { M: ionToItem(value, path) }
    case 'list':
      return listOrSet(value.elements, value.annotation, path)
  }
}

function listOrSet(elements: readonly IonValue[], annotation: string | undefined, path: string): AttributeValue {
  const members = elements.map((element, at) => ionToValue(element, `${path}[${at}]`))
  switch (annotation) {
    case '$dynamodb_SS':
      return { SS: members.map(member => memberOf(member.S, path)) }
    case '$dynamodb_NS':
      return { NS: members.map(member => memberOf(member.N, path)) }
    case '$dynamodb_BS':
      return { BS: members.map(member => memberOf(member.B, path)) }
    default:
      return { L: members }
  }
}

function memberOf<Member>(member: Member | undefined, path: string): Member {
  if (member === undefined) throw new FormatError(`${path} is a set with a member of another type`)
  return member
}

function bytesOf(base64: string, path: string): Uint8Array {
  const bytes = fromBase64(base64)
  if (!bytes) throw new FormatError(`${path} is not base64`)
  return bytes
}
