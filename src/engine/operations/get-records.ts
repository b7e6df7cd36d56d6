import { GET_RECORDS } from '../../dynamodb/limits.js'
import type { GetRecordsAnswer, GetRecordsRequest } from '../../dynamodb/operations/streams.js'
import type { Engine } from '../engine.js'
import { invalidParameter } from '../errors.js'
import { decodeIterator, encodeIterator } from '../streams/iterator.js'
import { readRecords } from '../streams/read.js'

export function getRecords(engine: Engine, request: GetRecordsRequest): GetRecordsAnswer {
  const { Limit = GET_RECORDS } = request
  if (Limit > GET_RECORDS) throw invalidParameter(`Limit should be less than or equal to ${GET_RECORDS}`)
  const position = decodeIterator(engine, request.ShardIterator)
  const { records, next } = readRecords(engine, position, Limit)
  return { Records: records, ...(next && { NextShardIterator: encodeIterator(engine, next) }) }
}
