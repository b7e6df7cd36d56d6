import type { Key } from '../../../dynamodb/attribute-value.js'
import type { QueryInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { validationError } from '../../errors.js'
import type { ConditionExpression } from '../../expressions/condition.js'
import {
  checkPlaceholdersNeeded,
  type ExpressionRequest,
  type RequestExpressions,
  withLegacyExpressions,
} from '../../expressions/expression-reader.js'
import { checkLegacyParameters } from '../../items/request-parameters.js'
import { checkScalarKeys } from '../../keys/check-key.js'
import { checkConditionalOperator, readFilter } from '../../legacy/attribute-conditions.js'
import { readAttributesToGet } from '../../legacy/attributes-to-get.js'
import { checkIndexableConditions, readKeyConditions } from '../../legacy/key-conditions.js'
import { type BoundKeyCondition, bindKeyCondition } from '../../reads/key-range.js'
import { type ReadSource, resolveReadSource } from '../../reads/read-source.js'
import { checkFilterProjected, checkSelectParameter, shouldReadTable } from '../../reads/select-parameter.js'
import { checkQueryStartKey, checkStartKeyWithinCondition, parseStartKey } from '../../reads/start-key.js'
import { readWithCurrentValidator } from '../../request/validator-migration.js'
import { findTable } from '../../tables/find-table.js'
import type { ValidatorLayer } from '../../values/validator-layer.js'

interface ReadQuery {
  readonly expressions: RequestExpressions
  readonly startKey: Key | undefined
}

const LEGACY = ['AttributesToGet', 'QueryFilter', 'ConditionalOperator', 'KeyConditions'] as const
const TAKING_VALUES = ['FilterExpression', 'KeyConditionExpression'] as const

export function readQuery(engine: Engine, request: QueryInput): ReadQuery {
  const requestExpressions = pickExpressions(request)
  const read = readWithCurrentValidator('Query', request, layer => {
    const isLegacy = checkLegacyParameters(request, LEGACY)
    checkPlaceholdersNeeded(requestExpressions, TAKING_VALUES, ': FilterExpression and KeyConditionExpression are null')
    checkConditionalOperator(request.ConditionalOperator, request.QueryFilter)
    const legacy = isLegacy ? readLegacy(request, layer) : undefined
    const startKey = parseStartKey(request.ExclusiveStartKey, layer)
    if (request.KeyConditionExpression === undefined && !legacy?.keyCondition)
      throw validationError(
        'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
      )
    const expressions = engine.expressions.read(requestExpressions, layer, TAKING_VALUES)
    return { expressions: legacy ? withLegacyExpressions(expressions, legacy) : expressions, startKey }
  })
  checkSelectParameter(request, 'current')
  return read
}

/** Returns the expressions that Query supports. The service ignores others. */
function pickExpressions(request: QueryInput): ExpressionRequest {
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

function readLegacy(request: QueryInput, layer: ValidatorLayer): Partial<RequestExpressions> {
  const filter = readFilter(request.QueryFilter, request.ConditionalOperator, layer)
  const keyCondition = request.KeyConditions && readKeyConditions(request.KeyConditions, layer)
  return { filter, keyCondition, projection: readAttributesToGet(request.AttributesToGet) }
}

interface BoundQuery {
  readonly source: ReadSource
  readonly condition: BoundKeyCondition
  readonly completeFromTable: boolean
}

export function bindQuery(engine: Engine, request: QueryInput, { expressions, startKey }: ReadQuery): BoundQuery {
  const { projection, filter } = expressions
  const source = resolveReadSource(
    findTable(engine, request.TableName),
    request.IndexName,
    request.ConsistentRead,
    'Query',
  )
  if (startKey) checkQueryStartKey(source, startKey)
  if (request.KeyConditions) checkIndexableConditions(request.KeyConditions, source.keys)
  const condition = bindKeyCondition(expressions.keyCondition!, source)
  if (startKey) checkStartKeyWithinCondition(source, startKey, condition)
  checkScalarKeys(source.table, projection?.nestedNames)
  checkFilterAttributes(source, filter, request.QueryFilter ? 'QueryFilter' : 'Filter Expression')
  const completeFromTable = shouldReadTable(source, request.Select, projection)
  checkFilterProjected(source, filter)
  checkScalarKeys(source.table, filter?.nestedNames)
  return { source, condition, completeFromTable }
}

function checkFilterAttributes({ keys }: ReadSource, filter: ConditionExpression | undefined, called: string): void {
  if (!filter) return
  for (const { name } of [...keys.partition, ...keys.sort])
    if (filter.names.has(name))
      throw validationError(`${called} can only contain non-primary key attributes: Primary key attribute: ${name}`)
}
