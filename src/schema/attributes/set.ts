import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { type Attribute, createTypedAttribute } from '../attribute.js'
import { invalidValueError } from '../checks/assertions.js'
import { GraphError } from '../error.js'
import type { StandardSchema } from '../standard-schema.js'
import { elementDeclarationOf } from './validated.js'

/**
 * Declares an unordered set. DynamoDB does not store empty sets: an attribute that may be empty is optional and is
 * removed instead.
 *
 * @param of - the attribute of the members: a text, a number or bytes
 * @throws {attribute.element} if DynamoDB has no set of these members
 *
 * @example
 * ```ts
 * import { node, set, string } from 'edgewise'
 *
 * const post = node('post', { slug: string(), tags: set(string()).optional() }, { id: 'slug' })
 * ```
 */
export function set<T, Input>(of: StandardSchema<Input, T>): Attribute<Set<T>, never, ReadonlySet<Input>> {
  const element = elementDeclarationOf(of, 'set')
  const { kind, type } = element
  if (type !== 'S' && type !== 'N' && type !== 'B')
    throw new GraphError('attribute.element', `set(): DynamoDB has no set of ${kind}; use list().`)
  return createTypedAttribute(
    'set',
    `${type}S` as 'SS',
    `a Set of ${kind}`,
    (value, path) => {
      if (!(value instanceof Set)) return undefined
      if (value.size === 0)
        throw invalidValueError(path, 'a Set with members, or declare it optional()', value, 'value.set')
      // Members are compared by content: '1.0' and '1' are one decimal, and two arrays of the same bytes are one
      // binary.
      const members = new Map<string, unknown>()
      for (const member of value) {
        const encoded = element.encode(member, path)[type]
        members.set(String(encoded), encoded)
      }
      return { [`${type}S`]: [...members.values()] } as unknown as AttributeValue
    },
    (stored, path) => new Set(stored.map(member => element.decode({ [type]: member } as AttributeValue, path))),
    { element },
  )
}
