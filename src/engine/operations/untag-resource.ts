import type { UntagResourceAnswer, UntagResourceRequest } from '../../dynamodb/operations/tags.js'
import type { Engine } from '../engine.js'
import { findTaggable, taggedResource } from '../tables/resource-arns.js'
import { changeTags, refuseWhileTagging } from '../tables/tagging.js'
import { validateUntagResource } from './untag-resource.validation.js'

export function untagResource(engine: Engine, request: UntagResourceRequest): UntagResourceAnswer {
  const resource = taggedResource(engine, request.ResourceArn, 'UntagResource')
  validateUntagResource(request)
  const tagged = findTaggable(engine, resource, request.ResourceArn)
  refuseWhileTagging(engine, tagged)
  const left = tagged.tags.filter(({ Key }) => !request.TagKeys.includes(Key))
  changeTags(engine, tagged, left)
  return {}
}
