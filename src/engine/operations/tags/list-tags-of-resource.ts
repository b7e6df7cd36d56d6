import type { ListTagsOfResourceInput, ListTagsOfResourceOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { findTaggedResource, parseTaggedArn } from '../../tables/resource-arns.js'
import { pendingTagUpdateOf } from '../../tables/tag-update.js'

export function listTagsOfResource(engine: Engine, request: ListTagsOfResourceInput): ListTagsOfResourceOutput {
  const resource = parseTaggedArn(engine, request.ResourceArn, 'ListTagsOfResource')
  const tagged = findTaggedResource(engine, resource, request.ResourceArn)
  const { shown } = pendingTagUpdateOf(engine, tagged) ?? { shown: tagged.tags }
  return { Tags: shown.map(({ Key, Value }) => ({ Key, Value })) }
}
