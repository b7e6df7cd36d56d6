import type { QueryInput, QueryOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { NO_EXPRESSIONS } from '../../expressions/expression-reader.js'
import { toKeyRange } from '../../reads/key-range.js'
import { bindQueryForm } from '../../reads/query-forms.js'
import { type ReadPlan, runReadPlan } from '../../reads/read-page.js'
import { encodePositionKey, resolveReadSource } from '../../reads/read-source.js'
import { findTable } from '../../tables/find-table.js'
import { bindQuery, readQuery } from './query.validation.js'

export function query(engine: Engine, request: QueryInput): QueryOutput {
  return runReadPlan(engine, request, planKnownQuery(engine, request) ?? planQuery(engine, request))
}

/** Plans a query whose form is cached. Returns undefined if it is not. */
function planKnownQuery(engine: Engine, request: QueryInput): ReadPlan | undefined {
  const form = engine.queryForms.find(request)
  if (!form) return undefined
  const source = resolveReadSource(
    findTable(engine, request.TableName),
    request.IndexName,
    request.ConsistentRead,
    'Query',
  )
  // The table may have been replaced by one of the same name with other keys.
  if (form.keys !== source.keys) return undefined
  const { from, to } = toKeyRange(bindQueryForm(form, request))
  return {
    source,
    range: { from, to, reverse: request.ScanIndexForward === false },
    expressions: NO_EXPRESSIONS,
    completeFromTable: false,
    acrossPartitions: false,
  }
}

function planQuery(engine: Engine, request: QueryInput): ReadPlan {
  const read = readQuery(engine, request)
  const { source, condition, completeFromTable } = bindQuery(engine, request, read)
  engine.queryForms.add(request, source.keys, condition)
  const reverse = request.ScanIndexForward === false
  const range = { ...toKeyRange(condition), reverse }
  if (read.startKey) {
    const position = encodePositionKey(source, read.startKey)
    if (reverse) range.to = position
    else range.from = `${position}\x00`
  }
  return { source, range, expressions: read.expressions, completeFromTable, acrossPartitions: false }
}
