import type { TableDesign } from '../../layout/design.js'

/** The key of the consumers table. */
export const CONSUMERS_KEYS = { partition: 'PK', sort: 'SK' } as const

/**
 * Returns the default name of the consumers table of a table.
 *
 * @example
 * ```ts
 * import { consumersName } from 'edgewise/table'
 *
 * console.log(consumersName('social'))
 * ```
 */
export function consumersName(table: string): string {
  return `${table}-consumers`
}

/**
 * Returns the design of the consumers table, in which `follow` stores leases, checkpoints and dead letters. It has no
 * stream and no index.
 *
 * @example
 * ```ts
 * import { memory } from 'edgewise/engine'
 * import { consumersDesign, consumersName, createTableInput } from 'edgewise/table'
 *
 * await memory().createTable(createTableInput(consumersDesign(consumersName('social'))))
 * ```
 */
export function consumersDesign(name: string): TableDesign {
  return {
    name,
    keys: CONSUMERS_KEYS,
    attributes: { [CONSUMERS_KEYS.partition]: 'S', [CONSUMERS_KEYS.sort]: 'S' },
    indexes: [],
    capacity: 'on-demand',
    stream: 'none',
    expires: undefined,
    tenant: false,
  }
}
