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
    says: 'it measures the records of a stream by their JSON; AWS documents bytes of items',
    mends: (value, at) =>
      at === 'stream' ? changed(value, (name, member) => (name === 'SizeBytes' ? 0 : member)) : value,
  },
  {
    says: 'its stream has records of writes that changed nothing; AWS documents that there are none',
    mends: (value, at) => (at === 'stream' ? listOf(value).filter(record => !changesNothing(record)) : value),
  },
  {
    says: 'it measures item collections in fractions, always of a delete, and never of a transaction',
    explains: ({ at }) => at === 'ItemCollectionMetrics',
  },
  {
    says: 'an update without its key leaves an item without attributes, which nobody can delete',
    avoids: ({ operation, request }, tables) =>
      operation === 'updateItem' &&
      tables.some(
        table =>
          table.name === request.TableName &&
          keyParts(table).some(({ name }) => !Object.hasOwn((request.Key ?? {}) as object, name)),
      ),
  },
  {
    says: 'a transaction takes an update of a key, and has the item under the old one',
    avoids: ({ operation, request }) =>
      operation === 'transactWriteItems' && updatesOf(request).some(update => UPDATED_KEY.test(update)),
  },
  refusing(
    'it compares the numbers of a set as they are written',
    ANSWERED,
    /Input collection contains duplicates/,
    ({ call }) => given(call).includes('"NS"'),
  ),
  SET_NOTATION,
  refusing('it takes no operand in parentheses', /^answered|^Conditional/, /Expected comparison operator/),
  {
    says: 'an operand in parentheses cancels a transaction',
    explains: ({ at, outcomes }) => at === 'reasons' && JSON.stringify(outcomes.theirs).includes('Expected '),
  },
  { says: 'its syntax errors tell of another token', explains: ({ at }) => at === 'text' },
  refusing('it checks less of a request, and less of that before it is needed', INVALID, ANYTHING),
  refusing('it finds less wrong with an action of a transaction', CANCELLED, ANYTHING, ({ outcomes }) =>
    JSON.stringify(outcomes.ours).includes('ValidationError'),
  ),
  {
    says: 'it cancels a transaction by conditions, and does not come to what is wrong with an action by itself',
    explains: ({ at, ours, theirs }) =>
      at === 'reasons' &&
      listOf(theirs).length === listOf(ours).length &&
      listOf(theirs).every((code, i) => code === listOf(ours)[i] || listOf(ours)[i] === 'ValidationError'),
  },
  refusing(
    'it takes a dot in a name of the parameters from before expressions for a path',
    ANYTHING,
    /attribute name used in the document path is not defined|unused in expressions/,
    ({ call }) => given(call).includes('"with.dot"'),
  ),
  refusing(
    'it wants the partition key first in a condition on keys',
    ANSWERED,
    /Query condition missed key schema element/,
  ),
  refusing('its query of a partition of one item never ends', ANSWERED, /^EndlessPages/),
  {
    says: 'a query of a table without a sort key begins anew after any key',
    explains: ({ call, tables }) =>
      call.operation === 'query' &&
      call.request.ExclusiveStartKey !== undefined &&
      call.request.IndexName === undefined &&
      tables.some(({ name, sort }) => name === call.request.TableName && sort === undefined),
  },
  {
    says: 'a statement that writes answers no empty list of items',
    explains: ({ at, call, ours, theirs }) =>
      at === 'Items' && call.operation === 'executeStatement' && textOf(ours) === '[]' && theirs === undefined,
  },
  {
    says: 'NOT_CONTAINS holds for an attribute that is not there; DynamoDB Local says as we do that nothing does',
    explains: ({ at, call, ours }) =>
      given(call).includes('NOT_CONTAINS') &&
      (at === 'Items' || at === 'Count' || (at === 'outcome' && ours === 'ConditionalCheckFailedException')),
  },
  {
    says: 'ALL_OLD answers the key of an item that was not there',
    explains: ({ at, call, ours, theirs }) =>
      at === 'Attributes' &&
      /_OLD$/.test(String(call.request.ReturnValues)) &&
      ours === undefined &&
      call.request.Key !== undefined &&
      textOf(theirs) === textOf(keyOf(call)),
  },
  {
    says: 'a transaction of reads answers the key whatever the projection',
    explains: ({ at, call }) => at === 'Responses' && call.operation === 'transactGetItems' && hasProjection(call),
  },
  {
    says: 'it fetches nothing for a local index, whatever is asked for; AWS documents that a query does',
    explains: seen =>
      /^(?:Items|Count|ConsumedCapacity)$/.test(seen.at) &&
      indexOf(seen)?.kind === 'local' &&
      indexOf(seen)?.projection !== 'ALL',
  },
  {
    says: 'a scan of a local index is paid for by the table',
    explains: seen => seen.at === 'ConsumedCapacity' && indexOf(seen)?.kind === 'local',
  },
  {
    says: 'a read with a projection is paid for by what it answers; AWS documents the whole item',
    explains: ({ at, call, ours, theirs }) =>
      at === 'ConsumedCapacity' && hasProjection(call) && unitsOf(theirs) < unitsOf(ours),
  },
  {
    says: 'begins_with on a sort key does not tell upper from lower case',
    explains: ({ call }) => call.operation === 'query' && /begins_with|BEGINS_WITH/.test(given(call)),
  },
  {
    says: 'a list is filled up with nulls to an index beyond its end; AWS documents that the element goes to the end',
    explains: ({ at, call, theirs }) =>
      at === 'Attributes' && /\[\d\]/.test(String(call.request.UpdateExpression)) && textOf(theirs).includes('NULL'),
    disturbs: ({ request }) => /\[\d\]/.test(JSON.stringify(request)),
  },
  WHOLE_ATTRIBUTE,
  NEEDLESS,
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
