import { complaintOf } from '../complaints.js'
import { type Outcome, type Plain, textOf } from '../sides/outcome.js'
import {
  type Fault,
  MAKES_ITEM,
  NEEDLESS,
  REASON_FOR_EACH,
  refusing,
  SEGMENTS,
  SET_NOTATION,
  WHOLE_ATTRIBUTE,
} from './fault.js'
import { LOCAL_CAPACITY_FAULTS } from './local-capacity.js'
import { LOCAL_TRANSACTION_FAULTS } from './local-transactions.js'
import { changed, listOf, withoutNotation } from './values.js'

const INVALID = /^ValidationException/
const ANSWERED = /^answered$/
const CONDITION = /^ConditionalCheckFailedException/
const ANYTHING = /^/

/** Possible errors of an update of an existing item. */
const UPDATING: ReadonlySet<string | undefined> = new Set([
  'a path of an update',
  'an operand of an update',
  'an attribute that is missing',
  'a number',
  'a type of an index key',
  'a key as a document',
])

/** The known faults of DynamoDB Local 3.3.1. */
export const LOCAL_FAULTS: readonly Fault[] = [
  {
    says: 'it keeps the notation of numbers inside of lists, maps and sets; the service writes every number in one way',
    mends: withoutNotation,
  },
  {
    says: 'its stream has an empty map as a value without a type',
    mends: (value, at) =>
      at === 'stream' ? changed(value, (_, member) => (textOf(member) === '{"M":{}}' ? {} : member)) : value,
  },
  MAKES_ITEM,
  REASON_FOR_EACH,
  ...LOCAL_CAPACITY_FAULTS,
  {
    says: 'it measures no item collections',
    explains: ({ at, theirs }) => at === 'ItemCollectionMetrics' && theirs === undefined,
  },
  {
    says: 'it answers an empty item where a projection finds nothing; the service was seen to leave the place empty',
    explains: ({ at, call, ours, theirs }) =>
      at === 'Responses' &&
      call.operation === 'transactGetItems' &&
      textOf(ours) === textOf(listOf(theirs).map(each => (textOf(each) === '{"Item":{}}' ? {} : each))),
  },
  {
    says: 'it leaves out an update without an action, which AWS documents to be a PUT',
    disturbs: ({ request }) => isActionless(request),
    explains: ({ call }) => call.operation === 'updateItem' && isActionless(call.request),
  },
  {
    says:
      'a full page has no last key where its item is the end of the range, or all of its partition; the service was ' +
      'seen to give it whatever follows',
    explains: ({ call, outcomes }) => call.operation === 'query' && hasOneEmptyPageMore(outcomes.ours, outcomes.theirs),
  },
  refusing(
    'it cannot start after the end of the range',
    ANSWERED,
    /does not match the range key predicate/,
    ({ call, outcomes }) => call.request.ExclusiveStartKey !== undefined && hasFoundNothing(outcomes.ours),
  ),
  {
    says: 'a value may stand for a member of a path, and is then not found; dynoxide 3.2.0 calls it an error of syntax',
    explains: ({ at, call }) => (at === 'text' || at === 'message') && /\.\s*:\w/.test(expressionsOf(call.request)),
  },
  SEGMENTS,
  {
    says: 'a filter of a scan of an index sees what the index does not project; the service was seen to take it as missing',
    explains: ({ at, call, tables }) =>
      (at === 'Items' || at === 'Count') &&
      call.operation === 'scan' &&
      (call.request.FilterExpression !== undefined || call.request.ScanFilter !== undefined) &&
      tables.some(({ indexes }) =>
        indexes.some(({ name, projection }) => name === call.request.IndexName && projection !== 'ALL'),
      ),
  },
  ...LOCAL_TRANSACTION_FAULTS,
  refusing(
    'it looks at the type of an index key only once the condition held, and at nothing but the item that comes out',
    /Type mismatch for Index Key|secondary index key to unsupported type/,
    ANYTHING,
  ),
  refusing('it tests the condition of a write before it looks at all that is wrong with the write', INVALID, CONDITION),
  refusing('it has another name for the refusal of a second INSERT', /^DuplicateItemException/, /^DuplicateItem:/),
  refusing('it answers some bad requests with a failure of its own', INVALID, /^InternalFailure/),
  refusing('it takes the name of a function for an attribute', /reserved keyword: size/, ANYTHING),
  WHOLE_ATTRIBUTE,
  NEEDLESS,
  SET_NOTATION,
  {
    says:
      'of an action of an update it looks at the path before the value, and at the key of an index last; dynoxide 3.2.0, ' +
      'which follows captures, begins with the value',
    explains: ({ at, call, ours, theirs }) =>
      at === 'message' &&
      /^updateItem|^transactWrite/.test(call.operation) &&
      UPDATING.has(complaintOf(String(ours))) &&
      UPDATING.has(complaintOf(String(theirs))),
  },
  refusing("it takes an empty AttributesToGet, against the service's own model", /'attributesToGet' failed/, ANSWERED),
  refusing(
    'it evaluates the second operand of if_not_exists, and refuses it, also where the first is there',
    ANSWERED,
    /refers to an attribute that does not exist in the item/,
    ({ call }) => expressionsOf(call.request).includes('if_not_exists'),
  ),
]

function hasFoundNothing(outcome: Outcome): boolean {
  return outcome.refusal === undefined && outcome.pages.every(({ ScannedCount }) => ScannedCount === 0)
}

/** Returns all expressions of a request at any depth. */
function expressionsOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  const texts = Object.entries(value).map(([name, member]) =>
    name.endsWith('Expression') ? String(member) : expressionsOf(member),
  )
  return texts.join(' ')
}

function isActionless({ AttributeUpdates }: Record<string, unknown>): boolean {
  const updates = Object.values((AttributeUpdates ?? {}) as Record<string, { Action?: string }>)
  return updates.some(({ Action }) => Action === undefined)
}

function hasOneEmptyPageMore(ours: Outcome, theirs: Outcome): boolean {
  if (ours.refusal || theirs.refusal || ours.pages.length !== theirs.pages.length + 1) return false
  const items = (pages: readonly { readonly [name: string]: Plain }[]) => textOf(withoutNotation(listOfItems(pages)))
  return ours.pages.at(-1)!.ScannedCount === 0 && items(ours.pages.slice(0, -1)) === items(theirs.pages)
}

const listOfItems = (pages: readonly { readonly [name: string]: Plain }[]): Plain =>
  pages.map(({ Items }) => Items ?? null)
