import type { Store } from '../store/port.js'
import { memoryKeyValues } from './keyvalues/memory.js'
import { engineStore } from './store.js'
import { Tokens } from './transactions/tokens.js'

export interface MemoryOptions {
  /** The region that shows in ARNs. */
  readonly region?: string
  /** The account that shows in ARNs. */
  readonly accountId?: string
  /** The time in milliseconds since 1970, where the clock of the machine is not wanted. */
  readonly now?: () => number
}

/** A store that lives in this process and is gone with it. */
export function memory(options: MemoryOptions = {}): Store {
  return engineStore({
    keyValues: memoryKeyValues(),
    tables: new Map(),
    tokens: new Tokens(),
    now: options.now ?? Date.now,
    region: options.region ?? 'us-east-1',
    accountId: options.accountId ?? '000000000000',
  })
}
