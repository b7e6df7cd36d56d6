import { resolve } from 'node:path'
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
import { BackgroundJobs } from './transfers/background-jobs.js'
import type { TableExport } from './transfers/table-export.js'
import type { TableImport } from './transfers/table-import.js'
import { TransferRegister } from './transfers/transfer-register.js'
import type { StoredItem } from './values/stored-item.js'

const CACHED_EXPRESSIONS = 1000
const EXPIRY_DELAY_MS = 60_000
/**
 * The account ID of AWS's own examples. On AWS no account has the ID 000000000000, so requests with its ARNs are always
 * denied.
 */
const ACCOUNT_ID = '123456789012'

/** The state that every operation works on. */
export interface Engine {
  readonly keyValues: KeyValueStore<StoredItem>
  readonly tables: AccessTrackingMap<Table>
  readonly streams: StreamRegister
  readonly backups: BackupRegister
  readonly exports: TransferRegister<TableExport>
  readonly imports: TransferRegister<TableImport>
  /** Exports and imports that are in progress. */
  readonly jobs: BackgroundJobs
  readonly tokens: IdempotencyTokens
  readonly expressions: ExpressionReader
  readonly queryForms: QueryForms
  readonly schedule: Schedule
  /** Present when the option `conflicts` makes transactions take time. */
  readonly inFlight: InFlightTransactions | undefined
  /** Present when traffic is counted or throttled. */
  readonly traffic: Traffic | undefined
  /** Returns milliseconds since 1970. */
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
  readonly exportsFolder: string | undefined
}

/** Options of every embedded engine, in memory and on disk. */
export interface EngineOptions {
  /** The region in ARNs; default `us-east-1`. */
  readonly region?: string | undefined
  /** The account in ARNs; default 123456789012. Resources of other accounts are not accessible. */
  readonly accountId?: string | undefined
  /**
   * The number of parsed expressions of each kind, and of query forms, that are cached; default 1,000. Nothing else is
   * cached.
   */
  readonly cachedExpressions?: number | undefined
  /** Returns the current time in milliseconds since 1970; default the clock of the machine. */
  readonly now?: (() => number) | undefined
  /**
   * How many milliseconds a table or an index stays in the status of being created, restored, updated or deleted, or a
   * backup of being created; default 0.
   */
  readonly transitionMs?: number | undefined
  /** How many milliseconds an item still exists after its time to live has passed; default 60,000. */
  readonly expiryDelayMs?: number | undefined
  /** The seed of all randomness; default 0. The same seed, clock and order of calls give the same results. */
  readonly seed?: number | undefined
  /**
   * How long a write stays invisible in global and vector indexes, as on DynamoDB; default no delay. The writes of one
   * item become visible in their order. Tables and local indexes are always consistent.
   */
  readonly indexLag?: Delay | undefined
  /**
   * How long a write transaction is in progress; default no time. A concurrent write or transactional read of one of
   * its items gets a conflict, as on DynamoDB. The transaction responds when this time is over, or immediately when
   * `now` is set.
   */
  readonly conflicts?: Delay | undefined
  /**
   * Whether requests are throttled as on DynamoDB: by the provisioned capacity of tables and global indexes including
   * burst capacity, by the maximum of on-demand tables, and by the limits of one partition; default false.
   */
  readonly throttle?: boolean | ThrottleOptions | undefined
  /** Whether reads and writes are counted by partition key for the method `heat` of the store; default false. */
  readonly heat?: boolean | HeatOptions | undefined
  /** The shards of streams, and how their records are delivered and retained. */
  readonly streams?: StreamOptions | undefined
  /**
   * The folder that stands for Amazon S3, for exports and imports of tables. Each bucket is a folder in it. Without this
   * option, exports and imports are refused.
   */
  readonly exports?: string | undefined
}

/** The names of the options of every engine. */
export const ENGINE_OPTIONS =
  'region, accountId, cachedExpressions, now, transitionMs, expiryDelayMs, seed, indexLag, conflicts, throttle, heat, streams, exports'

export function newEngine(keyValues: KeyValueStore<StoredItem>, options: EngineOptions = {}): Engine {
  const { seed = 0, now = () => Date.now() } = options
  const conflicts = parseDelay('conflicts', options.conflicts, seed)
  const cached = checkWholeNumber('cachedExpressions', options.cachedExpressions ?? CACHED_EXPRESSIONS)
  return {
    keyValues,
    tables: new AccessTrackingMap(),
    streams: new AccessTrackingMap(),
    backups: new BackupRegister(),
    exports: new TransferRegister(),
    imports: new TransferRegister(),
    jobs: new BackgroundJobs(),
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
      // A program that sets the clock itself expects all expired items to be removed at once.
      expiryBatchSize: options.now ? Number.POSITIVE_INFINITY : REMOVAL_BATCH_SIZE,
      indexLag: parseDelay('indexLag', options.indexLag, seed),
      streams: parseStreamSettings(options.streams, seed),
      exportsFolder: exportsFolderOf(options.exports),
    },
  }
}

function newTraffic(options: EngineOptions, now: () => number): Traffic | undefined {
  const throttle = parseThrottleSettings(options.throttle)
  const keys = parseHeatKeys(options.heat)
  return throttle || keys !== undefined ? new Traffic(throttle, keys ?? parseHeatKeys(true)!, now) : undefined
}

function exportsFolderOf(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  // An empty path would be the folder in which the program runs.
  if (typeof path !== 'string' || path === '')
    throw new TypeError(
      "exports: the value is not the path of a folder; give one, as in memory({ exports: './exports' }).",
    )
  return resolve(path)
}

function checkWholeNumber(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 0) return value
  throw new RangeError(`${name}: ${value} is out of range; use a whole number from 0.`)
}
