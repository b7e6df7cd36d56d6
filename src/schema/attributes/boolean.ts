import { type Attribute, attribute } from '../attribute.js'
import { wrongStored, wrongType } from '../refusal.js'

export function boolean(): Attribute<boolean> {
  return attribute({
    kind: 'boolean',
    encode(value, path) {
      if (typeof value !== 'boolean') throw wrongType(path, 'true or false', value)
      return { BOOL: value }
    },
    decode(value, path = 'value') {
      if (value.BOOL === undefined) throw wrongStored(path, 'a boolean', value)
      return value.BOOL
    },
  })
}
