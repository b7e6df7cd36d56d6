import { TABLE_INCLUDED_ATTRIBUTES } from '../../dynamodb/limits.js'
import type { Projection } from '../../dynamodb/operations/indexes.js'
import { invalidParameter } from '../errors.js'

export function checkProjection({ ProjectionType, NonKeyAttributes }: Projection): void {
  if (!ProjectionType) throw invalidParameter('Unknown ProjectionType: null')
  if (ProjectionType !== 'INCLUDE') {
    if (!NonKeyAttributes) return
    throw invalidParameter(`ProjectionType is ${ProjectionType}, but NonKeyAttributes is specified`)
  }
  if (!NonKeyAttributes) throw invalidParameter('ProjectionType is INCLUDE, but NonKeyAttributes is not specified')
  const repeated = NonKeyAttributes.find((name, at) => NonKeyAttributes.indexOf(name) < at)
  if (repeated !== undefined) throw invalidParameter(`Duplicate element in NonKeyAttributes: ${repeated}`)
}

/** An attribute that two indexes include counts twice. */
export function checkIncludedInTotal(indexes: readonly { Projection: Projection }[]): void {
  let included = 0
  for (const { Projection } of indexes) included += Projection.NonKeyAttributes?.length ?? 0
  if (included <= TABLE_INCLUDED_ATTRIBUTES) return
  throw invalidParameter(
    'The total count of attributes provided in NonKeyAttributes, summed across all of the secondary indexes, ' +
      `must not exceed ${TABLE_INCLUDED_ATTRIBUTES}`,
  )
}

/** Adds to the names that the table's indexes have, of whatever kind. */
export function checkIndexNames(indexes: readonly { IndexName: string }[], taken: Set<string>): void {
  for (const { IndexName } of indexes) {
    if (taken.has(IndexName)) throw invalidParameter(`Duplicate index name: ${IndexName}`)
    taken.add(IndexName)
  }
}
