import { STREAM_ARN_CHARACTERS_MAX, STREAM_ARN_CHARACTERS_MIN } from '../limits.js'
import { max, min } from './constraints.js'
import { managedTableName } from './members.js'
import { enumeration, required, structure, text } from './shapes.js'

/** The same to begin and to end it. */
const kinesisStreamingDestination = structure('KinesisStreamingDestinationInput', {
  TableName: managedTableName,
  StreamArn: required(text(min(STREAM_ARN_CHARACTERS_MIN), max(STREAM_ARN_CHARACTERS_MAX))),
  EnableKinesisStreamingConfiguration: structure('EnableKinesisStreamingConfiguration', {
    ApproximateCreationDateTimePrecision: enumeration('MILLISECOND', 'MICROSECOND'),
  }),
})
export const enableKinesisStreamingDestination = kinesisStreamingDestination
export const disableKinesisStreamingDestination = kinesisStreamingDestination
export const describeKinesisStreamingDestination = structure('DescribeKinesisStreamingDestinationInput', {
  TableName: managedTableName,
})
