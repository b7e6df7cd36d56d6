import type {
  BillingMode,
  OnDemandThroughput,
  ProvisionedThroughput,
  ProvisionedThroughputDescription,
  TableDescription,
  UpdateTableInput,
  WarmThroughput,
} from '../../../dynamodb/operation-types.js'
import { invalidParameterError, validationError } from '../../errors.js'
import { vectorsRequireOnDemandError } from '../definition/vector-indexes.validation.js'
import { checkDecrease } from './decreases.validation.js'

export function billingOf({ BillingModeSummary }: TableDescription): BillingMode {
  return BillingModeSummary?.BillingMode ?? 'PROVISIONED'
}

/** Checks a change of capacity against the current capacity of the table. */
export function checkTableCapacityUpdate(live: TableDescription, request: UpdateTableInput, nowMs: number): void {
  const {
    ProvisionedThroughput: wanted,
    BillingMode: requestedBilling,
    OnDemandThroughput: bounds,
    WarmThroughput: warm,
  } = request
  const billing = requestedBilling ?? billingOf(live)
  if (wanted && billing === 'PAY_PER_REQUEST')
    throw invalidParameterError(
      'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    )
  if (billing === 'PROVISIONED' && live.VectorIndexes?.length) throw vectorsRequireOnDemandError()
  if (wanted && billingOf(live) === 'PROVISIONED')
    checkCapacityChange(live.ProvisionedThroughput, wanted, 'the table', nowMs)
  if (bounds) checkOnDemandBounds(bounds, billing, 'table')
  if (warm) checkWarmThroughputIncrease(live.WarmThroughput, warm, 'table')
}

/** Checks that provisioned units change, and that they do not decrease too often. */
export function checkCapacityChange(
  current: ProvisionedThroughputDescription | undefined,
  { ReadCapacityUnits: read, WriteCapacityUnits: write }: ProvisionedThroughput,
  ofWhat: string,
  nowMs: number,
): void {
  if (current?.ReadCapacityUnits !== read || current.WriteCapacityUnits !== write) {
    checkDecrease(current ?? {}, { ReadCapacityUnits: read, WriteCapacityUnits: write }, nowMs)
    return
  }
  const units = (name: string, value: number) =>
    `Current ${name} provisioned for ${ofWhat}: ${value}. Requested ${name}: ${value}.`
  const subject = ofWhat === 'the table' ? ofWhat : `the ${ofWhat}`
  throw validationError(
    `The provisioned throughput for ${subject} will not change. The requested value equals the current value. ` +
      `${units('ReadCapacityUnits', read)} ${units('WriteCapacityUnits', write)} ` +
      'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
  )
}

/** Checks on-demand limits; -1 removes a limit. */
export function checkOnDemandBounds(bounds: OnDemandThroughput, billing: BillingMode, ofWhat: string): void {
  const boundNames = (['MaxReadRequestUnits', 'MaxWriteRequestUnits'] as const).filter(
    name => bounds[name] !== undefined,
  )
  const ofIndex = ofWhat === 'table' ? '' : ` for ${ofWhat}`
  if (boundNames.length > 0 && billing === 'PROVISIONED')
    throw invalidParameterError(
      `${boundNames[0]} for OnDemandThroughput${ofIndex} cannot be specified when the table BillingMode is PROVISIONED`,
    )
  for (const name of boundNames)
    if (bounds[name]! < -1 || bounds[name] === 0)
      throw invalidParameterError(`Requested ${name} for OnDemandThroughput for ${ofWhat} is outside of valid range`)
}

export function checkWarmThroughputIncrease(
  current: WarmThroughput | undefined,
  wanted: WarmThroughput,
  ofWhat: string,
): void {
  for (const name of ['ReadUnitsPerSecond', 'WriteUnitsPerSecond'] as const)
    if ((wanted[name] ?? Number.POSITIVE_INFINITY) < (current?.[name] ?? 0))
      throw invalidParameterError(
        `Requested ${name} for WarmThroughput for ${ofWhat} is lower than current WarmThroughput, ` +
          'decreasing WarmThroughput is not supported',
      )
}
