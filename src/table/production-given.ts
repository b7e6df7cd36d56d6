import { RECOVERY_DAYS } from '../dynamodb/limits.js'
import { mapValues } from '../schema/map-values.js'
import { checkOptions, isObject, refuse, shown } from '../schema/refusal.js'
import type { ProductionOptions } from './production.js'

/** The names of what a table in production has beside its design. */
export const PRODUCTION =
  'table, recovery, encryption, deletionProtection, tags, autoscaling, alarms, consumer, contributorInsights, scan, tenantTag'

/** The names in those that have several; tags are named by whoever gives them. */
const PARTS: Readonly<Record<string, string>> = {
  recovery: 'days',
  encryption: 'keyArn',
  autoscaling: 'targetPercent, least, most',
  alarms: 'actionArns, throttles, consumer, iteratorAgeMs',
  consumer: 'function, role, table, batchSize, windowSeconds, parallelization, attempts, recordAgeSeconds, queueArn',
}

/** What others may be, and those in place of an object: another word would be taken for one of these. */
const SINGLE: Readonly<Record<string, readonly unknown[]>> = {
  recovery: [true, false],
  encryption: ['aws-owned', 'aws-managed'],
  deletionProtection: [true, false],
  autoscaling: [false],
  alarms: [false],
  consumer: [],
  contributorInsights: [true, false],
  scan: [true, false],
}

/** What the services take, from and to; all but the percentage are whole numbers. */
const RANGES: Readonly<Record<string, Readonly<Record<string, readonly [from: number, to: number]>>>> = {
  recovery: { days: [1, RECOVERY_DAYS] },
  autoscaling: { targetPercent: [20, 90] },
  consumer: {
    batchSize: [1, 10_000],
    windowSeconds: [0, 300],
    parallelization: [1, 10],
    attempts: [-1, 10_000],
    recordAgeSeconds: [-1, 604_800],
  },
}

/** Without what is undefined. */
export type Said<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]: Said<Exclude<T[K], undefined>> }
    : T

/** Options of which none would be overlooked, without those that are undefined: they are not given. */
export function givenProduction(options: ProductionOptions): Said<ProductionOptions> {
  checkOptions('edgewise/table', options, PRODUCTION)
  return mapValues(options as Record<string, unknown>, (value, name) => {
    if (value === undefined) return value
    const known = PARTS[name]
    if (known === undefined || !isObject(value)) return single(name, value, known)
    checkOptions(name, value, known)
    if (name === 'encryption') checkKey(value.keyArn)
    return mapValues(value, (part, partName) => inRange(name, partName, part))
  })
}

function single(name: string, value: unknown, known: string | undefined): unknown {
  const values = SINGLE[name]
  const message = [...(values ?? []).map(shown), ...(known === undefined ? [] : [`{ ${known} }`])].join(' or ')
  refuse(name, values && !values.includes(value), 'call.given', name, `give ${message} instead of ${shown(value)}`)
  return value
}

/** In a policy an alias stands for itself, never for its key. */
function checkKey(keyArn: unknown): void {
  const isKey = typeof keyArn === 'string' && keyArn.includes(':') && !keyArn.includes(':alias/')
  refuse('encryption', !isKey, 'call.given', 'keyArn', "give 'keyArn' as the ARN of a key, no alias")
}

function inRange(option: string, name: string, value: unknown): unknown {
  const [from, to] = RANGES[option]?.[name] ?? []
  if (from === undefined || to === undefined || value === undefined) return value
  const isWhole = name !== 'targetPercent'
  const isNumber = isWhole ? Number.isInteger(value) : Number.isFinite(value)
  const fits = isNumber && (value as number) >= from && (value as number) <= to
  const message = `give '${name}' as a ${isWhole ? 'whole ' : ''}number from ${from} to ${to}`
  refuse(option, !fits, 'call.given', name, message)
  return value
}
