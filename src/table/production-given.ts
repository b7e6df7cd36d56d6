import { mapValues } from '../schema/map-values.js'
import { checkOptions, isObject } from '../schema/refusal.js'
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

/** Options of which none would be overlooked, without those that are undefined: they are not given. */
export function givenProduction(options: ProductionOptions): ProductionOptions {
  checkOptions('edgewise/table', options, PRODUCTION)
  return mapValues(options as Record<string, unknown>, (value, name) => {
    const known = PARTS[name]
    if (known === undefined || !isObject(value)) return value
    checkOptions(name, value, known)
    return mapValues(value, part => part)
  })
}
