import { type Attribute, createTypedAttribute } from '../attribute.js'

/**
 * Declares bytes, read and written as a `Uint8Array`.
 *
 * @example
 * ```ts
 * import { binary, node, string } from 'edgewise'
 *
 * const file = node('file', { path: string(), digest: binary() }, { id: 'path' })
 * ```
 */
export function binary(): Attribute<Uint8Array> {
  return createTypedAttribute('binary', 'B', 'a Uint8Array', value =>
    value instanceof Uint8Array ? { B: new Uint8Array(value) } : undefined,
  )
}
