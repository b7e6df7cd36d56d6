import { type Attribute, createTypedAttribute } from '../attribute.js'

/** True or false. */
export function boolean(): Attribute<boolean> {
  return createTypedAttribute('boolean', 'BOOL', 'true or false', value =>
    typeof value === 'boolean' ? { BOOL: value } : undefined,
  )
}
