import { NAME_CHARACTERS_MAX } from '../limits.js'
import { max, min } from './constraints.js'
import { managedTableName } from './members.js'
import { boolean, required, structure, text } from './shapes.js'

const timeToLiveSpecification = structure(
  'TimeToLiveSpecification',
  { Enabled: required(boolean), AttributeName: required(text(min(1), max(NAME_CHARACTERS_MAX))) },
  { first: ['AttributeName'] },
)

export const updateTimeToLive = structure('UpdateTimeToLiveInput', {
  TableName: managedTableName,
  TimeToLiveSpecification: required(timeToLiveSpecification),
})

export const describeTimeToLive = structure('DescribeTimeToLiveInput', { TableName: managedTableName })
