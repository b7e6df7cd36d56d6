import { type Attribute, attribute } from '../attribute.js'
import { GraphError } from '../error.js'
import { shown, wrongStored } from '../refusal.js'
import { checkText, storedText } from './string.js'

/** One of a few texts. */
export function oneOf<const V extends readonly string[]>(...values: V): Attribute<V[number]> {
  const known = new Set<unknown>(values.map(value => checkText(value, 'oneOf()')))
  if (known.size === 0 || known.size < values.length)
    throw new GraphError('attribute.choices', `oneOf(${values.join(', ')}): give at least one value, and each once`)
  return attribute({
    kind: 'oneOf',
    values,
    encode(value, path) {
      if (known.has(value)) return { S: value as string }
      throw new GraphError('value.oneOf', `${path}: give one of ${values.join(', ')} instead of ${shown(value)}`, {
        path,
        value,
      })
    },
    decode(value, path = 'value') {
      const text = storedText(value, path)
      if (!known.has(text)) throw wrongStored(path, `one of ${values.join(', ')}`, value)
      return text
    },
  })
}
