import { type Attribute, kept } from '../attribute.js'

/** True or false. */
export function boolean(): Attribute<boolean> {
  return kept('boolean', 'BOOL', 'true or false', value => (typeof value === 'boolean' ? { BOOL: value } : undefined))
}
