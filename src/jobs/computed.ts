import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { DeclaredType } from '../layout/slots.js'

type Values = Readonly<Record<string, AttributeValue | undefined>>

/** What is computed of the values of a row, as it is declared now; undefined where that comes to nothing. */
export function computedOf(type: DeclaredType, values: Values): Record<string, AttributeValue | undefined> {
  const computed = Object.keys(type.attributes).filter(name => type.attributes[name]!.renewed?.value)
  return Object.fromEntries(computed.map(name => [name, type.attributes[name]!.renewed!.value!(type, name, values)]))
}
