import type { Key } from '../../dynamodb/attribute-value.js'
import type { QueryRequest } from '../../dynamodb/operations/reads.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import { type Expressions, readExpressions } from '../expressions/read.js'
import { refuseLegacy } from '../items/request.js'
import { type BoundCondition, bindKeyCondition } from '../reads/key-range.js'
import { checkSelect } from '../reads/select.js'
import { checkScalarKeys, type Source, sourceOf } from '../reads/source.js'
import { checkStartKey, checkWithinCondition, takeStartKey } from '../reads/start-key.js'
import { findTable } from '../tables/find.js'

interface ReadQuery {
  readonly expressions: Expressions
  readonly startKey: Key | undefined
}

export function readQuery(request: QueryRequest): ReadQuery {
  refuseLegacy(request, ['AttributesToGet', 'QueryFilter', 'ConditionalOperator', 'KeyConditions'])
  const startKey = takeStartKey(request.ExclusiveStartKey)
  if (request.KeyConditionExpression === undefined)
    throw validation('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.')
  const expressions = readExpressions(request, ['FilterExpression', 'KeyConditionExpression'])
  checkSelect(request)
  return { expressions, startKey }
}

export function bindQuery(
  engine: Engine,
  request: QueryRequest,
  { expressions, startKey }: ReadQuery,
): { source: Source; condition: BoundCondition } {
  const source = sourceOf(findTable(engine, request.TableName), request.IndexName, request.ConsistentRead)
  if (startKey) checkStartKey(source, startKey)
  const condition = bindKeyCondition(expressions.keyCondition!, source.keys)
  if (startKey) checkWithinCondition(source, startKey, condition)
  checkFilter(source, expressions)
  checkScalarKeys(source, expressions)
  return { source, condition }
}

function checkFilter({ keys }: Source, { filter }: Expressions): void {
  if (!filter) return
  for (const { name } of [...keys.partition, ...keys.sort])
    if (filter.names.has(name))
      throw validation(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`)
}
