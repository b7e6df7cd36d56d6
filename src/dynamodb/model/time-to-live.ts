import { NAME_CHARACTERS_MAX } from '../limits.js'
import { max, min } from './constraints.js'
import { managedTableName } from './members.js'
import { booleanShape, requiredShape, structureShape, textShape } from './shapes.js'

const timeToLiveSpecification = structureShape(
  'TimeToLiveSpecification',
  { Enabled: requiredShape(booleanShape), AttributeName: requiredShape(textShape(min(1), max(NAME_CHARACTERS_MAX))) },
  { first: ['AttributeName'] },
)

export const updateTimeToLive = structureShape('UpdateTimeToLiveInput', {
  TableName: managedTableName,
  TimeToLiveSpecification: requiredShape(timeToLiveSpecification),
})

export const describeTimeToLive = structureShape('DescribeTimeToLiveInput', { TableName: managedTableName })
