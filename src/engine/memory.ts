import type { Store } from '../store/port.js'
import { ExpressionReader } from './expressions/read.js'
import { memoryKeyValues } from './keyvalues/memory.js'
import { engineStore } from './store.js'
import { Tokens } from './transactions/tokens.js'

const CACHED_EXPRESSIONS = 1000

export interface MemoryOptions {
  /** The region that shows in ARNs. */
  readonly region?: string
  /** The account that shows in ARNs. */
  readonly accountId?: string
  /** How many texts of each kind of expression are kept parsed; 1,000 unless said. Nothing else is cached. */
  readonly cachedExpressions?: number
  /** The time in milliseconds since 1970, where the clock of the machine is not wanted. */
  readonly now?: () => number
}

/** A store that lives in this process and is gone with it. */
export function memory(options: MemoryOptions = {}): Store {
  const { cachedExpressions = CACHED_EXPRESSIONS } = options
  if (!Number.isInteger(cachedExpressions) || cachedExpressions < 0)
    throw new RangeError(`cachedExpressions is ${cachedExpressions}: give a whole number from 0`)
  return engineStore({
    keyValues: memoryKeyValues(),
    tables: new Map(),
    tokens: new Tokens(),
    expressions: new ExpressionReader(cachedExpressions),
    now: options.now ?? Date.now,
    region: options.region ?? 'us-east-1',
    accountId: options.accountId ?? '000000000000',
  })
}
