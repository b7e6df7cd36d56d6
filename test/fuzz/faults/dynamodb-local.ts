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
    description: 'numbers in lists, maps and sets keep their notation; the service normalizes all numbers',
    normalizes: withoutNotation,
  },
  {
    description: 'stream records have an empty map as a value without a type',
    normalizes: (value, at) =>
      at === 'stream' ? changed(value, (_, member) => (textOf(member) === '{"M":{}}' ? {} : member)) : value,
  },
  // The service normalizes numbers before it adds them to a set; here, `1e2` and the stored `100` are two members.
  refusing(
    'an update adds a number to a set that has it in another notation',
    ANSWERED,
    /Input collection contains duplicates/,
    ({ call }) => call.operation === 'updateItem' && JSON.stringify(call.request).includes('"NS"'),
  ),
  MAKES_ITEM,
  REASON_FOR_EACH,
  ...LOCAL_CAPACITY_FAULTS,
  {
    description: 'item collection metrics are missing',
    explains: ({ at, theirs }) => at === 'ItemCollectionMetrics' && theirs === undefined,
  },
  {
    description: 'a projection that finds nothing returns an empty item; the service was observed to omit the item',
    explains: ({ at, call, ours, theirs }) =>
      at === 'Responses' &&
      call.operation === 'transactGetItems' &&
      textOf(ours) === textOf(listOf(theirs).map(each => (textOf(each) === '{"Item":{}}' ? {} : each))),
  },
  {
    description: 'an update without an action is ignored; AWS documents PUT as the default',
    disturbs: ({ request }) => isActionless(request),
    explains: ({ call }) => call.operation === 'updateItem' && isActionless(call.request),
  },
  {
    description:
      'a full page has no last key if its item ends the range or the partition; the service was observed to always ' +
      'return it',
    explains: ({ call, outcomes }) => call.operation === 'query' && hasOneEmptyPageMore(outcomes.ours, outcomes.theirs),
  },
  refusing(
    'a start key after the end of the range is rejected',
    ANSWERED,
    /does not match the range key predicate/,
    ({ call, outcomes }) => call.request.ExclusiveStartKey !== undefined && hasFoundNothing(outcomes.ours),
  ),
  {
    description: 'a value is accepted as a member of a path and not found; dynoxide 3.2.0 reports a syntax error',
    explains: ({ at, call }) => (at === 'text' || at === 'message') && /\.\s*:\w/.test(expressionsOf(call.request)),
  },
  SEGMENTS,
  {
    description:
      'a scan filter on an index sees unprojected attributes; the service was observed to treat them as missing',
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
    'the type of an index key is checked only after the condition, and only in the resulting item',
    /Type mismatch for Index Key|secondary index key to unsupported type/,
    ANYTHING,
  ),
  refusing('the condition of a write is tested before the write is fully validated', INVALID, CONDITION),
  refusing('the error of a duplicate INSERT has another name', /^DuplicateItemException/, /^DuplicateItem:/),
  refusing('some invalid requests cause an internal failure', INVALID, /^InternalFailure/),
  refusing('a function name is accepted as an attribute', /reserved keyword: size/, ANYTHING),
  WHOLE_ATTRIBUTE,
  NEEDLESS,
  SET_NOTATION,
  {
    description:
      'an update action is checked in the order path, value, index key; dynoxide 3.2.0, which follows captures, begins ' +
      'with the value',
    explains: ({ at, call, ours, theirs }) =>
      at === 'message' &&
      /^updateItem|^transactWrite/.test(call.operation) &&
      UPDATING.has(complaintOf(String(ours))) &&
      UPDATING.has(complaintOf(String(theirs))),
  },
  refusing("it takes an empty AttributesToGet, against the service's own model", /'attributesToGet' failed/, ANSWERED),
  refusing(
    'the second operand of if_not_exists is evaluated and rejected even if the first exists',
    ANSWERED,
    /refers to an attribute that does not exist in the item/,
    ({ call }) => expressionsOf(call.request).includes('if_not_exists'),
  ),
  refusing(
    'a query of a table without a sort key can start at its own key; the service was observed to reject it',
    /exclusive start key is invalid: ExclusiveStartKey/,
    ANSWERED,
    ({ call }) => call.operation === 'query' && call.request.ExclusiveStartKey !== undefined,
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
