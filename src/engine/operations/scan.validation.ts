import type { Key } from '../../dynamodb/attribute-value.js'
import type { ScanRequest } from '../../dynamodb/operations/reads.js'
import { validation } from '../errors.js'
import { type Expressions, readExpressions } from '../expressions/read.js'
import { refuseLegacy } from '../items/request.js'
import { checkSelect } from '../reads/select.js'
import { checkScalarKeys, type Source } from '../reads/source.js'
import { checkStartKey, takeStartKey } from '../reads/start-key.js'

interface ReadScan {
  readonly expressions: Expressions
  readonly startKey: Key | undefined
}

export function readScan(request: ScanRequest): ReadScan {
  refuseLegacy(request, ['AttributesToGet', 'ScanFilter', 'ConditionalOperator'])
  const startKey = takeStartKey(request.ExclusiveStartKey)
  checkSegments(request)
  const expressions = readExpressions(request, ['FilterExpression'])
  checkSelect(request)
  return { expressions, startKey }
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

export function bindScan(source: Source, { expressions, startKey }: ReadScan): void {
  if (startKey) checkStartKey(source, startKey)
  checkScalarKeys(source, expressions)
}

/** A scan by segments is taken up in the segment that it left. */
export function checkSegment(
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
