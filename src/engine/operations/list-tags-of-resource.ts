import type { ListTagsOfResourceAnswer, ListTagsOfResourceRequest } from '../../dynamodb/operations/tags.js'
import type { Engine } from '../engine.js'
import { findTagged, taggedTableName } from '../tables/resource-arns.js'

export function listTagsOfResource(engine: Engine, request: ListTagsOfResourceRequest): ListTagsOfResourceAnswer {
  const name = taggedTableName(engine, request.ResourceArn, 'ListTagsOfResource')
  const { tags } = findTagged(engine, name, request.ResourceArn)
  return { Tags: tags.map(({ Key, Value }) => ({ Key, Value })) }
}
