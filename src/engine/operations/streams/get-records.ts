import { GET_RECORDS } from '../../../dynamodb/limits.js'
import type { GetRecordsInput, GetRecordsOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { invalidParameterError } from '../../errors.js'
import { readRecords } from '../../streams/read-records.js'
import { decodeShardIterator, encodeShardIterator } from '../../streams/shard-iterator.js'

export function getRecords(engine: Engine, request: GetRecordsInput): GetRecordsOutput {
  const { Limit = GET_RECORDS } = request
  if (Limit > GET_RECORDS) throw invalidParameterError(`Limit should be less than or equal to ${GET_RECORDS}`)
  const position = decodeShardIterator(engine, request.ShardIterator)
  const { records, next } = readRecords(engine, position, Limit)
  return { Records: records, ...(next && { NextShardIterator: encodeShardIterator(engine, next) }) }
}
