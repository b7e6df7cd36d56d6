import type { TagResourceRequest } from '../../dynamodb/operations/tags.js'
import { validation } from '../errors.js'
import { checkTags } from '../tables/settings.validation.js'

export function validateTagResource({ Tags }: TagResourceRequest): void {
  if (Tags.length === 0) throw validation('Atleast one Tag needs to be provided as Input.')
  checkTags(Tags)
}
