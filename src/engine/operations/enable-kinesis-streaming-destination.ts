import type { KinesisStreamingDestinationRequest } from '../../dynamodb/operations/kinesis.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import { findCreatedTable } from '../tables/find.js'

/** To take it would be to promise that records are delivered. */
export function enableKinesisStreamingDestination(
  engine: Engine,
  { TableName, StreamArn }: KinesisStreamingDestinationRequest,
): never {
  findCreatedTable(engine, TableName)
  throw validation(`This engine has no Kinesis data streams and would deliver nothing to ${StreamArn}`)
}
