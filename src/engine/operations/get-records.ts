import { GET_RECORDS } from '../../dynamodb/limits.js'
import type { GetRecordsAnswer, GetRecordsRequest } from '../../dynamodb/operations/streams.js'
import type { Engine } from '../engine.js'
import { decodeIterator, encodeIterator } from '../streams/iterator.js'
import { readRecords } from '../streams/read.js'

export function getRecords(engine: Engine, request: GetRecordsRequest): GetRecordsAnswer {
  const position = decodeIterator(engine, request.ShardIterator)
  const { records, next } = readRecords(engine, position, request.Limit ?? GET_RECORDS)
  return { Records: records, ...(next && { NextShardIterator: encodeIterator(engine, next) }) }
}
