import type { QueryAnswer, QueryRequest } from '../../dynamodb/operations/reads.js'
import type { Engine } from '../engine.js'
import { keyRange } from '../reads/key-range.js'
import { answerPage } from '../reads/page.js'
import { encodePosition } from '../reads/source.js'
import { bindQuery, readQuery } from './query.validation.js'

export function query(engine: Engine, request: QueryRequest): QueryAnswer {
  const read = readQuery(engine, request)
  const { source, condition, completeFromTable } = bindQuery(engine, request, read)
  const reverse = request.ScanIndexForward === false
  const range = { ...keyRange(condition), reverse }
  if (read.startKey) {
    const position = encodePosition(source, read.startKey)
    if (reverse) range.to = position
    else range.from = `${position}\x00`
  }
  return answerPage(engine, request, {
    source,
    range,
    expressions: read.expressions,
    completeFromTable,
    acrossPartitions: false,
  })
}
