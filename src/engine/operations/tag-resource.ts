import type { TagResourceAnswer, TagResourceRequest } from '../../dynamodb/operations/tags.js'
import type { Engine } from '../engine.js'
import { findTagged, taggedTableName } from '../tables/resource-arns.js'
import { checkTagSet } from '../tables/settings.validation.js'
import { refuseWhileCreatingOrDeleting } from '../tables/transition.js'
import { validateTagResource } from './tag-resource.validation.js'

/** A tag takes the place of the one with its key. */
export function tagResource(engine: Engine, request: TagResourceRequest): TagResourceAnswer {
  const name = taggedTableName(engine, request.ResourceArn, 'TagResource')
  validateTagResource(request)
  const table = findTagged(engine, name, request.ResourceArn)
  refuseWhileCreatingOrDeleting(table)
  const values = new Map(table.tags.map(({ Key, Value }) => [Key, Value]))
  for (const { Key, Value } of request.Tags) values.set(Key, Value)
  const tags = Array.from(values, ([Key, Value]) => ({ Key, Value }))
  checkTagSet(tags)
  table.tags = tags
  return {}
}
