import type {
  DescribeKinesisStreamingDestinationAnswer,
  DescribeKinesisStreamingDestinationRequest,
} from '../../dynamodb/operations/kinesis.js'
import type { Engine } from '../engine.js'
import { findCreatedTable } from '../tables/find.js'

/** A table here has none. */
export function describeKinesisStreamingDestination(
  engine: Engine,
  request: DescribeKinesisStreamingDestinationRequest,
): DescribeKinesisStreamingDestinationAnswer {
  const { name } = findCreatedTable(engine, request.TableName)
  return { TableName: name, KinesisDataStreamDestinations: [] }
}
