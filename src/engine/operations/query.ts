import type { QueryAnswer, QueryRequest } from '../../dynamodb/operations/reads.js'
import type { Engine } from '../engine.js'
import { NO_EXPRESSIONS } from '../expressions/read.js'
import { conditionOf } from '../reads/forms.js'
import { keyRange } from '../reads/key-range.js'
import { answerPage, type Reading } from '../reads/page.js'
import { encodePosition, sourceOf } from '../reads/source.js'
import { findTable } from '../tables/find.js'
import { bindQuery, readQuery } from './query.validation.js'

export function query(engine: Engine, request: QueryRequest): QueryAnswer {
  return answerPage(engine, request, readingOfKnown(engine, request) ?? readingOf(engine, request))
}

/** What a query reads that has the form of one before. */
function readingOfKnown(engine: Engine, request: QueryRequest): Reading | undefined {
  const form = engine.queryForms.of(request)
  if (!form) return undefined
  const source = sourceOf(findTable(engine, request.TableName), request.IndexName, request.ConsistentRead, 'Query')
  // A table of this name with other keys may have taken the place of the one before.
  if (form.keys !== source.keys) return undefined
  const { from, to } = keyRange(conditionOf(form, request))
  return {
    source,
    range: { from, to, reverse: request.ScanIndexForward === false },
    expressions: NO_EXPRESSIONS,
    completeFromTable: false,
    acrossPartitions: false,
  }
}

function readingOf(engine: Engine, request: QueryRequest): Reading {
  const read = readQuery(engine, request)
  const { source, condition, completeFromTable } = bindQuery(engine, request, read)
  engine.queryForms.add(request, source.keys, condition)
  const reverse = request.ScanIndexForward === false
  const range = { ...keyRange(condition), reverse }
  if (read.startKey) {
    const position = encodePosition(source, read.startKey)
    if (reverse) range.to = position
    else range.from = `${position}\x00`
  }
  return { source, range, expressions: read.expressions, completeFromTable, acrossPartitions: false }
}
