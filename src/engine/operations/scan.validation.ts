import type { Key } from '../../dynamodb/attribute-value.js'
import { MODEL } from '../../dynamodb/model/operations.js'
import type { ScanRequest } from '../../dynamodb/operations/reads.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import { checkNeeded, type ExpressionRequest, type Expressions, withLegacy } from '../expressions/read.js'
import { refuseMixed } from '../items/request.js'
import { checkScalarKeys } from '../keys/check.js'
import { segmentRange } from '../keys/segments.js'
import type { KeyRange } from '../keyvalues/port.js'
import { readAttributesToGet } from '../legacy/attributes-to-get.js'
import { checkConditionalOperator, readFilter } from '../legacy/conditions.js'
import { checkSelect, readsTable } from '../reads/select.js'
import { encodePosition, type Source, sourceOf } from '../reads/source.js'
import { checkScanStart, takeStartKey } from '../reads/start-key.js'
import { findTable } from '../tables/find.js'
import type { Layer } from '../values/layer.js'

interface ReadScan {
  readonly expressions: Expressions
  readonly startKey: Key | undefined
}

const LEGACY = ['AttributesToGet', 'ScanFilter', 'ConditionalOperator'] as const
const TAKING_VALUES = ['FilterExpression'] as const
const LAYER: Layer = MODEL.Scan.validator

export function readScan(engine: Engine, request: ScanRequest): ReadScan {
  const asked = askedBy(request)
  const isLegacy = refuseMixed(request, LEGACY)
  checkNeeded(asked, TAKING_VALUES, ': FilterExpression is null')
  const legacy = isLegacy ? readLegacy(request) : undefined
  const startKey = takeStartKey(request.ExclusiveStartKey, LAYER)
  checkSegments(request)
  const expressions = engine.expressions.read(asked, LAYER, TAKING_VALUES)
  checkSelect(request, LAYER)
  return { expressions: legacy ? withLegacy(expressions, legacy) : expressions, startKey }
}

/** The expressions that a scan knows: others are passed over. */
function askedBy(request: ScanRequest): ExpressionRequest {
  const { FilterExpression, ProjectionExpression } = request
  const { ExpressionAttributeNames, ExpressionAttributeValues } = request
  return { FilterExpression, ProjectionExpression, ExpressionAttributeNames, ExpressionAttributeValues }
}

function readLegacy(request: ScanRequest): Partial<Expressions> {
  const projection = readAttributesToGet(request.AttributesToGet)
  checkConditionalOperator(request.ConditionalOperator, request.ScanFilter)
  return { filter: readFilter(request.ScanFilter, request.ConditionalOperator, LAYER), projection }
}

function checkSegments({ Segment, TotalSegments }: ScanRequest): void {
  if (Segment !== undefined && TotalSegments === undefined)
    throw validation(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    )
  if (TotalSegments === undefined) return
  if (Segment === undefined)
    throw validation(
      'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    )
  if (Segment >= TotalSegments)
    throw validation(
      'The Segment parameter is zero-based and must be less than parameter TotalSegments: ' +
        `Segment: ${Segment} is not less than TotalSegments: ${TotalSegments}`,
    )
}

interface BoundScan {
  readonly source: Source
  readonly range: KeyRange
  readonly completeFromTable: boolean
}

export function bindScan(engine: Engine, request: ScanRequest, { expressions, startKey }: ReadScan): BoundScan {
  const { projection, filter } = expressions
  const source = sourceOf(findTable(engine, request.TableName), request.IndexName, request.ConsistentRead, 'Scan')
  const completeFromTable = readsTable(source, request.Select, projection)
  const range = { ...segmentRange(request.Segment ?? 0, request.TotalSegments ?? 1), reverse: false }
  if (startKey) {
    checkScanStart(source, startKey)
    const position = encodePosition(source, startKey)
    checkSegment(request, range, position)
    range.from = `${position}\x00`
  }
  checkScalarKeys(source.table, projection?.nestedNames)
  checkScalarKeys(source.table, filter?.nestedNames)
  return { source, range, completeFromTable }
}

/** A scan by segments is taken up in the segment that it left. */
function checkSegment(
  { Segment, TotalSegments }: ScanRequest,
  { from, to }: { from: string; to: string | undefined },
  position: string,
): void {
  if (position >= from && (to === undefined || position < to)) return
  throw validation(
    'The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct ' +
      `Segment. TotalSegments: ${TotalSegments} Segment: ${Segment}`,
  )
}
