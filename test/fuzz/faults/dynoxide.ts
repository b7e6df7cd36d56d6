import type { Seen } from '../difference.js'
import type { Call } from '../random/operation.js'
import { keyParts } from '../random/tables.js'
import { type Plain, textOf } from '../sides/outcome.js'
import { type Fault, MAKES_ITEM, NEEDLESS, REASON_FOR_EACH, refusing, SET_NOTATION, WHOLE_ATTRIBUTE } from './fault.js'
import { changed, listOf, membersOf } from './values.js'

const ANYTHING = /^/
const ANSWERED = /^answered$/
const INVALID = /^ValidationException/
const CANCELLED = /^TransactionCanceledException/

const given = (call: Call) => JSON.stringify(call.request)
/** A key attribute as the target of an update. */
const UPDATED_KEY = /(?:SET|REMOVE|ADD|DELETE|,)\s+(?:pk|sk)\b/

/** Returns the update expressions of a transaction with aliases replaced by names. */
function updatesOf({ TransactItems }: Record<string, unknown>): string[] {
  const actions = (TransactItems ?? []) as {
    Update?: { UpdateExpression?: string; ExpressionAttributeNames?: object }
  }[]
  return actions.flatMap(({ Update }) => {
    const names = new Map(Object.entries(Update?.ExpressionAttributeNames ?? {}))
    return Update?.UpdateExpression?.replace(/#\w+/g, alias => String(names.get(alias))) ?? []
  })
}

const indexOf = ({ call, tables }: Seen) =>
  tables
    .find(({ name }) => name === call.request.TableName)
    ?.indexes.find(({ name }) => name === call.request.IndexName)

/** The known faults of dynoxide 1.2.1, the newest version on npm. The source is at 3.2.0, which lacks many of these. */
export const DYNOXIDE_FAULTS: readonly Fault[] = [
  MAKES_ITEM,
  REASON_FOR_EACH,
  {
    description: 'the size of stream records is that of their JSON; AWS documents the size of items',
    normalizes: (value, at) =>
      at === 'stream' ? changed(value, (name, member) => (name === 'SizeBytes' ? 0 : member)) : value,
  },
  {
    description: 'writes without a change create stream records; AWS documents none',
    normalizes: (value, at) => (at === 'stream' ? listOf(value).filter(record => !changesNothing(record)) : value),
  },
  {
    description: 'item collection metrics are fractions, always present for a delete and never for a transaction',
    explains: ({ at }) => at === 'ItemCollectionMetrics',
  },
  {
    description: 'an update without its key creates an item without attributes that cannot be deleted',
    avoids: ({ operation, request }, tables) =>
      operation === 'updateItem' &&
      tables.some(
        table =>
          table.name === request.TableName &&
          keyParts(table).some(({ name }) => !Object.hasOwn((request.Key ?? {}) as object, name)),
      ),
  },
  {
    description: 'a transaction accepts an update of a key attribute and stores the item under the old key',
    avoids: ({ operation, request }) =>
      operation === 'transactWriteItems' && updatesOf(request).some(update => UPDATED_KEY.test(update)),
  },
  refusing('numbers of a set are compared as text', ANSWERED, /Input collection contains duplicates/, ({ call }) =>
    given(call).includes('"NS"'),
  ),
  SET_NOTATION,
  refusing('operands in parentheses are rejected', /^answered|^Conditional/, /Expected comparison operator/),
  {
    description: 'an operand in parentheses cancels a transaction',
    explains: ({ at, outcomes }) => at === 'reasons' && JSON.stringify(outcomes.theirs).includes('Expected '),
  },
  { description: 'syntax errors name another token', explains: ({ at }) => at === 'text' },
  refusing('a request is checked less, and later', INVALID, ANYTHING),
  refusing('actions of a transaction are checked less', CANCELLED, ANYTHING, ({ outcomes }) =>
    JSON.stringify(outcomes.ours).includes('ValidationError'),
  ),
  {
    description: 'a failed condition cancels a transaction before its actions are validated',
    explains: ({ at, ours, theirs }) =>
      at === 'reasons' &&
      listOf(theirs).length === listOf(ours).length &&
      listOf(theirs).every((code, i) => code === listOf(ours)[i] || listOf(ours)[i] === 'ValidationError'),
  },
  refusing(
    'a dot in a name of legacy parameters separates a path',
    ANYTHING,
    /attribute name used in the document path is not defined|unused in expressions/,
    ({ call }) => given(call).includes('"with.dot"'),
  ),
  refusing('a key condition must begin with the partition key', ANSWERED, /Query condition missed key schema element/),
  refusing('a query of a partition with one item never ends', ANSWERED, /^EndlessPages/),
  {
    description: 'a query of a table without a sort key starts again after any key',
    explains: ({ call, tables }) =>
      call.operation === 'query' &&
      call.request.ExclusiveStartKey !== undefined &&
      call.request.IndexName === undefined &&
      tables.some(({ name, sort }) => name === call.request.TableName && sort === undefined),
  },
  {
    description: 'a write statement does not return an empty list of items',
    explains: ({ at, call, ours, theirs }) =>
      at === 'Items' && call.operation === 'executeStatement' && textOf(ours) === '[]' && theirs === undefined,
  },
  {
    description: 'NOT_CONTAINS is true for a missing attribute; DynamoDB Local agrees with edgewise',
    explains: ({ at, call, ours }) =>
      given(call).includes('NOT_CONTAINS') &&
      (at === 'Items' || at === 'Count' || (at === 'outcome' && ours === 'ConditionalCheckFailedException')),
  },
  {
    description: 'ALL_OLD returns the key of an item that did not exist',
    explains: ({ at, call, ours, theirs }) =>
      at === 'Attributes' &&
      /_OLD$/.test(String(call.request.ReturnValues)) &&
      ours === undefined &&
      call.request.Key !== undefined &&
      textOf(theirs) === textOf(keyOf(call)),
  },
  {
    description: 'a transactional read returns the key with any projection',
    explains: ({ at, call }) => at === 'Responses' && call.operation === 'transactGetItems' && hasProjection(call),
  },
  {
    description:
      'unprojected attributes of a local index are not read from the table; AWS documents that a query reads them',
    explains: seen =>
      /^(?:Items|Count|ConsumedCapacity)$/.test(seen.at) &&
      indexOf(seen)?.kind === 'local' &&
      indexOf(seen)?.projection !== 'ALL',
  },
  {
    description: 'a scan of a local index is charged to the table',
    explains: seen => seen.at === 'ConsumedCapacity' && indexOf(seen)?.kind === 'local',
  },
  {
    description: 'a read with a projection is charged by its output; AWS documents the size of the whole item',
    explains: ({ at, call, ours, theirs }) =>
      at === 'ConsumedCapacity' && hasProjection(call) && unitsOf(theirs) < unitsOf(ours),
  },
  {
    description: 'begins_with on a sort key ignores case',
    explains: ({ call }) => call.operation === 'query' && /begins_with|BEGINS_WITH/.test(given(call)),
  },
  {
    description:
      'a list is filled with nulls up to an index beyond its end; AWS documents that the element is appended',
    explains: ({ at, call, theirs }) =>
      at === 'Attributes' && /\[\d\]/.test(String(call.request.UpdateExpression)) && textOf(theirs).includes('NULL'),
    disturbs: ({ request }) => /\[\d\]/.test(JSON.stringify(request)),
  },
  WHOLE_ATTRIBUTE,
  NEEDLESS,
  refusing(
    'a query of a table without a sort key can start at its own key; the service was observed to reject it',
    /exclusive start key is invalid: ExclusiveStartKey/,
    ANSWERED,
    ({ call }) => call.operation === 'query' && call.request.ExclusiveStartKey !== undefined,
  ),
]

function changesNothing(record: Plain): boolean {
  const { OldImage, NewImage } = membersOf(record)
  return OldImage !== undefined && textOf(OldImage) === textOf(NewImage)
}

const hasProjection = (call: Call) => /ProjectionExpression|AttributesToGet/.test(given(call))

function keyOf({ request }: Call): Plain {
  return JSON.parse(JSON.stringify(request.Key, (_, value) => asPlainBytes(value)))
}

const asPlainBytes = (value: unknown) =>
  value instanceof Uint8Array ? `bytes ${Buffer.from(value).toString('hex')}` : value

/** Sums the units of all tables and pages. */
function unitsOf(capacity: Plain | undefined): number {
  const pages = Array.isArray(capacity) ? capacity : [capacity ?? null]
  return pages.reduce((sum: number, page) => sum + Number(membersOf(page).CapacityUnits ?? 0), 0)
}
