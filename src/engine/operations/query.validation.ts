import type { Key } from '../../dynamodb/attribute-value.js'
import type { QueryRequest } from '../../dynamodb/operations/reads.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import type { Condition } from '../expressions/condition.js'
import { checkNeeded, type ExpressionRequest, type Expressions, withLegacy } from '../expressions/read.js'
import { refuseMixed } from '../items/request.js'
import { checkScalarKeys } from '../keys/check.js'
import { readAttributesToGet } from '../legacy/attributes-to-get.js'
import { checkConditionalOperator, readFilter } from '../legacy/conditions.js'
import { checkIndexable, readKeyConditions } from '../legacy/key-conditions.js'
import { type BoundCondition, bindKeyCondition } from '../reads/key-range.js'
import { checkFilterProjected, checkSelect, readsTable } from '../reads/select.js'
import { type Source, sourceOf } from '../reads/source.js'
import { checkQueryStart, checkWithinCondition, takeStartKey } from '../reads/start-key.js'
import { readCurrent } from '../request/read.js'
import { findTable } from '../tables/find.js'
import type { Layer } from '../values/layer.js'

interface ReadQuery {
  readonly expressions: Expressions
  readonly startKey: Key | undefined
}

const LEGACY = ['AttributesToGet', 'QueryFilter', 'ConditionalOperator', 'KeyConditions'] as const
const TAKING_VALUES = ['FilterExpression', 'KeyConditionExpression'] as const

export function readQuery(engine: Engine, request: QueryRequest): ReadQuery {
  const asked = askedBy(request)
  const read = readCurrent('Query', request, layer => {
    const isLegacy = refuseMixed(request, LEGACY)
    checkNeeded(asked, TAKING_VALUES, ': FilterExpression and KeyConditionExpression are null')
    checkConditionalOperator(request.ConditionalOperator, request.QueryFilter)
    const legacy = isLegacy ? readLegacy(request, layer) : undefined
    const startKey = takeStartKey(request.ExclusiveStartKey, layer)
    if (request.KeyConditionExpression === undefined && !legacy?.keyCondition)
      throw validation('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.')
    const expressions = engine.expressions.read(asked, layer, TAKING_VALUES)
    return { expressions: legacy ? withLegacy(expressions, legacy) : expressions, startKey }
  })
  checkSelect(request, 'current')
  return read
}

/** The expressions that a query knows: others are passed over. */
function askedBy(request: QueryRequest): ExpressionRequest {
  const { KeyConditionExpression, FilterExpression, ProjectionExpression } = request
  const { ExpressionAttributeNames, ExpressionAttributeValues } = request
  return {
    KeyConditionExpression,
    FilterExpression,
    ProjectionExpression,
    ExpressionAttributeNames,
    ExpressionAttributeValues,
  }
}

function readLegacy(request: QueryRequest, layer: Layer): Partial<Expressions> {
  const filter = readFilter(request.QueryFilter, request.ConditionalOperator, layer)
  const keyCondition = request.KeyConditions && readKeyConditions(request.KeyConditions, layer)
  return { filter, keyCondition, projection: readAttributesToGet(request.AttributesToGet) }
}

interface BoundQuery {
  readonly source: Source
  readonly condition: BoundCondition
  readonly completeFromTable: boolean
}

export function bindQuery(engine: Engine, request: QueryRequest, { expressions, startKey }: ReadQuery): BoundQuery {
  const { projection, filter } = expressions
  const source = sourceOf(findTable(engine, request.TableName), request.IndexName, request.ConsistentRead, 'Query')
  if (startKey) checkQueryStart(source, startKey)
  if (request.KeyConditions) checkIndexable(request.KeyConditions, source.keys)
  const condition = bindKeyCondition(expressions.keyCondition!, source)
  if (startKey) checkWithinCondition(source, startKey, condition)
  checkScalarKeys(source.table, projection?.nestedNames)
  checkFilter(source, filter, request.QueryFilter ? 'QueryFilter' : 'Filter Expression')
  const completeFromTable = readsTable(source, request.Select, projection)
  checkFilterProjected(source, filter)
  checkScalarKeys(source.table, filter?.nestedNames)
  return { source, condition, completeFromTable }
}

function checkFilter({ keys }: Source, filter: Condition | undefined, called: string): void {
  if (!filter) return
  for (const { name } of [...keys.partition, ...keys.sort])
    if (filter.names.has(name))
      throw validation(`${called} can only contain non-primary key attributes: Primary key attribute: ${name}`)
}
