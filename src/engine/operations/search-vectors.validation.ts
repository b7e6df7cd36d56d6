import { typeOf } from '../../dynamodb/attribute-value.js'
import { VECTOR_RESULTS } from '../../dynamodb/limits.js'
import { parseDecimal } from '../../dynamodb/number.js'
import type { SearchVectorsRequest } from '../../dynamodb/operations/vectors.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import type { SearchExpressions } from '../expressions/read.js'
import type { Equality } from '../expressions/search-condition.js'
import { emptyKey, emptyKind } from '../keys/empty.js'
import { readCurrent } from '../request/read.js'
import { findTable, findVectorIndex } from '../tables/find.js'
import { floatOf } from '../vectors/floats.js'
import type { VectorIndex } from '../vectors/vector-index.js'

export function readSearchVectors(engine: Engine, request: SearchVectorsRequest): SearchExpressions {
  return readCurrent('SearchVectors', request, layer => {
    if (request.TopK > VECTOR_RESULTS)
      throw validation(
        `Provided TopK value '${request.TopK}' is out of valid range. ` +
          `The value must be between 1 and ${VECTOR_RESULTS} inclusive`,
      )
    return engine.expressions.readSearch(request, layer)
  })
}

interface BoundSearch {
  readonly index: VectorIndex
  readonly searched: Float32Array
}

/** The index that is searched, and the vector that is searched for in it. */
export function bindSearch(
  engine: Engine,
  request: SearchVectorsRequest,
  { equalities }: SearchExpressions,
): BoundSearch {
  const index = findVectorIndex(findTable(engine, request.TableName), request.IndexName)
  const searched = takeVector(request.SearchVector)
  if (searched.length !== index.dimensions)
    throw validation(
      `Input search vector dimension ${searched.length} does not match vector index dimension ${index.dimensions}`,
    )
  checkEqualities(index, equalities)
  return { index, searched }
}

function takeVector(values: SearchVectorsRequest['SearchVector']): Float32Array {
  const floats = values.map(({ N }) => (N !== undefined && parseDecimal(N) ? floatOf(N) : undefined))
  if (floats.every(float => float !== undefined)) return new Float32Array(floats)
  throw validation(
    'Search vector contains invalid values. ' +
      'All values in the search vector must be a 32-bit floating-point number attribute',
  )
}

function checkEqualities({ partition, filters }: VectorIndex, equalities: readonly Equality[]): void {
  const searchable = new Map([...(partition ? [partition] : []), ...filters].map(part => [part.name, part.type]))
  for (const { name } of equalities)
    if (!searchable.has(name))
      throw validation(
        'SearchConditionExpression must not contain any attributes that is not in SearchSchema. ' +
          `Invalid attribute: ${name}`,
      )
  if (partition && !equalities.some(({ name }) => name === partition.name))
    throw validation('SearchConditionExpression must be provided when SearchSchema has a HASH key')
  for (const { name, value } of equalities) {
    const type = searchable.get(name)!
    if (value[type] === undefined)
      throw validation(
        `Type of '${name}' attribute in SearchConditionExpression (${typeOf(value)}) ` +
          `does not match type in search schema (${type})`,
      )
    const empty = name === partition?.name ? emptyKind(value) : undefined
    if (empty) throw emptyKey(name, empty)
  }
}
