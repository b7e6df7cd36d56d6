import type { UntagResourceRequest } from '../../dynamodb/operations/tags.js'
import { validation } from '../errors.js'
import { checkTagCount, checkTagKey } from '../tables/settings.validation.js'

export function validateUntagResource({ TagKeys }: UntagResourceRequest): void {
  if (TagKeys.length === 0) throw validation('Atleast one Tag Key needs to be provided as Input.')
  for (const key of TagKeys) checkTagKey(key)
  // As if they were to be added.
  checkTagCount(TagKeys)
}
