import {
  INDEX_INCLUDED_ATTRIBUTES,
  VECTOR_DIMENSIONS,
  VECTOR_FILTERS,
  VECTOR_INDEXES,
} from '../../../dynamodb/limits.js'
import type { BillingMode, SearchSchemaElement, VectorIndex } from '../../../dynamodb/operation-types.js'
import { invalidParameterError } from '../../errors.js'
import { checkIndexNames, checkIndexProjection } from './indexes.validation.js'

export function checkVectorIndexes(
  indexes: readonly VectorIndex[],
  defined: readonly string[],
  billing: BillingMode,
  names: Set<string>,
): void {
  if (indexes.length === 0) return
  if (billing !== 'PAY_PER_REQUEST') {
    throw vectorsRequireOnDemandError()
  }
  for (const index of indexes) checkVectorIndex(index, defined)
  checkIndexNames(indexes, names)
  if (indexes.length > VECTOR_INDEXES) {
    throw invalidParameterError(`VectorIndex count exceeds the per-table limit of ${VECTOR_INDEXES}`)
  }
  checkVectorDimensions(indexes)
  checkVectorsAreNotKeys(indexes, defined)
}

export const vectorsRequireOnDemandError = () =>
  invalidParameterError('Vector indexes are only supported for PAY_PER_REQUEST tables')

export function checkVectorIndex(
  { Dimensions, Projection, SearchSchema, VectorAttribute }: VectorIndex,
  defined: readonly string[],
): void {
  if (Dimensions < 1 || Dimensions > VECTOR_DIMENSIONS) {
    throw invalidParameterError(`Number of dimensions must be between 1 and ${VECTOR_DIMENSIONS} inclusive.`)
  }
  checkIndexProjection(Projection)
  checkIncluded(Projection.NonKeyAttributes ?? [], VectorAttribute.AttributeName!)
  checkSearchSchema(SearchSchema ?? [], defined)
}

/** Checks the number of included attributes. The vector counts, whether it is listed or not. */
function checkIncluded(names: readonly string[], vector: string): void {
  if (new Set([...names, vector]).size <= INDEX_INCLUDED_ATTRIBUTES) return
  throw invalidParameterError(
    `Number of projected attributes exceeds the per-index limit of ${INDEX_INCLUDED_ATTRIBUTES}`,
  )
}

function checkCount(
  schema: readonly SearchSchemaElement[],
  role: NonNullable<SearchSchemaElement['SearchSchemaElementType']>,
  max: number,
): void {
  const count = schema.filter(element => element.SearchSchemaElementType === role).length
  if (count <= max) return
  throw invalidParameterError(
    `Value '${count}' at 'SearchSchema' failed to satisfy constraint: ` +
      `Member must have ${role} count less than or equal to ${max}`,
  )
}

function checkSearchSchema(schema: readonly SearchSchemaElement[], defined: readonly string[]): void {
  const names = schema.map(element => element.AttributeName!)
  if (!names.every(name => defined.includes(name))) {
    throw invalidParameterError('One element in SearchSchema is not defined in attribute definitions')
  }
  checkCount(schema, 'HASH', 1)
  checkCount(schema, 'INLINE_FILTER', VECTOR_FILTERS)
  if (new Set(names).size < names.length) throw invalidParameterError('SearchSchema contains a duplicate AttributeName')
}

/** Checks that all vector indexes on the same attribute have the same dimensions. */
export function checkVectorDimensions(indexes: readonly VectorIndex[]): void {
  const dimensions = new Map<string, number>()
  for (const { VectorAttribute, Dimensions } of indexes) {
    const name = VectorAttribute.AttributeName!
    if ((dimensions.get(name) ?? Dimensions) !== Dimensions) {
      throw conflictingDefinitionError(
        name,
        'All VectorIndexes on the same vector attribute must use the same dimensions.',
      )
    }
    dimensions.set(name, Dimensions)
  }
}

/** Checks that no vector attribute is a key attribute. */
export function checkVectorsAreNotKeys(indexes: readonly VectorIndex[], defined: readonly string[]): void {
  for (const { VectorAttribute } of indexes) {
    const name = VectorAttribute.AttributeName!
    if (!defined.includes(name)) continue
    throw conflictingDefinitionError(
      name,
      'An attribute cannot be defined in AttributeDefinitions when used as a VectorAttribute.',
    )
  }
}

const conflictingDefinitionError = (name: string, detail: string) =>
  invalidParameterError(`Conflicting attribute definition for '${name}'. ${detail}`)
