import type { UntagResourceAnswer, UntagResourceRequest } from '../../dynamodb/operations/tags.js'
import type { Engine } from '../engine.js'
import { findTagged, taggedTableName } from '../tables/resource-arns.js'
import { refuseWhileCreatingOrDeleting } from '../tables/transition.js'
import { validateUntagResource } from './untag-resource.validation.js'

export function untagResource(engine: Engine, request: UntagResourceRequest): UntagResourceAnswer {
  const name = taggedTableName(engine, request.ResourceArn, 'UntagResource')
  validateUntagResource(request)
  const table = findTagged(engine, name, request.ResourceArn)
  refuseWhileCreatingOrDeleting(table)
  table.tags = table.tags.filter(({ Key }) => !request.TagKeys.includes(Key))
  return {}
}
