import { toFnvHash } from '../../layout/fingerprint.js'

/** The maximum length of a policy name in IAM, and of an alarm name in CloudWatch. */
export const MAX_POLICY_NAME_CHARACTERS = 128
export const MAX_ALARM_NAME_CHARACTERS = 255

/**
 * Joins a name and a suffix. A name that is too long is cut and gets a hash, so that names with a common prefix stay
 * distinct.
 */
export function fitName(name: string, suffix: string, maxCharacters: number): string {
  if (name.length + suffix.length <= maxCharacters) return name + suffix
  const hash = toFnvHash(name)
  return name.slice(0, maxCharacters - suffix.length - hash.length) + hash + suffix
}
