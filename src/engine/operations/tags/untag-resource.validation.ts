import type { UntagResourceInput } from '../../../dynamodb/operation-types.js'
import { validationError } from '../../errors.js'
import { checkTagCount, checkTagKey } from '../../tables/definition/settings.validation.js'

export function validateUntagResource({ TagKeys }: UntagResourceInput): void {
  if (TagKeys.length === 0) throw validationError('Atleast one Tag Key needs to be provided as Input.')
  for (const key of TagKeys) checkTagKey(key)
  // The service checks the number of keys as if they were added.
  checkTagCount(TagKeys)
}
