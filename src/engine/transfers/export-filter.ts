import type { Item } from '../../dynamodb/attribute-value.js'
import type { FilterSpecification } from '../../dynamodb/operation-types.js'
import type { Engine } from '../engine.js'
import { validationError } from '../errors.js'
import { checkScalarKeys } from '../keys/check-key.js'
import type { KeyRange } from '../keyvalues/port.js'
import { bindKeyCondition, toKeyRange } from '../reads/key-range.js'
import type { Table } from '../tables/table.js'

/** Which items an export has, and which of their attributes. */
export interface ExportFilter {
  readonly range: KeyRange
  test(item: Item): boolean
  project(item: Item): Item
}

const ALL: KeyRange = { from: '', to: undefined, reverse: false }
export const NO_FILTER: ExportFilter = { range: ALL, test: () => true, project: item => item }

/** @throws {ValidationException} where an expression of the filter is wrong. */
export function readExportFilter(engine: Engine, table: Table, specification: FilterSpecification): ExportFilter {
  const { FilterExpression, ProjectionExpression, KeyConditionExpression } = specification
  if ([FilterExpression, ProjectionExpression, KeyConditionExpression].every(each => each === undefined))
    throw validationError('Invalid Request: Invalid FilterSpecification: The specification can not be empty')
  const { filter, projection, keyCondition } = engine.expressions.read({ ...specification }, 'current', [
    'FilterExpression',
    'KeyConditionExpression',
  ])
  checkScalarKeys(table, projection?.nestedNames)
  checkScalarKeys(table, filter?.nestedNames)
  if (keyCondition && filter) assertNoKeys(table, filter.names)
  const source = { table, index: undefined, keys: table.keys, space: table.space }
  const range = keyCondition ? { ...toKeyRange(bindKeyCondition(keyCondition, source)), reverse: false } : ALL
  return {
    range,
    test: item => filter?.test(item) ?? true,
    project: item => projection?.project(item) ?? item,
  }
}

/** With a key condition, the filter is for other attributes. */
function assertNoKeys({ keys }: Table, names: ReadonlySet<string>): void {
  for (const { name } of [...keys.partition, ...keys.sort])
    if (names.has(name))
      throw validationError(
        `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`,
      )
}
