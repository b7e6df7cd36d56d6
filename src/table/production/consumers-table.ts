import type { TableDesign } from '../../layout/design.js'

/** The key of the small table of consumers. */
export const CONSUMERS_KEYS = { partition: 'PK', sort: 'SK' } as const

/** The name of the small table of those who follow a table, unless another is given. */
export function consumersName(table: string): string {
  return `${table}-consumers`
}

/** The small table in which consumers keep leases, checkpoints and dead letters: no stream, no index. */
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
