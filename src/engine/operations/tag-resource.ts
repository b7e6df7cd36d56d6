import type { TagResourceAnswer, TagResourceRequest } from '../../dynamodb/operations/tags.js'
import type { Engine } from '../engine.js'
import { findTaggable, taggedResource } from '../tables/resource-arns.js'
import { checkTagSet } from '../tables/settings.validation.js'
import { changeTags, refuseWhileTagging } from '../tables/tagging.js'
import { validateTagResource } from './tag-resource.validation.js'

/** A tag takes the place of the one with its key. */
export function tagResource(engine: Engine, request: TagResourceRequest): TagResourceAnswer {
  const resource = taggedResource(engine, request.ResourceArn, 'TagResource')
  validateTagResource(request)
  const tagged = findTaggable(engine, resource, request.ResourceArn)
  refuseWhileTagging(engine, tagged, request.Tags)
  const values = new Map(tagged.tags.map(({ Key, Value }) => [Key, Value]))
  for (const { Key, Value } of request.Tags) values.set(Key, Value)
  const tags = Array.from(values, ([Key, Value]) => ({ Key, Value }))
  checkTagSet(tags)
  changeTags(engine, tagged, tags, request.Tags)
  return {}
}
