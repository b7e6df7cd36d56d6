import type { TagResourceInput } from '../../../dynamodb/operation-types.js'
import { validationError } from '../../errors.js'
import { checkTags } from '../../tables/definition/settings.validation.js'

export function validateTagResource({ Tags }: TagResourceInput): void {
  if (Tags.length === 0) throw validationError('Atleast one Tag needs to be provided as Input.')
  checkTags(Tags)
}
