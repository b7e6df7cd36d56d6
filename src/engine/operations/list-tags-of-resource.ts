import type { ListTagsOfResourceAnswer, ListTagsOfResourceRequest } from '../../dynamodb/operations/tags.js'
import type { Engine } from '../engine.js'
import { findTagged, taggedResource } from '../tables/resource-arns.js'

export function listTagsOfResource(engine: Engine, request: ListTagsOfResourceRequest): ListTagsOfResourceAnswer {
  const resource = taggedResource(engine, request.ResourceArn, 'ListTagsOfResource')
  const { tags } = findTagged(engine, resource, request.ResourceArn)
  return { Tags: tags.map(({ Key, Value }) => ({ Key, Value })) }
}
