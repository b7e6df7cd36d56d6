import { type Attribute, attribute } from '../attribute.js'
import { wrongStored, wrongType } from '../refusal.js'
import type { StandardSchema } from '../standard.js'
import { declaredElement } from './element.js'

export function list<T>(of: StandardSchema<T>): Attribute<T[]> {
  const element = declaredElement(of, 'list')
  return attribute({
    kind: 'list',
    element,
    encode(value, path) {
      if (!Array.isArray(value)) throw wrongType(path, 'an array', value)
      // Array.from meets the holes of a sparse array, map would not.
      return { L: Array.from(value, (each, at) => element.encode(each, `${path}[${at}]`)) }
    },
    decode(value, path = 'value') {
      if (value.L === undefined) throw wrongStored(path, 'a list', value)
      return value.L.map((each, at) => element.decode(each, `${path}[${at}]`))
    },
  })
}
