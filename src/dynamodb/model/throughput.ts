import { min } from './constraints.js'
import { long, required, structure } from './shapes.js'

export const provisionedThroughput = structure(
  'ProvisionedThroughput',
  { ReadCapacityUnits: required(long(min(1))), WriteCapacityUnits: required(long(min(1))) },
  { first: ['WriteCapacityUnits'] },
)

export const onDemandThroughput = structure('OnDemandThroughput', {
  MaxReadRequestUnits: long(),
  MaxWriteRequestUnits: long(),
})

export const warmThroughput = structure('WarmThroughput', { ReadUnitsPerSecond: long(), WriteUnitsPerSecond: long() })
