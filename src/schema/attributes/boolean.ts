import { type Attribute, kept } from '../attribute.js'

export function boolean(): Attribute<boolean> {
  return kept('boolean', 'BOOL', 'true or false', value => (typeof value === 'boolean' ? { BOOL: value } : undefined))
}
