import type { CreateTableRequest } from '../dynamodb/operations/tables.js'
import type { UpdateTimeToLiveRequest } from '../dynamodb/operations/time-to-live.js'
import type { TableDesign } from '../layout/design.js'
import { givenDesign } from '../layout/given-layout.js'
import { checkOptions } from '../schema/refusal.js'
import * as definition from './definition.js'

/** The table of a layout as the port creates it. A TTL is no part of this request: see timeToLiveRequest. */
export function createTableRequest(
  design: TableDesign,
  options: { readonly table?: string | undefined } = {},
): CreateTableRequest {
  checkOptions('createTableRequest', options, 'table')
  return definition.createTableRequest(givenDesign(design), options)
}

/** What turns on the TTL of a layout, once the table is active; undefined where nothing expires. */
export function timeToLiveRequest(
  design: TableDesign,
  options: { readonly table?: string | undefined } = {},
): UpdateTimeToLiveRequest | undefined {
  checkOptions('timeToLiveRequest', options, 'table')
  return definition.timeToLiveRequest(givenDesign(design), options)
}
