import type { TagResourceInput, TagResourceOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { checkTagSet } from '../../tables/definition/settings.validation.js'
import { findTaggableResource, parseTaggedArn } from '../../tables/resource-arns.js'
import { changeTags, checkNotTagging } from '../../tables/tag-update.js'
import { validateTagResource } from './tag-resource.validation.js'

/** Adds tags to a resource. A tag replaces the existing one with the same key. */
export function tagResource(engine: Engine, request: TagResourceInput): TagResourceOutput {
  const resource = parseTaggedArn(engine, request.ResourceArn, 'TagResource')
  validateTagResource(request)
  const tagged = findTaggableResource(engine, resource, request.ResourceArn)
  checkNotTagging(engine, tagged, request.Tags)
  const values = new Map(tagged.tags.map(({ Key, Value }) => [Key, Value]))
  for (const { Key, Value } of request.Tags) values.set(Key, Value)
  const tags = Array.from(values, ([Key, Value]) => ({ Key, Value }))
  checkTagSet(tags)
  changeTags(engine, tagged, tags, request.Tags)
  return {}
}
