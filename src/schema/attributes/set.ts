import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { type Attribute, createTypedAttribute } from '../attribute.js'
import { invalidValueError } from '../checks/assertions.js'
import { GraphError } from '../error.js'
import type { StandardSchema } from '../standard-schema.js'
import { elementDeclarationOf } from './validated.js'

/** A set, without order. DynamoDB has no empty ones: an attribute that may be empty is optional, and removed. */
export function set<T, Input>(of: StandardSchema<Input, T>): Attribute<Set<T>, never, ReadonlySet<Input>> {
  const element = elementDeclarationOf(of, 'set')
  const { kind, type } = element
  if (type !== 'S' && type !== 'N' && type !== 'B')
    throw new GraphError('attribute.element', `give a list() instead of a Set of ${kind}`)
  return createTypedAttribute(
    'set',
    `${type}S` as 'SS',
    `a Set of ${kind}`,
    (value, path) => {
      if (!(value instanceof Set)) return undefined
      if (value.size === 0)
        throw invalidValueError(path, 'a Set with members, or declare it optional()', value, 'value.set')
      // By content: '1.0' and '1' are one decimal, two arrays of the same bytes one binary.
      const members = new Map<string, unknown>()
      for (const each of value) {
        const member = element.encode(each, path)[type]
        members.set(String(member), member)
      }
      return { [`${type}S`]: [...members.values()] } as unknown as AttributeValue
    },
    (stored, path) => new Set(stored.map(member => element.decode({ [type]: member } as AttributeValue, path))),
    { element },
  )
}
