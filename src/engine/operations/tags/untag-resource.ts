import type { UntagResourceInput, UntagResourceOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { findTaggableResource, parseTaggedArn } from '../../tables/resource-arns.js'
import { changeTags, checkNotTagging } from '../../tables/tag-update.js'
import { validateUntagResource } from './untag-resource.validation.js'

export function untagResource(engine: Engine, request: UntagResourceInput): UntagResourceOutput {
  const resource = parseTaggedArn(engine, request.ResourceArn, 'UntagResource')
  validateUntagResource(request)
  const tagged = findTaggableResource(engine, resource, request.ResourceArn)
  checkNotTagging(engine, tagged)
  const remaining = tagged.tags.filter(({ Key }) => !request.TagKeys.includes(Key))
  changeTags(engine, tagged, remaining)
  return {}
}
