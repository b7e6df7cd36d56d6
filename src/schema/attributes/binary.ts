import { type Attribute, attribute } from '../attribute.js'
import { wrongStored, wrongType } from '../refusal.js'

export function binary(): Attribute<Uint8Array> {
  return attribute({
    kind: 'binary',
    encode(value, path) {
      if (!(value instanceof Uint8Array)) throw wrongType(path, 'a Uint8Array', value)
      return { B: value }
    },
    decode(value, path = 'value') {
      if (value.B === undefined) throw wrongStored(path, 'binary', value)
      return value.B
    },
  })
}
