import { TABLE_INCLUDED_ATTRIBUTES } from '../../../dynamodb/limits.js'
import type { Projection } from '../../../dynamodb/operation-types.js'
import { invalidParameterError } from '../../errors.js'

export function checkIndexProjection({ ProjectionType, NonKeyAttributes }: Projection): void {
  if (!ProjectionType) throw invalidParameterError('Unknown ProjectionType: null')
  if (ProjectionType !== 'INCLUDE') {
    if (!NonKeyAttributes) return
    throw invalidParameterError(`ProjectionType is ${ProjectionType}, but NonKeyAttributes is specified`)
  }
  if (!NonKeyAttributes) throw invalidParameterError('ProjectionType is INCLUDE, but NonKeyAttributes is not specified')
  const repeated = NonKeyAttributes.find((name, at) => NonKeyAttributes.indexOf(name) < at)
  if (repeated !== undefined) throw invalidParameterError(`Duplicate element in NonKeyAttributes: ${repeated}`)
}

/** Checks the total number of included attributes. An attribute in two indexes counts twice. */
export function checkIncludedTotal(indexes: readonly { Projection: Projection }[]): void {
  let included = 0
  for (const { Projection } of indexes) included += Projection.NonKeyAttributes?.length ?? 0
  if (included <= TABLE_INCLUDED_ATTRIBUTES) return
  throw invalidParameterError(
    'The total count of attributes provided in NonKeyAttributes, summed across all of the secondary indexes, ' +
      `must not exceed ${TABLE_INCLUDED_ATTRIBUTES}`,
  )
}

/** Adds names to the used index names and throws on a duplicate. Indexes of all kinds share one namespace. */
export function checkIndexNames(indexes: readonly { IndexName: string }[], usedNames: Set<string>): void {
  for (const { IndexName } of indexes) {
    if (usedNames.has(IndexName)) throw invalidParameterError(`Duplicate index name: ${IndexName}`)
    usedNames.add(IndexName)
  }
}
