import type { ScanAnswer, ScanRequest } from '../../dynamodb/operations/reads.js'
import type { Engine } from '../engine.js'
import { segmentRange } from '../keys/segments.js'
import { answerPage } from '../reads/page.js'
import { readsTable } from '../reads/select.js'
import { encodePosition, sourceOf } from '../reads/source.js'
import { findTable } from '../tables/find.js'
import { bindScan, checkSegment, readScan } from './scan.validation.js'

export function scan(engine: Engine, request: ScanRequest): ScanAnswer {
  const read = readScan(request)
  const source = sourceOf(findTable(engine, request.TableName), request.IndexName, request.ConsistentRead)
  const completeFromTable = readsTable(source, request.Select, read.expressions.projection)
  bindScan(source, read)
  const range = { ...segmentRange(request.Segment ?? 0, request.TotalSegments ?? 1), reverse: false }
  if (read.startKey) {
    const position = encodePosition(source, read.startKey)
    checkSegment(request, range, position)
    range.from = `${position}\x00`
  }
  return answerPage(request, {
    source,
    range,
    limit: request.Limit,
    filter: read.expressions.filter,
    projection: read.expressions.projection,
    countOnly: request.Select === 'COUNT',
    completeFromTable,
  })
}
