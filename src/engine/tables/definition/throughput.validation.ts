import {
  CAPACITY_UNITS_MAX,
  ON_DEMAND_INITIAL_READ_UNITS,
  ON_DEMAND_INITIAL_WRITE_UNITS,
} from '../../../dynamodb/limits.js'
import type {
  BillingMode,
  OnDemandThroughput,
  ProvisionedThroughput,
  WarmThroughput,
} from '../../../dynamodb/operation-types.js'
import { invalidParameterError, validationError } from '../../errors.js'

const INITIAL_THROUGHPUT_PAGE =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial'

/** Checks that throughput and billing mode match. */
export function checkTableThroughput(billing: BillingMode, throughput: ProvisionedThroughput | undefined): void {
  if (billing === 'PAY_PER_REQUEST') {
    if (!throughput) return
    throw invalidParameterError(
      'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    )
  }
  if (!throughput) {
    throw invalidParameterError(
      'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED',
    )
  }
  checkCapacityUnits(throughput, '')
}

export function checkCapacityUnits(throughput: ProvisionedThroughput, ofWhat: string): void {
  for (const name of ['ReadCapacityUnits', 'WriteCapacityUnits'] as const) {
    if (throughput[name] <= CAPACITY_UNITS_MAX) continue
    throw validationError(`Given value ${throughput[name]} for ${name} is out of bounds${ofWhat}`)
  }
}

/** The service uses different spellings of the index in these messages. */
export function checkOnDemandThroughput(
  throughput: OnDemandThroughput | undefined,
  billing: BillingMode,
  indexName?: string,
): void {
  for (const name of ['MaxReadRequestUnits', 'MaxWriteRequestUnits'] as const) {
    const units = throughput?.[name]
    if (units === undefined) continue
    if (billing === 'PROVISIONED') {
      const ofIndex = indexName === undefined ? '' : ` for index: ${indexName}`
      throw invalidParameterError(
        `${name} for OnDemandThroughput${ofIndex} cannot be specified when table BillingMode is PROVISIONED.`,
      )
    }
    if (units >= 1) continue
    const ofWhat = indexName === undefined ? 'table' : `index : ${indexName}`
    throw invalidParameterError(`Requested ${name} for OnDemandThroughput for ${ofWhat} is outside of valid range`)
  }
}

/** Checks that warm throughput is not below the initial throughput of a table or index. */
export function checkWarmThroughput(
  warm: WarmThroughput | undefined,
  provisioned: ProvisionedThroughput | undefined,
  ofWhat: string,
): void {
  const parts = [
    ['ReadUnitsPerSecond', 'ReadCapacityUnits', ON_DEMAND_INITIAL_READ_UNITS],
    ['WriteUnitsPerSecond', 'WriteCapacityUnits', ON_DEMAND_INITIAL_WRITE_UNITS],
  ] as const
  for (const [name, capacity, initial] of parts) {
    const units = warm?.[name]
    if (units === undefined || units >= (provisioned?.[capacity] ?? initial)) continue
    const floor = provisioned
      ? `${capacity} of ProvisionedThroughput`
      : `initial throughput for OnDemand. See: ${INITIAL_THROUGHPUT_PAGE}`
    throw invalidParameterError(`Requested ${name} for WarmThroughput for ${ofWhat} is lower than ${floor}`)
  }
}
