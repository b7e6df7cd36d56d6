import { RECOVERY_DAYS } from '../../dynamodb/limits.js'
import type { Tag } from '../../dynamodb/operation-types.js'
import type { TableDesign } from '../../layout/design.js'
import { requireDesign } from '../../layout/require-layout.js'
import { rejectDeclarationIf } from '../../schema/checks/assertions.js'
import { checkIdentifier } from '../../schema/checks/names.js'
import { AWS_NAME_PATTERN } from '../aws-name.js'
import { checkProductionOptions, type WithoutUndefined } from './check-options.js'
import { resolveScheduledBatch, type ScheduledBatchOptions, type ScheduledBatchSettings } from './scheduled-batch.js'
import { resolveStreamConsumer, type StreamConsumerOptions, type StreamConsumerSettings } from './stream-consumer.js'

/** The settings of a table in production. Everything that protects data is on by default. */
export interface ProductionOptions {
  /** The name of the table; that of the design by default. */
  readonly table?: string | undefined
  /** Point-in-time recovery, or the number of days it covers (1 to 35); on by default. */
  readonly recovery?: boolean | { readonly days: number } | undefined
  /**
   * The encryption key for data at rest: owned by AWS (no charge, the default), the account's key for DynamoDB, or your
   * own.
   */
  readonly encryption?: 'aws-owned' | 'aws-managed' | { readonly keyArn: string } | undefined
  /**
   * Protects the table from deletion; on by default. CloudFormation then also retains the table when its stack is
   * deleted.
   */
  readonly deletionProtection?: boolean | undefined
  readonly tags?: Readonly<Record<string, string>> | undefined
  /** Autoscaling of a provisioned table; on by default. */
  readonly autoscaling?: false | AutoscalingOptions | undefined
  /** CloudWatch alarms; on by default. */
  readonly alarms?: false | AlarmOptions | undefined
  /** The consumer of the stream, if the design has a stream. */
  readonly consumer?: StreamConsumerOptions | undefined
  /** A batch that runs by schedule on EMR Serverless, with a scheduled export of the table; none by default. */
  readonly batch?: ScheduledBatchOptions | undefined
  /** Reports the most frequently used keys, for a charge per event; off by default. */
  readonly contributorInsights?: boolean | undefined
  /** Allows the application to scan; off by default. Only scan() and jobs over the whole table need it. */
  readonly scan?: boolean | undefined
  /** The principal tag that holds the tenant as keys contain it; `tenant` by default. */
  readonly tenantTag?: string | undefined
}

/** The options of autoscaling. */
export interface AutoscalingOptions {
  /** The target utilization in percent; 70 by default. */
  readonly targetPercent?: number | undefined
  /** The minimum as a multiple of the designed capacity; 1 by default. */
  readonly least?: number | undefined
  /** The maximum as a multiple of the designed capacity; 10 by default. */
  readonly most?: number | undefined
}

/** The options of alarms. */
export interface AlarmOptions {
  /** The topics or other actions to notify when an alarm starts and ends. */
  readonly actionArns?: readonly string[] | undefined
  /** The number of throttled requests per minute, in three of five minutes, that raises an alarm; 1 by default. */
  readonly throttles?: number | undefined
  /**
   * The Lambda function that reads the stream; that of `consumer` by default. Without it there is no alarm for its lag.
   */
  readonly consumer?: string | undefined
  /** The maximum age of the last record that the consumer read; 15 minutes by default. */
  readonly iteratorAgeMs?: number | undefined
}

const AUTOSCALING_DEFAULTS: Required<WithoutUndefined<AutoscalingOptions>> = { targetPercent: 70, least: 1, most: 10 }
const ALARM_DEFAULTS = { actionArns: [], throttles: 1, iteratorAgeMs: 15 * 60 * 1000 }

/** The options with defaults filled in. */
export interface ProductionSettings {
  readonly table: string
  /** The days of point-in-time recovery; 0 turns it off. */
  readonly recoveryDays: number
  readonly encryption: 'aws-owned' | 'aws-managed' | { readonly keyArn: string }
  readonly deletionProtection: boolean
  readonly tags: readonly Tag[]
  readonly autoscaling: Required<WithoutUndefined<AutoscalingOptions>> | undefined
  readonly alarms: AlarmSettings | undefined
  readonly consumer: StreamConsumerSettings | undefined
  readonly batch: ScheduledBatchSettings | undefined
  readonly contributorInsights: boolean
  readonly scan: boolean
  readonly tenantTag: string
}

export interface AlarmSettings {
  readonly actionArns: readonly string[]
  readonly throttles: number
  readonly consumer: string | undefined
  readonly iteratorAgeMs: number
}

export function resolveProduction(design: TableDesign, input: ProductionOptions): ProductionSettings {
  const { name } = requireDesign(design)
  const options = checkProductionOptions(input)
  const { recovery = true, autoscaling = {}, alarms = {} } = options
  const table = checkResourceName(options.table ?? name, 'table')
  const consumer = resolveStreamConsumer(design, table, options.consumer)
  if (consumer && !consumer.eventSource) checkResourceName(consumer.consumersTable, 'consumer.table')
  const autoscalingSettings =
    autoscaling && design.capacity !== 'on-demand' ? { ...AUTOSCALING_DEFAULTS, ...autoscaling } : undefined
  const isInverted = autoscalingSettings && autoscalingSettings.least > autoscalingSettings.most
  rejectDeclarationIf(
    'autoscaling',
    isInverted,
    'call.argument',
    'least',
    "'least' is greater than 'most'; lower 'least', or raise 'most'.",
  )
  const recoveryDays = typeof recovery === 'object' ? recovery.days : recovery ? RECOVERY_DAYS : 0
  return {
    table,
    recoveryDays,
    encryption: options.encryption ?? 'aws-owned',
    deletionProtection: options.deletionProtection ?? true,
    tags: Object.entries(options.tags ?? {})
      .map(([Key, Value]) => ({ Key, Value }))
      .sort((a, b) => (a.Key < b.Key ? -1 : 1)),
    autoscaling: autoscalingSettings,
    alarms: alarms
      ? { ...ALARM_DEFAULTS, ...alarms, consumer: functionNameOf(alarms.consumer ?? consumer?.eventSource?.function) }
      : undefined,
    consumer,
    batch: resolveScheduledBatch(options.batch, { table, recoveryDays }),
    contributorInsights: options.contributorInsights ?? false,
    scan: options.scan ?? false,
    tenantTag: options.tenantTag ?? 'tenant',
  }
}

/**
 * Checks the name of a resource to create. An ARN is rejected, because it refers to an existing table and other names
 * are derived from this one.
 */
function checkResourceName(name: string, option: string): string {
  const message = `give '${option}' 3 to 255 letters, digits, _, - and dots`
  return checkIdentifier(name, 'table', AWS_NAME_PATTERN, null, message)
}

/**
 * Returns the name of a function, which metrics use. The input is a name, a partial or full ARN, with or without an
 * alias.
 */
function functionNameOf(nameOrArn: string | undefined): string | undefined {
  const parts = nameOrArn?.split(':') ?? []
  // Two parts are a name and an alias, and the alias may be `function`. With an account there are more parts.
  return parts[parts.length > 2 ? parts.indexOf('function', 1) + 1 : 0]
}
