import { RESOURCE_ARN_CHARACTERS } from '../limits.js'
import { max } from './constraints.js'
import { listShape, requiredShape, structureShape, textShape } from './shapes.js'
import { tags } from './tables.js'

/** The service has a dedicated message for a missing or empty tag. */
const resourceArn = requiredShape(textShape(max(RESOURCE_ARN_CHARACTERS)), 'Invalid TableArn')

export const tagResource = structureShape('TagResourceInput', { ResourceArn: resourceArn, Tags: requiredShape(tags) })
export const untagResource = structureShape('UntagResourceInput', {
  ResourceArn: resourceArn,
  TagKeys: requiredShape(listShape(textShape())),
})
export const listTagsOfResource = structureShape('ListTagsOfResourceInput', {
  ResourceArn: resourceArn,
  NextToken: textShape(),
})
