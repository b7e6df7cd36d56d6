import { toFnvHash } from '../../layout/fingerprint.js'

/** What IAM takes for the name of a policy, and CloudWatch for that of an alarm. */
export const MAX_POLICY_NAME_CHARACTERS = 128
export const MAX_ALARM_NAME_CHARACTERS = 255

/** A name with an end. Where both are too long, the name is cut, and marked so that no other that begins alike becomes the same. */
export function fitName(name: string, suffix: string, maxCharacters: number): string {
  if (name.length + suffix.length <= maxCharacters) return name + suffix
  const hash = toFnvHash(name)
  return name.slice(0, maxCharacters - suffix.length - hash.length) + hash + suffix
}
