import { hashOf } from '../layout/fingerprint.js'

/** What IAM takes for the name of a policy, and CloudWatch for that of an alarm. */
export const POLICY_NAME_CHARACTERS = 128
export const ALARM_NAME_CHARACTERS = 255

/** A name with an end. Where both are too long, the name is cut, and marked so that no other that begins alike becomes the same. */
export function fitting(name: string, end: string, characters: number): string {
  if (name.length + end.length <= characters) return name + end
  const mark = hashOf(name)
  return name.slice(0, characters - end.length - mark.length) + mark + end
}
