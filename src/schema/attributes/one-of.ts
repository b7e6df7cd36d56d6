import { type Attribute, createTypedAttribute } from '../attribute.js'
import { GraphError } from '../error.js'
import { string } from './string.js'

/** One of a few texts. */
export function oneOf<const V extends readonly string[]>(...values: V): Attribute<V[number]> {
  const description = `one of ${values.join(', ')}`
  for (const value of values) string().declared.encode(value, 'oneOf()')
  if (values.length === 0 || new Set(values).size < values.length)
    throw new GraphError('attribute.choices', `${description}: give at least one value, and each once`)
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
