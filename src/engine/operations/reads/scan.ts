import type { ScanInput, ScanOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { runReadPlan } from '../../reads/read-page.js'
import { bindScan, readScan } from './scan.validation.js'

export function scan(engine: Engine, request: ScanInput): ScanOutput {
  const read = readScan(engine, request)
  const { source, range, completeFromTable } = bindScan(engine, request, read)
  return runReadPlan(engine, request, {
    source,
    range,
    expressions: read.expressions,
    completeFromTable,
    acrossPartitions: true,
  })
}
