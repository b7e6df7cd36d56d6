import { type ContractCase, caseName, contract } from '../../src/contract/index.js'
import { ADMINISTRATION } from '../contract/administration.js'

/**
 * Cases that fail, by the behavior of DynamoDB Local that differs from AWS's documentation or from observations of the
 * service.
 */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  'its read capacity differs: a read that finds nothing is free, and an index read costs the units of the table': [
    'query: a query that finds nothing costs the minimum of a read',
    'query: each item that a local index fetches from the table costs a read of the whole item',
    'query: a query of an index that finds nothing costs the minimum of a read',
    'scan: a scan of an index is billed to the index',
    'scan: a scan of an empty table costs the minimum of a read',
    'batchGetItem: each item costs a separate read, found or not',
  ],
  'its write capacity in batches and transactions differs and is not split into reads and writes': [
    'batchWriteItem: each write costs the units of the larger of the old item and the new',
    'transactGetItems: each item costs two units for each 4 KB, found or not, for any projection',
    'transactGetItems: capacity by index includes the units of the table',
    'transactWriteItems: a repeated request costs a read of each written, replaced or checked item',
    'transactWriteItems: each action costs two units for each 1 KB, reported by table',
    'transactWriteItems: a put and an update cost the units of the larger of the old item and the new',
    'transactWriteItems: a condition check costs the same as a write of its item',
    'transactWriteItems: index writes cost single units',
    'transactWriteItems: an index entry that moves costs its removal and its creation',
    'transactWriteItems: unchanged indexes cost nothing',
    'transactWriteItems: a delete costs the removal of every index entry',
  ],
  'it reports no capacity of statements': [
    'executeStatement: a statement costs the same as its operation',
    'executeStatement: a statement reports the capacity of indexes',
    'batchExecuteStatement: every statement of a batch is billed by its own consistency',
    'batchExecuteStatement: a failed statement counts toward the total of its table if another statement succeeded',
    'executeTransaction: a transaction of reads returns each item',
    'executeTransaction: a read of a transaction costs by the size of its item',
    'executeTransaction: a transaction of writes applies every statement and returns no items',
    'executeTransaction: a token makes a transaction idempotent',
  ],
  'it reports the capacity of a delete without a request': [
    'deleteItem: a deleted item is gone, and deleting it again succeeds',
    'deleteItem: ALL_OLD returns the deleted item, and NONE returns nothing',
  ],
  'it measures no item collections': [
    'putItem: item collection metrics are reported only for a table with local indexes',
    'batchWriteItem: each item collection of a table with local indexes is measured once',
    'transactWriteItems: item collections of a table with local indexes are measured',
  ],
  'a transaction requires an expression for names and values': [
    'transactGetItems: names without a projection are ignored',
    'transactWriteItems: names and values of a put or a delete without a condition are ignored',
  ],
  'it reports the name of a table that the request named by its ARN': [
    'getItem',
    'putItem',
    'query',
    'scan',
    'batchGetItem',
    'batchWriteItem',
    'transactGetItems',
    'transactWriteItems',
  ].map(operation => `${operation}: capacity names the table as the request does, also by its ARN`),
  'it reads attributes by names of any length': ['getItem: AttributesToGet has names of at most 65535 bytes'],
  'it reports a reason for every invalid action of a transaction': [
    'transactWriteItems: only the first invalid key is reported, and no failed conditions',
  ],
  'an update that only removes attributes creates the item': [
    'updateItem: an update that only removes whole attributes creates no item',
    'updateItem: an update that creates no item returns no values',
    'updateItem: AttributeUpdates that only delete create no item',
  ],
  'it returns the whole attribute after an update of a part': [
    'updateItem: UPDATED values of a map member contain only that member',
    'updateItem: UPDATED values of list elements contain only those elements',
    'updateItem: UPDATED values of list elements are the elements at the same positions before and after',
  ],
  'it accepts invalid numbers, and exponents of any size': [
    'putItem: an invalid number is rejected',
    'putItem: an exponent of up to 64 bits is read in full',
  ],
  'it does not validate index keys in every operation': [
    'putItem: every write requires the type of an index key',
    'putItem: an update that sets a wrong type for an index key is rejected for any item and condition',
    'putItem: an update that copies a value of the wrong type into an index key is rejected',
    'putItem: the sort key of an index has at most 1024 bytes',
  ],
  'it has no limit on the statement of an update': [
    'updateItem: the statement of an update has at most 400 KB, counting each clause with its written values',
  ],
  'it ends a page at a different item': [
    'query: a full page returns its last key even at the end, and a smaller page does not',
    'query: a filter, a projection or a count does not extend a page',
    'query: a page of an index is measured by the projected size',
  ],
  'it fetches unprojected attributes of a global index from the table': [
    'scan: a filter of a scan of a global index treats unprojected attributes as missing',
  ],
  'it returns an empty item if a projection matches nothing': [
    'transactGetItems: an item without any projected attribute has an empty response',
  ],
  'it rejects a transaction where the service cancels it, or reports a different action': [
    'transactGetItems: keys that do not match their tables cancel the transaction, each with its reason',
    'transactWriteItems: two actions of any kinds on one item are rejected',
    'transactWriteItems: a value for an expression may nest by one level more than an item may hold',
    'transactWriteItems: a put without its key cancels the transaction',
    'transactWriteItems: a delete with other key attributes cancels the transaction',
    'transactWriteItems: a condition check with other key attributes cancels the transaction',
    'transactWriteItems: an update of the key cancels the transaction',
    'transactWriteItems: an update that reads a missing attribute cancels the transaction',
  ],
  'EQ ignores the order of lists': [
    'putItem: Expected supports every comparison operator',
    'updateItem: Expected supports every comparison operator',
    'deleteItem: Expected supports every comparison operator',
  ],
  'it ignores an update without an action, whose default is PUT': [
    'updateItem: AttributeUpdates put values by default',
    'updateItem: AttributeUpdates create a missing item',
    'updateItem: DELETE removes an attribute, or members of a set',
    'updateItem: a dot in an attribute name of AttributeUpdates belongs to the name',
    'updateItem: AttributeUpdates return the attributes that ReturnValues requests',
    'updateItem: AttributeUpdates can be combined with Expected',
  ],
  'its statements read different ranges, orders and pages': [
    'executeStatement: SELECT by the partition key finds its items in the order of the sort key',
    'executeStatement: ORDER BY the sort key reads in that direction',
    'executeStatement: IN and OR read several partitions',
    'executeStatement: the sort key can stand on either side of a comparison',
    'executeStatement: ORDER BY sorts partitions with listed sort keys',
    'executeStatement: NextToken continues in both directions and across partitions',
    'executeStatement: NextToken is valid only for its own statement and parameters',
    'executeStatement: a local index fetches unprojected attributes, and a global index rejects them',
    'executeStatement: overlapping key ranges are rejected',
    'executeStatement: ORDER BY requires the key and a partition',
    'batchExecuteStatement: a read in a batch selects one item by exactly its key',
  ],
  'its errors of statements have different names and positions': [
    'executeStatement: INSERT of an existing item fails',
    'executeTransaction: a wrong key type fails a transaction before other checks',
  ],
  'a filter of shards needs no shard': [
    'describeStream: a filter for the children of a shard requires all of its members',
  ],
  'a table and its indexes are active at once, and so are their changes': [
    'createTable: the response describes a table in creation',
    'createTable: the response describes indexes in creation',
    'deleteTable: the response describes a table in deletion, without its schema',
    'updateTable: increased capacity applies once the table is active, and the response has the old capacity',
    'updateTable: a provisioned table switches to on-demand mode together with its indexes',
    'updateTable: deletion protection is enabled and disabled',
    'updateTable: a stream is enabled and disabled, and each stream has its own label',
    'updateTable: a new index contains existing and later items',
    'updateTable: deleting an index removes the attribute definition that only it used',
    'updateTable: a capacity change of an index returns the old capacity',
  ],
  'it describes dates, identifiers and decreases differently': [
    'createTable: an on-demand table has no provisioned capacity',
    'describeTable: a table has its own identifier, ARN and creation date',
    'describeTable: an on-demand table describes its mode, the start of the mode and its warm throughput',
    'describeTable: a provisioned table describes its capacity and that of its indexes',
    'deleteTable: a table with the name of a deleted one is new and empty',
    'updateTable: a decrease of capacity is counted, and warm throughput stays',
    'updateTable: a fifth decrease within a day is rejected',
  ],
  'it lacks classes, encryption, on-demand maximums or warm throughput, or does not validate them': [
    'createTable: an on-demand maximum for a provisioned table is rejected',
    'createTable: warm throughput below the initial value of an on-demand table is rejected',
    'describeTable: settings are described unchanged',
    'updateTable: on-demand maximums are set one by one, and -1 removes one',
    'updateTable: a table class applies once the table is active',
    'updateTable: encryption with a key of KMS is described',
    'updateTable: an on-demand maximum for a provisioned table is rejected',
  ],
  'it does not read a boolean from a string': ['query: a member of a request can also be a spelled boolean'],
  'it returns more than 1 MB of one partition': [
    'batchGetItem: keys beyond 1 MB of one partition are unprocessed, and keys of other partitions are read',
  ],
  'it restarts a query of one item': ['query: a start key in a query of a table without a sort key is rejected'],
  'it requires a name in a filter': ['scan: a filter on an empty attribute name matches nothing'],
  'its statements follow an earlier version of PartiQL': [
    'executeStatement: OFFSET is a keyword',
    'executeStatement: a begins_with range does not overlap a range below it',
    'executeStatement: a single key that exceeds the key length is rejected',
    'executeStatement: key values are validated until a condition requires a scan',
    'batchExecuteStatement: IN with a single value selects a key in a read',
    'batchExecuteStatement: an invalid key and a key change are reported with their table',
  ],
  'it accepts invalid definitions': [
    'createTable: an empty list of local indexes is rejected',
    'createTable: more than 20 included attributes of an index are rejected',
    'createTable: capacity for an on-demand table is rejected',
    'createTable: capacity for an index of an on-demand table is rejected',
    'updateTable: attribute definitions that no key uses are omitted',
    'updateTable: capacity for an on-demand table is rejected',
    'updateTable: a missing index can be neither deleted nor changed',
    'updateTable: the request must define the key attributes of a new index',
    'updateTable: an index of an on-demand table has no provisioned capacity',
  ],
  'it ignores replicas next to another change': ['updateTable: a replica is added alone'],
  'it does not validate tags': [
    'createTable: more than 50 tags are rejected',
    'createTable: a tag with too long a key is rejected',
    'createTable: a tag with too long a value is rejected',
    'createTable: two tags with the same key are rejected',
  ],
  'it never completes an index if an item has an invalid key for it': [
    'updateTable: items with an invalid key attribute stay out of a new index and remain writable',
  ],
  'it accepts no table ARN in a transaction': [
    'transactGetItems: the table can be named by its ARN',
    'transactWriteItems: the table can be named by its ARN',
  ],
  'its records have the region ddblocal and longer pages': [
    'getRecords: a record has its region, its time and an increasing sequence number',
    'getRecords: a page has at most 1,000 records and one megabyte',
  ],
}

/** Operations that are missing or have no effect. */
const LACKING: ReadonlySet<string> = new Set([...ADMINISTRATION, 'tagResource', 'untagResource', 'listTagsOfResource'])

/** Returns the reason for which all cases of a kind fail. */
function faultOfKind({ operation, name }: ContractCase): string | undefined {
  if (name.endsWith(' type is rejected') || name.includes('a text that spells a boolean'))
    return "the AWS SDK's client converts the value or drops it"
  if (name === 'an attribute may be named __proto__') return "the AWS SDK's client loses the attribute"
  if (LACKING.has(operation)) return `it has no ${operation}`
  return operation === 'searchVectors' || name.includes('vector') ? 'it has no vector indexes' : undefined
}

const listed = Object.entries(FAULTS).flatMap(([reason, names]) => names.map(name => [name, reason] as const))
const ofKind = contract.flatMap(given => {
  const reason = faultOfKind(given)
  return reason === undefined ? [] : [[caseName(given), reason] as const]
})

/** Cases that do not run, each with the reason. */
export const SKIPPED: Readonly<Record<string, string>> = Object.fromEntries([...ofKind, ...listed])

/** The different errors of DynamoDB Local in place of the expected one, in any case. */
const OTHER_REFUSALS: readonly (readonly [RegExp, string])[] = [
  [
    /^expected ValidationException, got ResourceNotFoundException/,
    'it looks up the table before it validates a request',
  ],
  [
    /^expected ValidationException, got InternalFailure/,
    'it responds to some invalid requests with an internal failure',
  ],
]

/** Returns the reason of a known failure of DynamoDB Local that does not depend on the name of the case. */
export function knownFailure({ name }: ContractCase, { message }: Error): string | undefined {
  const other = OTHER_REFUSALS.find(([pattern]) => pattern.test(message))
  if (other) return other[1]
  const unchecked = name.startsWith('a request that breaks ') && message.includes('but it was answered')
  return unchecked ? 'it does not validate every constraint of the model' : undefined
}
