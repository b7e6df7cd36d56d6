import { attributeTypeOf } from '../../../dynamodb/attribute-value.js'
import { VECTOR_RESULTS } from '../../../dynamodb/limits.js'
import { parseDecimal } from '../../../dynamodb/number.js'
import type { SearchVectorsInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { validationError } from '../../errors.js'
import type { SearchExpressions } from '../../expressions/expression-reader.js'
import type { SearchEquality } from '../../expressions/search-condition.js'
import { emptyKeyError, emptyKindOf } from '../../keys/empty-keys.js'
import { readWithCurrentValidator } from '../../request/validator-migration.js'
import { findTable, findVectorIndex } from '../../tables/find-table.js'
import { toFloat } from '../../vectors/floats.js'
import type { TableVectorIndex } from '../../vectors/vector-index.js'

export function readSearchVectors(engine: Engine, request: SearchVectorsInput): SearchExpressions {
  return readWithCurrentValidator('SearchVectors', request, layer => {
    if (request.TopK > VECTOR_RESULTS)
      throw validationError(
        `Provided TopK value '${request.TopK}' is out of valid range. ` +
          `The value must be between 1 and ${VECTOR_RESULTS} inclusive`,
      )
    return engine.expressions.readSearch(request, layer)
  })
}

interface BoundVectorSearch {
  readonly index: TableVectorIndex
  readonly searchVector: Float32Array
}

/** Returns the searched index and the search vector. */
export function bindVectorSearch(
  engine: Engine,
  request: SearchVectorsInput,
  { equalities }: SearchExpressions,
): BoundVectorSearch {
  const index = findVectorIndex(findTable(engine, request.TableName), request.IndexName)
  const searchVector = parseSearchVector(request.SearchVector)
  if (searchVector.length !== index.dimensions)
    throw validationError(
      `Input search vector dimension ${searchVector.length} does not match vector index dimension ${index.dimensions}`,
    )
  checkEqualities(index, equalities)
  return { index, searchVector }
}

function parseSearchVector(values: SearchVectorsInput['SearchVector']): Float32Array {
  const floats = values.map(({ N }) => (N !== undefined && parseDecimal(N) ? toFloat(N) : undefined))
  if (floats.every(float => float !== undefined)) return new Float32Array(floats)
  throw validationError(
    'Search vector contains invalid values. ' +
      'All values in the search vector must be a 32-bit floating-point number attribute',
  )
}

function checkEqualities({ partition, filters }: TableVectorIndex, equalities: readonly SearchEquality[]): void {
  const searchable = new Map([...(partition ? [partition] : []), ...filters].map(part => [part.name, part.type]))
  for (const { name } of equalities)
    if (!searchable.has(name))
      throw validationError(
        'SearchConditionExpression must not contain any attributes that is not in SearchSchema. ' +
          `Invalid attribute: ${name}`,
      )
  if (partition && !equalities.some(({ name }) => name === partition.name))
    throw validationError('SearchConditionExpression must be provided when SearchSchema has a HASH key')
  for (const { name, value } of equalities) {
    const type = searchable.get(name)!
    if (value[type] === undefined)
      throw validationError(
        `Type of '${name}' attribute in SearchConditionExpression (${attributeTypeOf(value)}) ` +
          `does not match type in search schema (${type})`,
      )
    const empty = name === partition?.name ? emptyKindOf(value) : undefined
    if (empty) throw emptyKeyError(name, empty)
  }
}
