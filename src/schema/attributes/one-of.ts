import { type Attribute, kept } from '../attribute.js'
import { GraphError } from '../error.js'
import { string } from './string.js'

/** One of a few texts. */
export function oneOf<const V extends readonly string[]>(...values: V): Attribute<V[number]> {
  const words = `one of ${values.join(', ')}`
  for (const value of values) string().declared.encode(value, 'oneOf()')
  if (values.length === 0 || new Set(values).size < values.length)
    throw new GraphError('attribute.choices', `${words}: give at least one value, and each once`)
  const known = (value: unknown) => values.find(each => each === value)
  return kept('oneOf', 'S', words, known, known, { values }, 'value.oneOf')
}
