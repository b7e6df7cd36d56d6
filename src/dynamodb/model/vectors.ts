import { NAME_CHARACTERS_MAX, NAME_CHARACTERS_MIN, VECTOR_DIMENSIONS } from '../limits.js'
import { bare, max, min, pattern } from './constraints.js'
import { expression, expressionAttributes, NAME_PATTERN, returnConsumedCapacity, tableName } from './members.js'
import { attributeValue, integer, list, required, structure, text } from './shapes.js'

export const searchVectors = structure('SearchVectorsInput', {
  TableName: tableName,
  IndexName: required(text(bare(pattern(NAME_PATTERN)), bare(min(NAME_CHARACTERS_MIN), max(NAME_CHARACTERS_MAX)))),
  ReturnConsumedCapacity: returnConsumedCapacity,
  ...expressionAttributes,
  ProjectionExpression: expression,
  SearchVector: required(list(attributeValue, bare(min(1), max(VECTOR_DIMENSIONS)))),
  SearchConditionExpression: expression,
  TopK: required(integer(bare(min(1)))),
})
