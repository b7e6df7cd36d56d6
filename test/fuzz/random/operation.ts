import type { ServiceOperation } from '../../../src/store/port.js'
import type { Chance } from './seeded-random.js'
import type { TableShape } from './tables.js'

/** A request, which may violate its type. */
export interface Call {
  readonly operation: ServiceOperation
  readonly request: Record<string, unknown>
}

/** The source of random operations. */
export interface Ground {
  readonly chance: Chance
  readonly tables: readonly TableShape[]
}

export function capacityAsked({ chance }: Ground): Record<string, unknown> {
  return chance.maybe(0.6, () => ({ ReturnConsumedCapacity: chance.pick(['INDEXES', 'INDEXES', 'TOTAL', 'NONE']) }))
}
