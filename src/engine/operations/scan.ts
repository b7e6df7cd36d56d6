import type { ScanAnswer, ScanRequest } from '../../dynamodb/operations/reads.js'
import type { Engine } from '../engine.js'
import { answerPage } from '../reads/page.js'
import { bindScan, readScan } from './scan.validation.js'

export function scan(engine: Engine, request: ScanRequest): ScanAnswer {
  const read = readScan(engine, request)
  const { source, range, completeFromTable } = bindScan(engine, request, read)
  return answerPage(engine, request, {
    source,
    range,
    expressions: read.expressions,
    completeFromTable,
    acrossPartitions: true,
  })
}
