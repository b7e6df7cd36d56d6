import { type Attribute, createTypedAttribute } from '../attribute.js'
import { GraphError } from '../error.js'
import { string } from './string.js'

/**
 * Declares a text that is one of the given values.
 *
 * @throws {attribute.choices} if there are no values, or a value is given twice
 *
 * @example
 * ```ts
 * import { node, oneOf, string } from 'edgewise'
 *
 * const task = node('task', { title: string(), status: oneOf('open', 'done') }, { id: 'title' })
 * ```
 */
export function oneOf<const V extends readonly string[]>(...values: V): Attribute<V[number]> {
  const description = `one of ${values.join(', ')}`
  for (const value of values) string().declared.encode(value, 'oneOf()')
  if (values.length === 0 || new Set(values).size < values.length)
    throw new GraphError(
      'attribute.choices',
      `oneOf(): its values are missing or duplicate; give at least one value, and each once.`,
    )
  const isKnown = (value: unknown): value is string => values.includes(value as string)
  return createTypedAttribute(
    'oneOf',
    'S',
    description,
    value => (isKnown(value) ? { S: value } : undefined),
    text => (isKnown(text) ? text : undefined),
    { values },
    'value.oneOf',
  )
}
