import { type Attribute, createTypedAttribute } from '../attribute.js'

/** Bytes. */
export function binary(): Attribute<Uint8Array> {
  return createTypedAttribute('binary', 'B', 'a Uint8Array', value =>
    value instanceof Uint8Array ? { B: new Uint8Array(value) } : undefined,
  )
}
