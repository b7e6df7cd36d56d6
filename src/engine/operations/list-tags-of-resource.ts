import type { ListTagsOfResourceAnswer, ListTagsOfResourceRequest } from '../../dynamodb/operations/tags.js'
import type { Engine } from '../engine.js'
import { findTagged, taggedResource } from '../tables/resource-arns.js'
import { taggingOf } from '../tables/tagging.js'

export function listTagsOfResource(engine: Engine, request: ListTagsOfResourceRequest): ListTagsOfResourceAnswer {
  const resource = taggedResource(engine, request.ResourceArn, 'ListTagsOfResource')
  const tagged = findTagged(engine, resource, request.ResourceArn)
  const { shown } = taggingOf(engine, tagged) ?? { shown: tagged.tags }
  return { Tags: shown.map(({ Key, Value }) => ({ Key, Value })) }
}
