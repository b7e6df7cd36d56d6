import type { KinesisStreamingDestinationRequest } from '../../dynamodb/operations/kinesis.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import { findCreatedTable } from '../tables/find.js'

/** There is none to disable. */
export function disableKinesisStreamingDestination(
  engine: Engine,
  { TableName, EnableKinesisStreamingConfiguration }: KinesisStreamingDestinationRequest,
): never {
  if (EnableKinesisStreamingConfiguration)
    throw validation('Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters')
  findCreatedTable(engine, TableName)
  throw validation(
    'Table is not in a valid state to enable Kinesis Streaming Destination: ' +
      'KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.',
  )
}
