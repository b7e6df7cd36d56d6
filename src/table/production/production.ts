import { RECOVERY_DAYS } from '../../dynamodb/limits.js'
import type { Tag } from '../../dynamodb/operations/tables.js'
import type { TableDesign } from '../../layout/design.js'
import { requireDesign } from '../../layout/require-layout.js'
import { rejectDeclarationIf } from '../../schema/checks/assertions.js'
import { checkIdentifier } from '../../schema/checks/names.js'
import { AWS_NAME_PATTERN } from '../aws-name.js'
import { checkProductionOptions, type WithoutUndefined } from './check-options.js'
import { resolveStreamConsumer, type StreamConsumerOptions, type StreamConsumerSettings } from './stream-consumer.js'

/** What a table in production has beside its design. Everything that protects data is on unless it is turned off. */
export interface ProductionOptions {
  /** The name of the table; the design's own where none is given. */
  readonly table?: string | undefined
  /** Point-in-time recovery, or for how many days back (1 to 35). On unless said. */
  readonly recovery?: boolean | { readonly days: number } | undefined
  /** The key that data at rest is under: one that AWS owns (no charge), the account's for DynamoDB, or your own. */
  readonly encryption?: 'aws-owned' | 'aws-managed' | { readonly keyArn: string } | undefined
  /** On unless said. CloudFormation then also keeps the table when its stack goes. */
  readonly deletionProtection?: boolean | undefined
  readonly tags?: Readonly<Record<string, string>> | undefined
  /** Of a provisioned table; on unless said. */
  readonly autoscaling?: false | AutoscalingOptions | undefined
  /** On unless said. */
  readonly alarms?: false | AlarmOptions | undefined
  /** Who consumes the stream, where there is one. */
  readonly consumer?: StreamConsumerOptions | undefined
  /** Counts which keys are asked for most, for a charge by event. Off unless said. */
  readonly contributorInsights?: boolean | undefined
  /** Whether the application may scan, which no call does that was not asked to by name. Off unless said. */
  readonly scan?: boolean | undefined
  /** The tag of a principal with its tenant's part of the key, as it is written there; `tenant` unless said. */
  readonly tenantTag?: string | undefined
}

/** How capacity follows what is used. */
export interface AutoscalingOptions {
  /** Of the capacity in use that is aimed at; 70 unless said. */
  readonly targetPercent?: number | undefined
  /** The least and the most as multiples of the designed capacity; 1 and 10 unless said. */
  readonly least?: number | undefined
  readonly most?: number | undefined
}

/** When someone is told. */
export interface AlarmOptions {
  /** The topics, or other actions, that are told when an alarm goes off and when it is over. */
  readonly actionArns?: readonly string[] | undefined
  /** Throttled requests within a minute, three minutes in five; 1 unless said. */
  readonly throttles?: number | undefined
  /** The Lambda function that reads the stream; that of `consumer` unless said. Without it there is no alarm on its lag. */
  readonly consumer?: string | undefined
  /** How old the last record that the consumer read may be; 15 minutes unless said. */
  readonly iteratorAgeMs?: number | undefined
}

const AUTOSCALING_DEFAULTS: Required<WithoutUndefined<AutoscalingOptions>> = { targetPercent: 70, least: 1, most: 10 }
const ALARM_DEFAULTS = { actionArns: [], throttles: 1, iteratorAgeMs: 15 * 60 * 1000 }

/** The options with what was not said filled in. */
export interface ProductionSettings {
  readonly table: string
  /** Days of point-in-time recovery; 0 for none. */
  readonly recoveryDays: number
  readonly encryption: 'aws-owned' | 'aws-managed' | { readonly keyArn: string }
  readonly deletionProtection: boolean
  readonly tags: readonly Tag[]
  readonly autoscaling: Required<WithoutUndefined<AutoscalingOptions>> | undefined
  readonly alarms: AlarmSettings | undefined
  readonly consumer: StreamConsumerSettings | undefined
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
  rejectDeclarationIf('autoscaling', isInverted, 'call.given', 'least', "give 'least' as no more than 'most'")
  return {
    table,
    recoveryDays: typeof recovery === 'object' ? recovery.days : recovery ? RECOVERY_DAYS : 0,
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
    contributorInsights: options.contributorInsights ?? false,
    scan: options.scan ?? false,
    tenantTag: options.tenantTag ?? 'tenant',
  }
}

/** An ARN is that of a table that is there, and the names of what belongs to the table are made of its own. */
function checkResourceName(name: string, option: string): string {
  const message = `give '${option}' 3 to 255 letters, digits, _, - and dots`
  return checkIdentifier(name, 'a table', AWS_NAME_PATTERN, null, message)
}

/** Metrics know a function by its name, which is in its ARN, whole or not, and before its alias. */
function functionNameOf(nameOrArn: string | undefined): string | undefined {
  const parts = nameOrArn?.split(':') ?? []
  // A function and its alias, which may be called `function` themselves, are two parts; an account makes it more.
  return parts[parts.length > 2 ? parts.indexOf('function', 1) + 1 : 0]
}
