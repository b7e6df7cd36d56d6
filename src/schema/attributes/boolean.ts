import { type Attribute, createTypedAttribute } from '../attribute.js'

/**
 * Declares a boolean.
 *
 * @example
 * ```ts
 * import { boolean, node, string } from 'edgewise'
 *
 * const task = node('task', { title: string(), done: boolean().default(false) }, { id: 'title' })
 * ```
 */
export function boolean(): Attribute<boolean> {
  return createTypedAttribute('boolean', 'BOOL', 'true or false', value =>
    typeof value === 'boolean' ? { BOOL: value } : undefined,
  )
}
