import { RESOURCE_ARN_CHARACTERS } from '../limits.js'
import { max } from './constraints.js'
import { list, required, structure, text } from './shapes.js'
import { tags } from './tables.js'

/** The service has a sentence of its own for one that is missing or empty. */
const resourceArn = required(text(max(RESOURCE_ARN_CHARACTERS)), 'Invalid TableArn')

export const tagResource = structure('TagResourceInput', { ResourceArn: resourceArn, Tags: required(tags) })
export const untagResource = structure('UntagResourceInput', {
  ResourceArn: resourceArn,
  TagKeys: required(list(text())),
})
export const listTagsOfResource = structure('ListTagsOfResourceInput', {
  ResourceArn: resourceArn,
  NextToken: text(),
})
