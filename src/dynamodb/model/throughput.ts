import { min } from './constraints.js'
import { longShape, requiredShape, structureShape } from './shapes.js'

export const provisionedThroughput = structureShape(
  'ProvisionedThroughput',
  { ReadCapacityUnits: requiredShape(longShape(min(1))), WriteCapacityUnits: requiredShape(longShape(min(1))) },
  { first: ['WriteCapacityUnits'] },
)

export const onDemandThroughput = structureShape('OnDemandThroughput', {
  MaxReadRequestUnits: longShape(),
  MaxWriteRequestUnits: longShape(),
})

export const warmThroughput = structureShape('WarmThroughput', {
  ReadUnitsPerSecond: longShape(),
  WriteUnitsPerSecond: longShape(),
})
