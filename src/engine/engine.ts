import { ExpressionReader } from './expressions/read.js'
import type { KeyValues } from './keyvalues/port.js'
import type { StreamRegister } from './streams/register.js'
import { type StreamOptions, type StreamSettings, streamSettings } from './streams/settings.js'
import { Agenda } from './tables/agenda.js'
import type { Table } from './tables/table.js'
import { Tokens } from './transactions/tokens.js'
import type { Stored } from './values/stored.js'

const CACHED_EXPRESSIONS = 1000
const EXPIRY_DELAY_MS = 60_000

/** What every operation works on. */
export interface Engine {
  readonly keyValues: KeyValues<Stored>
  readonly tables: Map<string, Table>
  readonly streams: StreamRegister
  readonly tokens: Tokens
  readonly expressions: ExpressionReader
  readonly agenda: Agenda
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly region: string
  readonly accountId: string
  readonly settings: EngineSettings
}

interface EngineSettings {
  readonly transitionMs: number
  readonly expiryDelayMs: number
  readonly streams: StreamSettings
}

export interface EngineOptions {
  /** The region that shows in ARNs. */
  readonly region?: string
  /** The account that shows in ARNs. */
  readonly accountId?: string
  /** How many texts of each kind of expression are kept parsed; 1,000 unless said. Nothing else is cached. */
  readonly cachedExpressions?: number
  /** The time in milliseconds since 1970, where the clock of the machine is not wanted. */
  readonly now?: () => number
  /** How long a table is being created, updated or deleted; no time at all unless said. */
  readonly transitionMs?: number
  /** How long an item stays after its time to live is over; one minute unless said. */
  readonly expiryDelayMs?: number
  readonly streams?: StreamOptions
}

export function newEngine(keyValues: KeyValues<Stored>, options: EngineOptions = {}): Engine {
  return {
    keyValues,
    tables: new Map(),
    streams: new Map(),
    tokens: new Tokens(keyValues.space('tokens')),
    expressions: new ExpressionReader(whole('cachedExpressions', options.cachedExpressions ?? CACHED_EXPRESSIONS)),
    agenda: new Agenda(),
    now: options.now ?? Date.now,
    region: options.region ?? 'us-east-1',
    accountId: options.accountId ?? '000000000000',
    settings: {
      transitionMs: whole('transitionMs', options.transitionMs ?? 0),
      expiryDelayMs: whole('expiryDelayMs', options.expiryDelayMs ?? EXPIRY_DELAY_MS),
      streams: streamSettings(options.streams),
    },
  }
}

function whole(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 0) return value
  throw new RangeError(`${name} is ${value}: give a whole number from 0`)
}
