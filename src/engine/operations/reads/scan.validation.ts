import type { Key } from '../../../dynamodb/attribute-value.js'
import { MODEL } from '../../../dynamodb/model/operations.js'
import type { ScanInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { validationError } from '../../errors.js'
import {
  checkPlaceholdersNeeded,
  type ExpressionRequest,
  type RequestExpressions,
  withLegacyExpressions,
} from '../../expressions/expression-reader.js'
import { checkLegacyParameters } from '../../items/request-parameters.js'
import { checkScalarKeys } from '../../keys/check-key.js'
import { segmentRangeOf } from '../../keys/scan-segments.js'
import type { KeyRange } from '../../keyvalues/port.js'
import { checkConditionalOperator, readFilter } from '../../legacy/attribute-conditions.js'
import { readAttributesToGet } from '../../legacy/attributes-to-get.js'
import { encodePositionKey, type ReadSource, resolveReadSource } from '../../reads/read-source.js'
import { checkSelectParameter, shouldReadTable } from '../../reads/select-parameter.js'
import { checkScanStartKey, parseStartKey } from '../../reads/start-key.js'
import { findTable } from '../../tables/find-table.js'
import type { ValidatorLayer } from '../../values/validator-layer.js'

interface ReadScan {
  readonly expressions: RequestExpressions
  readonly startKey: Key | undefined
}

const LEGACY = ['AttributesToGet', 'ScanFilter', 'ConditionalOperator'] as const
const TAKING_VALUES = ['FilterExpression'] as const
const LAYER: ValidatorLayer = MODEL.Scan.validator

export function readScan(engine: Engine, request: ScanInput): ReadScan {
  const requestExpressions = pickExpressions(request)
  const isLegacy = checkLegacyParameters(request, LEGACY)
  checkPlaceholdersNeeded(requestExpressions, TAKING_VALUES, ': FilterExpression is null')
  const legacy = isLegacy ? readLegacy(request) : undefined
  const startKey = parseStartKey(request.ExclusiveStartKey, LAYER)
  checkSegmentParameters(request)
  const expressions = engine.expressions.read(requestExpressions, LAYER, TAKING_VALUES)
  checkSelectParameter(request, LAYER)
  return { expressions: legacy ? withLegacyExpressions(expressions, legacy) : expressions, startKey }
}

/** Returns the expressions that Scan supports. The service ignores others. */
function pickExpressions(request: ScanInput): ExpressionRequest {
  const { FilterExpression, ProjectionExpression } = request
  const { ExpressionAttributeNames, ExpressionAttributeValues } = request
  return { FilterExpression, ProjectionExpression, ExpressionAttributeNames, ExpressionAttributeValues }
}

function readLegacy(request: ScanInput): Partial<RequestExpressions> {
  const projection = readAttributesToGet(request.AttributesToGet)
  checkConditionalOperator(request.ConditionalOperator, request.ScanFilter)
  return { filter: readFilter(request.ScanFilter, request.ConditionalOperator, LAYER), projection }
}

function checkSegmentParameters({ Segment, TotalSegments }: ScanInput): void {
  if (Segment !== undefined && TotalSegments === undefined)
    throw validationError(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    )
  if (TotalSegments === undefined) return
  if (Segment === undefined)
    throw validationError(
      'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    )
  if (Segment >= TotalSegments)
    throw validationError(
      'The Segment parameter is zero-based and must be less than parameter TotalSegments: ' +
        `Segment: ${Segment} is not less than TotalSegments: ${TotalSegments}`,
    )
}

interface BoundScan {
  readonly source: ReadSource
  readonly range: KeyRange
  readonly completeFromTable: boolean
}

export function bindScan(engine: Engine, request: ScanInput, { expressions, startKey }: ReadScan): BoundScan {
  const { projection, filter } = expressions
  const source = resolveReadSource(
    findTable(engine, request.TableName),
    request.IndexName,
    request.ConsistentRead,
    'Scan',
  )
  const completeFromTable = shouldReadTable(source, request.Select, projection)
  const range = { ...segmentRangeOf(request.Segment ?? 0, request.TotalSegments ?? 1), reverse: false }
  if (startKey) {
    checkScanStartKey(source, startKey)
    const position = encodePositionKey(source, startKey)
    checkStartKeySegment(request, range, position)
    range.from = `${position}\x00`
  }
  checkScalarKeys(source.table, projection?.nestedNames)
  checkScalarKeys(source.table, filter?.nestedNames)
  return { source, range, completeFromTable }
}

/** A start key of a parallel scan must be in the requested segment. */
function checkStartKeySegment(
  { Segment, TotalSegments }: ScanInput,
  { from, to }: { from: string; to: string | undefined },
  position: string,
): void {
  if (position >= from && (to === undefined || position < to)) return
  throw validationError(
    'The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct ' +
      `Segment. TotalSegments: ${TotalSegments} Segment: ${Segment}`,
  )
}
