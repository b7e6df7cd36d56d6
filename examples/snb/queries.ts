import type { SocialNetwork } from './load.js'
import type { Meter } from './meter.js'

/** The graph that a query reads, and the meter of its price. */
export interface Ask {
  readonly g: SocialNetwork
  readonly meter: Meter
}

/** Friends of friends of somebody with many friends pass the default of 100 requests. */
export const BUDGET = { requests: 10_000 }
