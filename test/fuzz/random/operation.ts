import type { ServiceOperation } from '../../../src/store/port.js'
import type { Chance } from './chance.js'
import type { TableShape } from './tables.js'

/** A request, which may be one that no type allows. */
export interface Call {
  readonly operation: ServiceOperation
  readonly request: Record<string, unknown>
}

/** What operations are made from. */
export interface Ground {
  readonly chance: Chance
  readonly tables: readonly TableShape[]
}

export function capacityAsked({ chance }: Ground): Record<string, unknown> {
  return chance.maybe(0.6, () => ({ ReturnConsumedCapacity: chance.pick(['INDEXES', 'INDEXES', 'TOTAL', 'NONE']) }))
}
