import { PARTITION_READ_UNITS, PARTITION_WRITE_UNITS } from '../../dynamodb/limits.js'
import { assertKnownOptions } from '../../store/check-options.js'

/** What tables and indexes can take in a second before requests are throttled. */
export interface ThrottleOptions {
  /** For how many seconds capacity that was not used can be used later; 300 unless said, as on DynamoDB. */
  readonly burstSeconds?: number | undefined
  /** The read units that one partition key can take in a second; 3,000 unless said, as on DynamoDB. */
  readonly partitionReadUnits?: number | undefined
  /** The write units that one partition key can take in a second; 1,000 unless said, as on DynamoDB. */
  readonly partitionWriteUnits?: number | undefined
  /** The read units in a second of an on-demand table or index that names no bound of its own; any unless said. */
  readonly onDemandReadUnits?: number | undefined
  /** The write units in a second of an on-demand table or index that names no bound of its own; any unless said. */
  readonly onDemandWriteUnits?: number | undefined
}

/** How finely reads and writes are counted. */
export interface HeatOptions {
  /** How many partition keys of a table or an index are told apart, the hottest; 1,000 unless said. */
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

/** How many keys are told apart, if any. */
export function parseHeatKeys(heat: boolean | HeatOptions | undefined): number | undefined {
  if (!heat) return undefined
  if (heat !== true) assertKnownOptions('heat', heat, 'keys')
  const { keys = HEAT_KEYS } = heat === true ? {} : heat
  checkPositive('heat.keys', keys)
  return keys
}

function checkPositive(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1)) return
  throw new RangeError(`${name} is ${value}: give a whole number from 1`)
}
