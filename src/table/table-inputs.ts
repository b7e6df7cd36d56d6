import type { CreateTableInput } from '../dynamodb/operations/tables.js'
import type { UpdateTimeToLiveInput } from '../dynamodb/operations/time-to-live.js'
import type { TableDesign } from '../layout/design.js'
import { requireDesign } from '../layout/require-layout.js'
import { checkOptions } from '../schema/checks/assertions.js'
import * as definition from './table-definition.js'

/** The table of a layout as the port creates it. A TTL is no part of this request: see timeToLiveInput. */
export function createTableInput(
  design: TableDesign,
  options: { readonly table?: string | undefined } = {},
): CreateTableInput {
  checkOptions('createTableInput', options, 'table')
  return definition.toCreateTableInput(requireDesign(design), options)
}

/** What turns on the TTL of a layout, once the table is active; undefined where nothing expires. */
export function timeToLiveInput(
  design: TableDesign,
  options: { readonly table?: string | undefined } = {},
): UpdateTimeToLiveInput | undefined {
  checkOptions('timeToLiveInput', options, 'table')
  return definition.toTimeToLiveInput(requireDesign(design), options)
}
