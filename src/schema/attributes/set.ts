import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { type Attribute, attribute } from '../attribute.js'
import type { AttributeKind, DeclaredAttribute } from '../declared.js'
import { GraphError } from '../error.js'
import { wrongStored, wrongType } from '../refusal.js'
import type { StandardSchema } from '../standard.js'
import { declaredElement } from './element.js'

const STORED_AS: Partial<Record<AttributeKind, 'S' | 'N' | 'B'>> = {
  string: 'S',
  oneOf: 'S',
  ulid: 'S',
  date: 'S',
  number: 'N',
  integer: 'N',
  bigint: 'N',
  decimal: 'N',
  binary: 'B',
}

/** A set, without order. DynamoDB has no empty ones: an attribute that may be empty is optional, and removed. */
export function set<T>(of: StandardSchema<T>): Attribute<Set<T>> {
  const element = declaredElement(of, 'set')
  const type = STORED_AS[element.kind]
  if (!type)
    throw new GraphError(
      'attribute.element',
      `DynamoDB has no sets of ${element.kind}: use list(), or a set of texts, numbers or binaries`,
    )
  return attribute({
    kind: 'set',
    element,
    encode: (value, path) => encodeSet(value, path, element, type),
    decode(value, path = 'value') {
      const members: readonly unknown[] | undefined = value[`${type}S`]
      if (members === undefined) throw wrongStored(path, `a set of ${element.kind}`, value)
      return new Set(members.map(member => element.decode({ [type]: member } as unknown as AttributeValue, path)))
    },
  })
}

function encodeSet(value: unknown, path: string, element: DeclaredAttribute, type: 'S' | 'N' | 'B'): AttributeValue {
  if (!(value instanceof Set)) throw wrongType(path, 'a Set', value)
  if (value.size === 0)
    throw new GraphError(
      'value.set',
      `${path}: DynamoDB cannot store an empty set: make the attribute optional and leave it out or remove() it`,
      {
        path,
      },
    )
  // By content: '1.0' and '1' are one decimal, two arrays of the same bytes one binary.
  const members = new Map<string, unknown>()
  for (const each of value) {
    const member = element.encode(each, path)[type]
    members.set(String(member), member)
  }
  return { [`${type}S`]: [...members.values()] } as unknown as AttributeValue
}
