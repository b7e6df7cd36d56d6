import type { CreateTableInput, UpdateTimeToLiveInput } from '../dynamodb/operation-types.js'
import type { TableDesign } from '../layout/design.js'
import { requireDesign } from '../layout/require-layout.js'
import { checkOptions } from '../schema/checks/assertions.js'
import * as definition from './table-definition.js'

/**
 * Returns the input of CreateTable for a design. The TTL is a separate request: see `timeToLiveInput`.
 *
 * @param options - `table` is the name of the table; that of the design by default
 * @throws {call.argument} if `design` is not a table design
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { createTableInput } from 'edgewise/table'
 *
 * const { design } = layout(graph('social', [node('user', { name: string() }, { id: 'name' })]))
 * await memory().createTable(createTableInput(design))
 * ```
 */
export function createTableInput(
  design: TableDesign,
  options: { readonly table?: string | undefined } = {},
): CreateTableInput {
  checkOptions('createTableInput', options, 'table')
  return definition.toCreateTableInput(requireDesign(design), options)
}

/**
 * Returns the input of UpdateTimeToLive for a design. Send it when the table is active.
 *
 * @param options - `table` is the name of the table; that of the design by default
 * @returns the input, or undefined if the design has no expiry attribute
 * @throws {call.argument} if `design` is not a table design
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { createTableInput, timeToLiveInput } from 'edgewise/table'
 *
 * const { design } = layout(graph('social', [node('user', { name: string() }, { id: 'name' })]))
 * const store = memory()
 * await store.createTable(createTableInput(design))
 * const timeToLive = timeToLiveInput(design)
 * if (timeToLive) await store.updateTimeToLive(timeToLive)
 * ```
 */
export function timeToLiveInput(
  design: TableDesign,
  options: { readonly table?: string | undefined } = {},
): UpdateTimeToLiveInput | undefined {
  checkOptions('timeToLiveInput', options, 'table')
  return definition.toTimeToLiveInput(requireDesign(design), options)
}
