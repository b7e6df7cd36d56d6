import { REMOVED_AT_ONCE } from './at-once.js'
import { BackupRegister } from './backups/backup.js'
import { type Delay, type Delaying, delaying } from './delay.js'
import { ExpressionReader } from './expressions/read.js'
import type { KeyValues } from './keyvalues/port.js'
import { QueryForms } from './reads/forms.js'
import { Register } from './register.js'
import type { StreamRegister } from './streams/register.js'
import { type StreamOptions, type StreamSettings, streamSettings } from './streams/settings.js'
import { Agenda } from './tables/agenda.js'
import type { Table } from './tables/table.js'
import { type HeatOptions, heatKeys, type ThrottleOptions, throttleSettings } from './traffic/settings.js'
import { Traffic } from './traffic/traffic.js'
import { InFlight } from './transactions/in-flight.js'
import { Tokens } from './transactions/tokens.js'
import type { Stored } from './values/stored.js'

const CACHED_EXPRESSIONS = 1000
const EXPIRY_DELAY_MS = 60_000
/** AWS's own example. On AWS nobody has 000000000000, so that its ARNs are always denied. */
const ACCOUNT_ID = '123456789012'

/** What every operation works on. */
export interface Engine {
  readonly keyValues: KeyValues<Stored>
  readonly tables: Register<Table>
  readonly streams: StreamRegister
  readonly backups: BackupRegister
  readonly tokens: Tokens
  readonly expressions: ExpressionReader
  readonly queryForms: QueryForms
  readonly agenda: Agenda
  /** Where transactions take time. */
  readonly inFlight: InFlight | undefined
  /** Where it is counted or throttled. */
  readonly traffic: Traffic | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly region: string
  readonly accountId: string
  readonly settings: EngineSettings
}

interface EngineSettings {
  readonly transitionMs: number
  readonly expiryDelayMs: number
  readonly expiredAtOnce: number
  readonly indexLag: Delaying | undefined
  readonly streams: StreamSettings
}

export interface EngineOptions {
  /** The region that shows in ARNs. */
  readonly region?: string | undefined
  /** The account that shows in ARNs, 123456789012 unless said. What the ARN of another names is not to be seen. */
  readonly accountId?: string | undefined
  /** How many texts of each kind of expression are kept parsed, and forms of queries; 1,000 unless said. Nothing else is cached. */
  readonly cachedExpressions?: number | undefined
  /** The time in milliseconds since 1970, where the clock of the machine is not wanted. */
  readonly now?: (() => number) | undefined
  /** How long a table or an index is being created, restored, updated or deleted, or a backup made; no time at all unless said. */
  readonly transitionMs?: number | undefined
  /** How long an item stays after its time to live is over; one minute unless said. */
  readonly expiryDelayMs?: number | undefined
  /** What is left to chance follows from this number, the clock and the calls in their order; 0 unless said. */
  readonly seed?: number | undefined
  /**
   * How long a global index, or one of vectors, does not show a write yet, as on DynamoDB; no time at all unless said.
   * The writes of an item show in their order. Tables and local indexes always show all.
   */
  readonly indexLag?: Delay | undefined
  /**
   * How long a transaction of writes is under way; no time at all unless said. Whoever writes one of its items meanwhile,
   * or reads it in a transaction, meets a conflict, as on DynamoDB. The answer comes when that time is over or, where
   * `now` is given, at once.
   */
  readonly conflicts?: Delay | undefined
  /**
   * Whether requests are throttled as on DynamoDB: by the provisioned capacity of a table and of each global index, with
   * what was saved of it; by the bounds of those on demand; by what one partition can take. Never unless said.
   */
  readonly throttle?: boolean | ThrottleOptions | undefined
  /** Whether reads and writes are counted by partition key, for `heat` of the store to tell; no unless said. */
  readonly heat?: boolean | HeatOptions | undefined
  readonly streams?: StreamOptions | undefined
}

/** Their names. */
export const ENGINE_OPTIONS =
  'region, accountId, cachedExpressions, now, transitionMs, expiryDelayMs, seed, indexLag, conflicts, throttle, heat, streams'

export function newEngine(keyValues: KeyValues<Stored>, options: EngineOptions = {}): Engine {
  const { seed = 0, now = () => Date.now() } = options
  const conflicts = delaying('conflicts', options.conflicts, seed)
  const cached = whole('cachedExpressions', options.cachedExpressions ?? CACHED_EXPRESSIONS)
  return {
    keyValues,
    tables: new Register(),
    streams: new Register(),
    backups: new BackupRegister(),
    tokens: new Tokens(keyValues.space('tokens')),
    expressions: new ExpressionReader(cached),
    queryForms: new QueryForms(cached),
    agenda: new Agenda(),
    traffic: newTraffic(options, now),
    inFlight: conflicts && new InFlight(conflicts, now, options.now === undefined),
    now,
    region: options.region ?? 'us-east-1',
    accountId: options.accountId ?? ACCOUNT_ID,
    settings: {
      transitionMs: whole('transitionMs', options.transitionMs ?? 0),
      expiryDelayMs: whole('expiryDelayMs', options.expiryDelayMs ?? EXPIRY_DELAY_MS),
      // Who moves the clock by hand counts on all being gone.
      expiredAtOnce: options.now ? Number.POSITIVE_INFINITY : REMOVED_AT_ONCE,
      indexLag: delaying('indexLag', options.indexLag, seed),
      streams: streamSettings(options.streams, seed),
    },
  }
}

function newTraffic(options: EngineOptions, now: () => number): Traffic | undefined {
  const throttle = throttleSettings(options.throttle)
  const keys = heatKeys(options.heat)
  return throttle || keys !== undefined ? new Traffic(throttle, keys ?? heatKeys(true)!, now) : undefined
}

function whole(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 0) return value
  throw new RangeError(`${name} is ${value}: give a whole number from 0`)
}
