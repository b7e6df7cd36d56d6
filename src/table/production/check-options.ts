import { RECOVERY_DAYS } from '../../dynamodb/limits.js'
import { checkOptions, formatValue, isObject, rejectDeclarationIf } from '../../schema/checks/assertions.js'
import { mapValues } from '../../schema/map-values.js'
import type { ProductionOptions } from './production.js'

/** The names of all production options. */
export const PRODUCTION_OPTION_NAMES =
  'table, recovery, encryption, deletionProtection, tags, autoscaling, alarms, consumer, batch, contributorInsights, scan, tenantTag'

/** The names inside nested options. The names of tags are free. */
const NESTED_OPTION_NAMES: Readonly<Record<string, string>> = {
  recovery: 'days',
  encryption: 'keyArn',
  autoscaling: 'targetPercent, least, most',
  alarms: 'actionArns, throttles, consumer, iteratorAgeMs',
  consumer: 'function, role, table, batchSize, windowSeconds, parallelization, attempts, recordAgeSeconds, queueArn',
  batch: 'bucket, prefix, schedule, exportSchedule, timezone, release, maxVcpus, timeoutMinutes',
}

/**
 * The allowed values of other options, and of nested options that are not given as an object. Any other value would be
 * mistaken for one of these.
 */
const ALLOWED_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  recovery: [true, false],
  encryption: ['aws-owned', 'aws-managed'],
  deletionProtection: [true, false],
  autoscaling: [false],
  alarms: [false],
  consumer: [],
  batch: [],
  contributorInsights: [true, false],
  scan: [true, false],
}

/** The ranges that the services accept. All but the percentage are integers. */
const OPTION_RANGES: Readonly<Record<string, Readonly<Record<string, readonly [from: number, to: number]>>>> = {
  recovery: { days: [1, RECOVERY_DAYS] },
  autoscaling: { targetPercent: [20, 90] },
  consumer: {
    batchSize: [1, 10_000],
    windowSeconds: [0, 300],
    parallelization: [1, 10],
    attempts: [-1, 10_000],
    recordAgeSeconds: [-1, 604_800],
  },
  batch: { maxVcpus: [8, 4000], timeoutMinutes: [1, 10_080] },
}

/** The same type without undefined. */
export type WithoutUndefined<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]: WithoutUndefined<Exclude<T[K], undefined>> }
    : T

/** Returns the options without undefined members; throws for unknown options and invalid values. */
export function checkProductionOptions(options: ProductionOptions): WithoutUndefined<ProductionOptions> {
  checkOptions('edgewise/table', options, PRODUCTION_OPTION_NAMES)
  return mapValues(options as Record<string, unknown>, (value, name) => {
    if (value === undefined) return value
    const optionNames = NESTED_OPTION_NAMES[name]
    if (optionNames === undefined || !isObject(value)) return checkSingleValue(name, value, optionNames)
    checkOptions(name, value, optionNames)
    if (name === 'encryption') checkKeyArn(value.keyArn)
    return mapValues(value, (nestedValue, partName) => checkRange(name, partName, nestedValue))
  })
}

function checkSingleValue(name: string, value: unknown, optionNames: string | undefined): unknown {
  const values = ALLOWED_VALUES[name]
  const message = [
    ...(values ?? []).map(formatValue),
    ...(optionNames === undefined ? [] : [`{ ${optionNames} }`]),
  ].join(' or ')
  rejectDeclarationIf(
    name,
    values && !values.includes(value),
    'call.argument',
    name,
    `${formatValue(value)} is not a valid value; give ${message}.`,
  )
  return value
}

/** Rejects aliases: in a policy an alias does not grant access to its key. */
function checkKeyArn(keyArn: unknown): void {
  const isKey = typeof keyArn === 'string' && keyArn.includes(':') && !keyArn.includes(':alias/')
  rejectDeclarationIf(
    'encryption',
    !isKey,
    'call.argument',
    'keyArn',
    "'keyArn' is not the ARN of a key; give the ARN of the key, not of an alias.",
  )
}

function checkRange(option: string, name: string, value: unknown): unknown {
  const [from, to] = OPTION_RANGES[option]?.[name] ?? []
  if (from === undefined || to === undefined || value === undefined) return value
  const isWhole = name !== 'targetPercent'
  const isNumber = isWhole ? Number.isInteger(value) : Number.isFinite(value)
  const fits = isNumber && (value as number) >= from && (value as number) <= to
  const message = `'${name}' is ${formatValue(value)}, which is out of range; give a ${isWhole ? 'whole ' : ''}number from ${from} to ${to}.`
  rejectDeclarationIf(option, !fits, 'call.argument', name, message)
  return value
}
