import { AccessTrackingMap } from './access-tracking-map.js'
import { BackupRegister } from './backups/backup.js'
import { ExpressionReader } from './expressions/expression-reader.js'
import type { KeyValueStore } from './keyvalues/port.js'
import { QueryForms } from './reads/query-forms.js'
import { REMOVAL_BATCH_SIZE } from './removal-batch.js'
import { type Delay, parseDelay, type SimulatedDelay } from './simulated-delay.js'
import type { StreamRegister } from './streams/stream-register.js'
import { parseStreamSettings, type StreamOptions, type StreamSettings } from './streams/stream-settings.js'
import { Schedule } from './tables/schedule.js'
import type { Table } from './tables/table.js'
import { Traffic } from './traffic/traffic.js'
import {
  type HeatOptions,
  parseHeatKeys,
  parseThrottleSettings,
  type ThrottleOptions,
} from './traffic/traffic-settings.js'
import { IdempotencyTokens } from './transactions/idempotency-tokens.js'
import { InFlightTransactions } from './transactions/in-flight-transactions.js'
import type { StoredItem } from './values/stored-item.js'

const CACHED_EXPRESSIONS = 1000
const EXPIRY_DELAY_MS = 60_000
/** AWS's own example. On AWS nobody has 000000000000, so that its ARNs are always denied. */
const ACCOUNT_ID = '123456789012'

/** What every operation works on. */
export interface Engine {
  readonly keyValues: KeyValueStore<StoredItem>
  readonly tables: AccessTrackingMap<Table>
  readonly streams: StreamRegister
  readonly backups: BackupRegister
  readonly tokens: IdempotencyTokens
  readonly expressions: ExpressionReader
  readonly queryForms: QueryForms
  readonly schedule: Schedule
  /** Where transactions take time. */
  readonly inFlight: InFlightTransactions | undefined
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
  readonly expiryBatchSize: number
  readonly indexLag: SimulatedDelay | undefined
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

export function newEngine(keyValues: KeyValueStore<StoredItem>, options: EngineOptions = {}): Engine {
  const { seed = 0, now = () => Date.now() } = options
  const conflicts = parseDelay('conflicts', options.conflicts, seed)
  const cached = checkWholeNumber('cachedExpressions', options.cachedExpressions ?? CACHED_EXPRESSIONS)
  return {
    keyValues,
    tables: new AccessTrackingMap(),
    streams: new AccessTrackingMap(),
    backups: new BackupRegister(),
    tokens: new IdempotencyTokens(keyValues.space('tokens')),
    expressions: new ExpressionReader(cached),
    queryForms: new QueryForms(cached),
    schedule: new Schedule(),
    traffic: newTraffic(options, now),
    inFlight: conflicts && new InFlightTransactions(conflicts, now, options.now === undefined),
    now,
    region: options.region ?? 'us-east-1',
    accountId: options.accountId ?? ACCOUNT_ID,
    settings: {
      transitionMs: checkWholeNumber('transitionMs', options.transitionMs ?? 0),
      expiryDelayMs: checkWholeNumber('expiryDelayMs', options.expiryDelayMs ?? EXPIRY_DELAY_MS),
      // Who moves the clock by hand counts on all being gone.
      expiryBatchSize: options.now ? Number.POSITIVE_INFINITY : REMOVAL_BATCH_SIZE,
      indexLag: parseDelay('indexLag', options.indexLag, seed),
      streams: parseStreamSettings(options.streams, seed),
    },
  }
}

function newTraffic(options: EngineOptions, now: () => number): Traffic | undefined {
  const throttle = parseThrottleSettings(options.throttle)
  const keys = parseHeatKeys(options.heat)
  return throttle || keys !== undefined ? new Traffic(throttle, keys ?? parseHeatKeys(true)!, now) : undefined
}

function checkWholeNumber(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 0) return value
  throw new RangeError(`${name} is ${value}: give a whole number from 0`)
}
