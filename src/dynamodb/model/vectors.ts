import { NAME_CHARACTERS_MAX, NAME_CHARACTERS_MIN, VECTOR_DIMENSIONS } from '../limits.js'
import { max, min, pattern, withoutMemberValue } from './constraints.js'
import {
  expressionAttributes,
  expressionText,
  NAME_PATTERN,
  returnConsumedCapacity,
  tableNameOrArn,
} from './members.js'
import { attributeValueShape, integerShape, listShape, requiredShape, structureShape, textShape } from './shapes.js'

export const searchVectors = structureShape('SearchVectorsInput', {
  TableName: tableNameOrArn,
  IndexName: requiredShape(
    textShape(
      withoutMemberValue(pattern(NAME_PATTERN)),
      withoutMemberValue(min(NAME_CHARACTERS_MIN), max(NAME_CHARACTERS_MAX)),
    ),
  ),
  ReturnConsumedCapacity: returnConsumedCapacity,
  ...expressionAttributes,
  ProjectionExpression: expressionText,
  SearchVector: requiredShape(listShape(attributeValueShape, withoutMemberValue(min(1), max(VECTOR_DIMENSIONS)))),
  SearchConditionExpression: expressionText,
  TopK: requiredShape(integerShape(withoutMemberValue(min(1)))),
})
