import type { Seen } from '../difference.js'
import type { Call } from '../random/operation.js'
import type { TableShape } from '../random/tables.js'
import type { Plain } from '../sides/outcome.js'
import { membersOf } from './values.js'

/** A known difference between a witness and the service. */
export interface Fault {
  /** The behavior of the witness, and the source for the behavior of the service. */
  readonly description: string
  /** Whether this fault is the complete explanation of a difference. */
  readonly explains?: (seen: Seen) => boolean
  /** Removes the effect of the fault from a value of either side. */
  readonly normalizes?: (value: Plain, at: string) => Plain
  /** Whether the items may differ after a call without a visible difference. */
  readonly disturbs?: (call: Call) => boolean
  /** Whether a call is skipped because it would leave the witness in an irreparable state. */
  readonly avoids?: (call: Call, tables: readonly TableShape[]) => boolean
}

/** Creates a fault of errors from patterns of `Name: message`, or `answered`, for both sides. */
export function refusing(
  description: string,
  ours: RegExp,
  theirs: RegExp,
  more: (seen: Seen) => boolean = () => true,
): Fault {
  return {
    description,
    explains: seen => {
      if (seen.at !== 'outcome') return false
      const messageOf = ({ refusal }: Seen['outcomes']['ours']) =>
        refusal ? `${refusal.name}: ${refusal.message}` : 'answered'
      return ours.test(messageOf(seen.outcomes.ours)) && theirs.test(messageOf(seen.outcomes.theirs)) && more(seen)
    },
  }
}

/** The boundaries of segments are unspecified, so a start key may be within a segment or not. */
export const SEGMENTS = refusing(
  'the boundaries of scan segments differ',
  /^answered|Please use ExclusiveStartKey with correct Segment/,
  /^answered|Exclusive start key must lie within the segment|Please use ExclusiveStartKey with correct Segment/,
  ({ call }) => call.operation === 'scan' && call.request.TotalSegments !== undefined,
)

export const WHOLE_ATTRIBUTE: Fault = {
  description: 'an updated part is returned as the whole attribute; the service was observed to return the part',
  explains: ({ at, call, ours, theirs }) =>
    at === 'Attributes' &&
    /^UPDATED_/.test(String(call.request.ReturnValues)) &&
    /[.[]/.test(String(call.request.UpdateExpression)) &&
    Object.keys(membersOf(ours)).every(name => membersOf(theirs)[name] !== undefined),
}

interface Updating {
  UpdateExpression?: string
  AttributeUpdates?: Record<string, { Action?: string }>
}

const takesAway = ({ UpdateExpression, AttributeUpdates }: Updating = {}) =>
  UpdateExpression === undefined
    ? AttributeUpdates !== undefined && Object.values(AttributeUpdates).every(({ Action }) => Action === 'DELETE')
    : !/\b(?:SET|ADD)\b/i.test(UpdateExpression)

function onlyTakesAway({ operation, request }: Call): boolean {
  if (operation === 'updateItem') return takesAway(request as Updating)
  const parts = (request.TransactItems ?? []) as { Update?: Updating }[]
  return operation === 'transactWriteItems' && parts.some(({ Update }) => Update !== undefined && takesAway(Update))
}

export const MAKES_ITEM: Fault = {
  description: 'an update that only removes creates a missing item; the service was observed not to',
  // A missing item has no invalid path.
  explains: ({ at, call, ours }) => (at !== 'outcome' || ours === 'answered') && onlyTakesAway(call),
  disturbs: onlyTakesAway,
}

export const REASON_FOR_EACH: Fault = {
  description: 'every action of a transaction gets a reason; the service was observed to stop at an invalid key',
  explains: ({ at, call, outcomes }) =>
    at.startsWith('reason') &&
    call.operation === 'transactWriteItems' &&
    /reasons \[(?:None, )*ValidationError(?:, None)*\]/.test(outcomes.ours.refusal?.message ?? ''),
}

interface Part {
  ConditionExpression?: string
  UpdateExpression?: string
  ProjectionExpression?: string
  ExpressionAttributeNames?: object
  ExpressionAttributeValues?: object
}

const isNeedless = (part: Part) =>
  (part.ExpressionAttributeNames ?? part.ExpressionAttributeValues) !== undefined &&
  (part.ConditionExpression ?? part.UpdateExpression ?? part.ProjectionExpression) === undefined

export const NEEDLESS: Fault = {
  description: 'names and values of a transaction require an expression; the service was observed to ignore them',
  avoids: ({ operation, request }) =>
    operation.startsWith('transact') &&
    ((request.TransactItems ?? []) as Record<string, Part>[]).some(item => Object.values(item).some(isNeedless)),
}

const ODD_SET = /"NS":\[[^\]]*"1e2"/

export const SET_NOTATION: Fault = {
  description: 'numbers in a set are compared as text; the service compares them by value',
  explains: ({ at, call }) => at === 'Attributes' && ODD_SET.test(JSON.stringify(call.request)),
  disturbs: ({ request }) => ODD_SET.test(JSON.stringify(request)),
}

/** Messages are compared by the problem that they describe (`complaints.ts`); identical texts are not required. */
export const OTHER_WORDS: Fault = { description: 'the same problem is described in other words' }
/** A trial has shown that the request has both errors. */
export const OTHER_ORDER: Fault = { description: 'the other of two errors in a request is reported' }
