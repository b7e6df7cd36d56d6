import type { Key } from '../../dynamodb/attribute-value.js'
import type { QueryRequest } from '../../dynamodb/operations/reads.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import type { Condition } from '../expressions/condition.js'
import { checkNeeded, type Expressions } from '../expressions/read.js'
import { refuseLegacy, refuseMixed } from '../items/request.js'
import { checkScalarKeys } from '../keys/check.js'
import { type BoundCondition, bindKeyCondition } from '../reads/key-range.js'
import { checkFilterProjected, checkSelect, readsTable } from '../reads/select.js'
import { type Source, sourceOf } from '../reads/source.js'
import { checkQueryStart, checkWithinCondition, takeStartKey } from '../reads/start-key.js'
import { readCurrent } from '../request/read.js'
import { findTable } from '../tables/find.js'

interface ReadQuery {
  readonly expressions: Expressions
  readonly startKey: Key | undefined
}

const LEGACY = ['AttributesToGet', 'QueryFilter', 'ConditionalOperator', 'KeyConditions'] as const
const TAKING_VALUES = ['FilterExpression', 'KeyConditionExpression'] as const

export function readQuery(engine: Engine, request: QueryRequest): ReadQuery {
  const read = readCurrent('Query', request, layer => {
    refuseMixed(request, LEGACY)
    checkNeeded(request, TAKING_VALUES, ': FilterExpression and KeyConditionExpression are null')
    const startKey = takeStartKey(request.ExclusiveStartKey, layer)
    refuseLegacy(request, LEGACY)
    if (request.KeyConditionExpression === undefined)
      throw validation('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.')
    const expressions = engine.expressions.read(request, layer, TAKING_VALUES)
    return { expressions, startKey }
  })
  checkSelect(request)
  return read
}

interface BoundQuery {
  readonly source: Source
  readonly condition: BoundCondition
  readonly completeFromTable: boolean
}

export function bindQuery(engine: Engine, request: QueryRequest, { expressions, startKey }: ReadQuery): BoundQuery {
  const { projection, filter } = expressions
  const source = sourceOf(findTable(engine, request.TableName), request.IndexName, request.ConsistentRead)
  if (startKey) checkQueryStart(source, startKey)
  const condition = bindKeyCondition(expressions.keyCondition!, source)
  if (startKey) checkWithinCondition(source, startKey, condition)
  checkScalarKeys(source.table, projection?.nestedNames)
  checkFilter(source, filter)
  const completeFromTable = readsTable(source, request.Select, projection)
  checkFilterProjected(source, filter)
  checkScalarKeys(source.table, filter?.nestedNames)
  return { source, condition, completeFromTable }
}

function checkFilter({ keys }: Source, filter: Condition | undefined): void {
  if (!filter) return
  for (const { name } of [...keys.partition, ...keys.sort])
    if (filter.names.has(name))
      throw validation(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`)
}
