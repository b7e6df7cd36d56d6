import type { Seen } from '../difference.js'
import type { Call } from '../random/operation.js'
import type { TableShape } from '../random/tables.js'
import type { Plain } from '../sides/outcome.js'
import { membersOf } from './values.js'

/** Something that a witness is known to do otherwise than the service. */
export interface Fault {
  /** What it does, and who says that the service does not. */
  readonly says: string
  /** Whether this is all there is to a difference. */
  readonly explains?: (seen: Seen) => boolean
  /** Takes out of a value, of either side, what it does otherwise wherever such a value stands. */
  readonly mends?: (value: Plain, at: string) => Plain
  /** Whether the items may differ after a call though nothing showed. */
  readonly disturbs?: (call: Call) => boolean
  /** Whether a call would leave it in a state that nothing mends, and so is not sent. */
  readonly avoids?: (call: Call, tables: readonly TableShape[]) => boolean
}

/** A fault of refusals: what is told by ours and by theirs, as patterns of `Name: message`, or `answered`. */
export function refusing(
  says: string,
  ours: RegExp,
  theirs: RegExp,
  more: (seen: Seen) => boolean = () => true,
): Fault {
  return {
    says,
    explains: seen => {
      if (seen.at !== 'outcome') return false
      const told = ({ refusal }: Seen['outcomes']['ours']) =>
        refusal ? `${refusal.name}: ${refusal.message}` : 'answered'
      return ours.test(told(seen.outcomes.ours)) && theirs.test(told(seen.outcomes.theirs)) && more(seen)
    },
  }
}

/** Where a segment of a scan begins and ends is nobody's promise, so that a key to start from may be in it or not. */
export const SEGMENTS = refusing(
  'its segments of a scan lie elsewhere',
  /^answered|Please use ExclusiveStartKey with correct Segment/,
  /^answered|Exclusive start key must lie within the segment|Please use ExclusiveStartKey with correct Segment/,
  ({ call }) => call.operation === 'scan' && call.request.TotalSegments !== undefined,
)

export const WHOLE_ATTRIBUTE: Fault = {
  says: 'it answers the whole attribute where a part of it was updated; the service was seen to answer the part',
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
  says: 'an update that only takes away makes the item; the service was seen to make none',
  // Where there is no item, no path is wrong.
  explains: ({ at, call, ours }) => (at !== 'outcome' || ours === 'answered') && onlyTakesAway(call),
  disturbs: onlyTakesAway,
}

export const REASON_FOR_EACH: Fault = {
  says: 'it gives a reason for every action of a transaction; the service was seen to stop at a key that does not fit',
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
  says: 'a transaction wants an expression for names and values; the service was seen to pass them over',
  avoids: ({ operation, request }) =>
    operation.startsWith('transact') &&
    ((request.TransactItems ?? []) as Record<string, Part>[]).some(item => Object.values(item).some(isNeedless)),
}

const ODD_SET = /"NS":\[[^\]]*"1e2"/

export const SET_NOTATION: Fault = {
  says: 'it knows numbers in a set only as they are written; the service compares them by value',
  explains: ({ at, call }) => at === 'Attributes' && ODD_SET.test(JSON.stringify(call.request)),
  disturbs: ({ request }) => ODD_SET.test(JSON.stringify(request)),
}

/** Messages are compared by what they complain of (`complaints.ts`); where they are the same texts, so much the better. */
export const OTHER_WORDS: Fault = { says: 'it complains of the same in other words' }
/** It has been shown that the request has both faults. */
export const OTHER_ORDER: Fault = { says: 'of two faults in a request it complains of the other' }
