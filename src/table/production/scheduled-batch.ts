import { rejectDeclarationIf } from '../../schema/checks/assertions.js'
import { fitName } from '../export/fit-name.js'
import type { WithoutUndefined } from './check-options.js'

/** The options of a batch that runs by schedule, on Spark in EMR Serverless. */
export interface ScheduledBatchOptions {
  /** An S3 bucket in the region of the table, for exports, the program, its results and its logs. */
  readonly bucket: string
  /** The folder in the bucket; by default the name of the table. */
  readonly prefix?: string | undefined
  /**
   * The start of the batch, as a cron or rate expression of EventBridge Scheduler; 03:00 every night by default. The
   * batch needs a complete export, so give `exportSchedule` too.
   */
  readonly schedule?: string | undefined
  /** The start of the export, in the same form; 01:00 every night by default. `false` exports nothing. */
  readonly exportSchedule?: string | false | undefined
  /** The time zone of both schedules; UTC by default. */
  readonly timezone?: string | undefined
  /** The release of EMR; emr-spark-8.0.0 by default, which has Spark 4. */
  readonly release?: string | undefined
  /** The maximum number of vCPUs at a time, 8 to 4,000; 64 by default. Each has 4 GB of memory. */
  readonly maxVcpus?: number | undefined
  /** The maximum duration of a run, 1 minute to 7 days; 6 hours by default. */
  readonly timeoutMinutes?: number | undefined
}

/** The options with defaults filled in. */
export interface ScheduledBatchSettings {
  /** The name of the EMR Serverless application, of the group of schedules and of their roles. */
  readonly name: string
  readonly bucket: string
  readonly prefix: string
  readonly schedule: string
  /** Undefined without a scheduled export. */
  readonly exportSchedule: string | undefined
  readonly timezone: string
  readonly release: string
  readonly maxVcpus: number
  readonly timeoutMinutes: number
}

const DEFAULTS = {
  // The last release of EMR 7 has Spark 3.5, and the programs of `edgewise batch package` are tested with Spark 4.
  release: 'emr-spark-8.0.0',
  timezone: 'UTC',
  maxVcpus: 64,
  timeoutMinutes: 360,
}
const NIGHTLY = { exportSchedule: 'cron(0 1 * * ? *)', schedule: 'cron(0 3 * * ? *)' }

/** The memory of the default workers of EMR Serverless for Spark: 16 GB for 4 vCPUs. */
export const MEMORY_GB_PER_VCPU = 4
/** The idle time after which the application stops. Without workers held ready, an idle application costs nothing. */
export const IDLE_MINUTES = 15
/** The maximum length of the names of applications, groups of schedules and roles. */
export const MAX_NAME_CHARACTERS = 64
const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/
/** Other characters would need escapes in ARNs, in policies or in the formats of the exports. Spark resolves dots. */
const PREFIX = /^(?:(?!\.{1,2}(?:\/|$))[\w.=-]+(?:\/(?!$)|$))+$/
const SCHEDULE = /^(cron\([\w,*?/#-]+( [\w,*?/#-]+){5}\)|rate\([1-9]\d* (minute|hour|day)s?\))$/
const RELEASE = /^emr-(?:spark-)?(\d+)\.(\d+)\.\d+$/
/** Earlier releases report metrics without the name of the application, so their alarms would never fire. */
const OLDEST_RELEASE = [7, 10] as const

/** Returns the settings of the batch; undefined without one. `recoveryDays` are those of point-in-time recovery. */
export function resolveScheduledBatch(
  options: WithoutUndefined<ScheduledBatchOptions> | undefined,
  { table, recoveryDays }: { readonly table: string; readonly recoveryDays: number },
): ScheduledBatchSettings | undefined {
  if (options === undefined) return undefined
  const { bucket, prefix = table, schedule, exportSchedule } = options
  requireText('bucket', bucket, BUCKET, 'the name of an S3 bucket')
  requireText('prefix', prefix, PREFIX, "a folder of letters, digits, ., _, = and -, without '/' at its ends")
  const name = fitName(table, '-batch', MAX_NAME_CHARACTERS)
  const resolved = { ...DEFAULTS, ...options, name, prefix, ...resolveSchedules(schedule, exportSchedule) }
  requireTimezone(resolved.timezone)
  requireRelease(resolved.release)
  const cannotExport = resolved.exportSchedule !== undefined && recoveryDays === 0
  const advice = "an export needs point-in-time recovery; leave 'recovery' on, or give 'exportSchedule' as false"
  reject(cannotExport, 'exportSchedule', advice)
  return resolved
}

/** The defaults fit each other. A default next to a schedule of the user could start the batch before its export. */
function resolveSchedules(schedule: string | undefined, exportSchedule: string | false | undefined) {
  const isPair = schedule === undefined ? typeof exportSchedule !== 'string' : exportSchedule !== undefined
  const missing = schedule === undefined ? 'schedule' : 'exportSchedule'
  const advice = `give '${missing}' too, so that the export is complete when the batch starts`
  reject(!isPair, missing, advice)
  const schedules = {
    ...NIGHTLY,
    ...(schedule !== undefined && { schedule }),
    ...(typeof exportSchedule === 'string' && { exportSchedule }),
  }
  for (const [name, text] of Object.entries(schedules))
    requireText(name, text, SCHEDULE, "an expression such as 'cron(0 3 * * ? *)' or 'rate(1 day)'")
  return { ...schedules, exportSchedule: exportSchedule === false ? undefined : schedules.exportSchedule }
}

function requireTimezone(timezone: string): void {
  let isKnown = typeof timezone === 'string'
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch {
    isKnown = false
  }
  reject(!isKnown, 'timezone', "give 'timezone' as a time zone such as 'Europe/Berlin'")
}

function requireRelease(release: string): void {
  const [, major = '0', minor = '0'] = RELEASE.exec(release) ?? []
  const [oldestMajor, oldestMinor] = OLDEST_RELEASE
  const isOld = Number(major) < oldestMajor || (Number(major) === oldestMajor && Number(minor) < oldestMinor)
  reject(isOld, 'release', "give 'release' as a label such as emr-spark-8.0.0, from emr-7.10.0")
}

function requireText(name: string, value: unknown, pattern: RegExp, expected: string): void {
  reject(typeof value !== 'string' || !pattern.test(value), name, `give '${name}' as ${expected}`)
}

function reject(violation: boolean, name: string, advice: string): void {
  rejectDeclarationIf('batch', violation, 'call.argument', name, advice)
}
