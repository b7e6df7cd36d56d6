import { PARTITION_READ_UNITS, PARTITION_WRITE_UNITS } from '../../dynamodb/limits.js'
import { assertKnownOptions } from '../../store/check-options.js'

/** Limits of tables and indexes for throttling. */
export interface ThrottleOptions {
  /** The number of seconds for which unused capacity accumulates; default 300, as on DynamoDB. */
  readonly burstSeconds?: number | undefined
  /** The read units per second of one partition key; default 3,000, as on DynamoDB. */
  readonly partitionReadUnits?: number | undefined
  /** The write units per second of one partition key; default 1,000, as on DynamoDB. */
  readonly partitionWriteUnits?: number | undefined
  /** The read units per second of an on-demand table or index without a maximum of its own; default unlimited. */
  readonly onDemandReadUnits?: number | undefined
  /** The write units per second of an on-demand table or index without a maximum of its own; default unlimited. */
  readonly onDemandWriteUnits?: number | undefined
}

/** Options for counting reads and writes. */
export interface HeatOptions {
  /** The maximum number of partition keys that are reported for a table or index; default 1,000. */
  readonly keys?: number | undefined
}

export type TrafficDirection = 'Read' | 'Write'

export interface ThrottleSettings {
  readonly burstSeconds: number
  readonly partitionUnits: Readonly<Record<TrafficDirection, number>>
  readonly onDemandUnits: Readonly<Record<TrafficDirection, number | undefined>>
}

const THROTTLE_OPTIONS = 'burstSeconds, partitionReadUnits, partitionWriteUnits, onDemandReadUnits, onDemandWriteUnits'
const BURST_SECONDS = 300
const HEAT_KEYS = 1000

export function parseThrottleSettings(throttle: boolean | ThrottleOptions | undefined): ThrottleSettings | undefined {
  if (!throttle) return undefined
  const options = throttle === true ? {} : throttle
  assertKnownOptions('throttle', options, THROTTLE_OPTIONS)
  for (const [name, value] of Object.entries(options)) checkPositive(`throttle.${name}`, value)
  return {
    burstSeconds: options.burstSeconds ?? BURST_SECONDS,
    partitionUnits: {
      Read: options.partitionReadUnits ?? PARTITION_READ_UNITS,
      Write: options.partitionWriteUnits ?? PARTITION_WRITE_UNITS,
    },
    onDemandUnits: { Read: options.onDemandReadUnits, Write: options.onDemandWriteUnits },
  }
}

/** Returns the maximum number of reported keys; undefined if traffic is not counted. */
export function parseHeatKeys(heat: boolean | HeatOptions | undefined): number | undefined {
  if (!heat) return undefined
  if (heat !== true) assertKnownOptions('heat', heat, 'keys')
  const { keys = HEAT_KEYS } = heat === true ? {} : heat
  checkPositive('heat.keys', keys)
  return keys
}

function checkPositive(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1)) return
  throw new RangeError(`${name}: ${value} is out of range; use a whole number from 1.`)
}
