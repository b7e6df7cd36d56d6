import { type ContractCase, caseName, contract } from '../../src/contract/index.js'
import { ADMINISTRATION } from '../contract/administration.js'

/**
 * Cases that fail, by the behavior of dynoxide 1.2.1 that differs from AWS's documentation or from observations of the
 * service.
 */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  'it restarts a query of one item': ['query: a start key in a query of a table without a sort key is rejected'],
  'it has no limit of 1 MB for each partition of a batch': [
    'batchGetItem: keys beyond 1 MB of one partition are unprocessed, and keys of other partitions are read',
  ],
  'it remembers a token after its table was deleted': [
    'transactWriteItems: a token whose table was deleted is rejected',
  ],
  'it returns the key of a missing item': [
    'updateItem: each ReturnValues option returns its attributes for a new item',
  ],
  'it counts the full size of numbers in a written vector': [
    'putItem: a write counts four bytes for each number of a vector, and a read counts the size of the number',
  ],
  'a transaction requires an expression for names and values': [
    'transactGetItems: names without a projection are ignored',
    'transactWriteItems: names and values of a put or a delete without a condition are ignored',
  ],
  'it returns a vector only if the projection names it': [
    'searchVectors: a requested vector is returned in 32 bits for any projection',
  ],
  'it rejects an excess vector index with the message of table creation': [
    'updateTable: a sixth vector index is rejected',
  ],
  'it does not read a boolean from a string': ['query: a member of a request can also be a spelled boolean'],
  'it has no limit on the size of tags': ['tagResource: the tags of a table have at most 10 KB'],
  'it accepts any ARN': ['tagResource: the ARN of another service is rejected'],
  'it reports a reason for every invalid action of a transaction': [
    'transactWriteItems: only the first invalid key is reported, and no failed conditions',
  ],
  'an update that only removes attributes creates the item': [
    'updateItem: an update that only removes whole attributes creates no item',
    'updateItem: an update that creates no item returns no values',
    'updateItem: AttributeUpdates that only delete create no item',
  ],
  'it returns the whole attribute after an update of a part': [
    'updateItem: UPDATED values of list elements contain only those elements',
    'updateItem: UPDATED values of list elements are the elements at the same positions before and after',
  ],
  'size accepts no value': [
    'putItem: size is valid at every position of an operand',
    'updateItem: size is valid at every position of an operand',
    'deleteItem: size is valid at every position of an operand',
  ],
  'it compares members of number sets by their notation': [
    'updateItem: ADD joins sets of every type',
    'updateItem: DELETE removes members of sets, and the attribute with its last member',
    'updateItem: DELETE removes an attribute, or members of a set',
  ],
  'it aligns pairs of digits to the first digit; DynamoDB Local and dynalite align them to the decimal point': [
    'putItem: a number takes one byte for each pair of digits from the decimal point, and one more',
  ],
  'it pads a list with nulls, and removes elements one after the other': [
    'updateItem: SET writes elements of lists, and appends beyond their end',
    'updateItem: REMOVE closes gaps in a list, with the positions before the update',
  ],
  'a read with a projection is billed by the returned attributes': [
    'getItem: a read consumes one unit for each 4 KB, and half of that without strong consistency',
    'transactGetItems: each item costs two units for each 4 KB, found or not, for any projection',
  ],
  'it measures item collections in fractions or not at all': [
    'putItem: item collection metrics are reported only for a table with local indexes',
    'batchWriteItem: each item collection of a table with local indexes is measured once',
    'transactWriteItems: item collections of a table with local indexes are measured',
  ],
  'it accepts a key condition in one order only, and parses it before the table lookup': [
    'query: the parts of a key condition can have any order',
    'query: a missing table or index is reported before errors of the key',
  ],
  'it fetches nothing for a local index, and bills a scan of one to the table': [
    'query: a local index fetches requested attributes outside its projection from the table',
    'query: each item that a local index fetches from the table costs a read of the whole item',
    'scan: a scan of a local index returns the projected attributes of its items',
    'scan: a scan of an index is billed to the index',
  ],
  'it has no multi-attribute keys': [
    'query: a multi-attribute index requires its whole partition key and sorts by its sort attributes from the left',
    'query: an index has up to four attributes in each part of its key',
    'query: conditions on sort attributes go from the left, with a range only on the last',
    'query: conditions on several key attributes can have any order',
    'query: a filter cannot use an attribute of a multi-attribute key, but can use the keys of the table',
    'query: paging over a multi-attribute key visits every item once',
    'query: a start key of a multi-attribute index must match the condition on each attribute',
    'query: a multi-attribute index contains only items with all key attributes',
  ],
  'begins_with on a sort key is case-insensitive': ['query: a range of strings compares UTF-8 bytes'],
  'it loses items of an index with numeric keys': ['query: sort keys of indexes sort like those of tables'],
  'it ends a page at a different item': [
    'query: a page ends with the item that exceeds one megabyte, and the next page begins after it',
    'query: a page of exactly one megabyte is full',
    'query: a full page returns its last key even at the end, and a smaller page does not',
    'query: a filter, a projection or a count does not extend a page',
    'query: a page ends at the limit or at one megabyte, whichever comes first',
    'query: a page in reverse order has the same size',
    'scan: a page of a scan ends with the item that exceeds one megabyte',
  ],
  'a transaction of reads returns the key for any projection': [
    'transactGetItems: a projection returns only the named attributes',
  ],
  'it reports fewer or different errors of an action of a transaction': [
    'transactWriteItems: a value for an expression may nest by one level more than an item may hold',
    'transactWriteItems: an update of the key cancels the transaction',
  ],
  'it implements legacy parameters only in part': [
    'putItem: Expected tests whether an attribute exists',
    'updateItem: Expected tests whether an attribute exists',
    'deleteItem: Expected tests whether an attribute exists',
    'putItem: a dot in an attribute name of Expected belongs to the name',
    'updateItem: a dot in an attribute name of Expected belongs to the name',
    'deleteItem: a dot in an attribute name of Expected belongs to the name',
    'query: KeyConditions can be combined with a filter expression and a projection expression',
  ],
  'a table and its indexes are active at once, and so are their changes': [
    'deleteTable: the response describes a table in deletion, without its schema',
    'updateTable: a provisioned table switches to on-demand mode together with its indexes',
    'updateTable: an on-demand table switches to provisioned mode with capacity for each index',
    'updateTable: a table class applies once the table is active',
    'updateTable: a stream is enabled and disabled, and each stream has its own label',
    'updateTable: a new index contains existing and later items',
    'updateTable: deleting an index removes the attribute definition that only it used',
    'updateTable: a capacity change of an index returns the old capacity',
    'updateTable: only one index can be created or deleted at a time',
  ],
  'it describes tables differently, with fewer settings': [
    'describeTable: an on-demand table describes its mode, the start of the mode and its warm throughput',
    'describeTable: settings are described unchanged',
    'updateTable: a decrease of capacity is counted, and warm throughput stays',
    'updateTable: encryption with a key of KMS is described',
    'updateTable: a fifth decrease within a day is rejected',
    'updateTable: a missing index can be neither deleted nor changed',
    'updateTable: a table has no more than 20 global indexes',
    'updateTable: items with an invalid key attribute stay out of a new index and remain writable',
  ],
  'a table has one stream with one shard, which is deleted with the table': [
    'listStreams: a disabled stream is listed next to its successor',
    'describeStream: a stream is described by its table, its view and its shards',
    'describeStream: a page begins after the given shard',
    'describeStream: a filter for the children of a shard requires all of its members',
    'describeStream: a disabled stream has closed shards that can still be read',
    'describeStream: the stream of a deleted table can still be described',
    'describeStream: a missing stream is named in the error',
    'getShardIterator: a missing shard is rejected',
  ],
  'it measures records by their JSON, and records some writes without changes': [
    'getRecords: a stream of KEYS_ONLY shows a record of each change with its keys and images',
    'getRecords: a stream of NEW_IMAGE shows a record of each change with its keys and images',
    'getRecords: a stream of OLD_IMAGE shows a record of each change with its keys and images',
    'getRecords: a stream of NEW_AND_OLD_IMAGES shows a record of each change with its keys and images',
    'getRecords: a record has its region, its time and an increasing sequence number',
    'getRecords: a write without changes creates no record',
    'getRecords: a page has at most 1,000 records and one megabyte',
  ],
}

/** Operations that are missing. */
const LACKING: ReadonlySet<string> = new Set([...ADMINISTRATION, 'describeLimits'])
const STATEMENTS: ReadonlySet<string> = new Set(['executeStatement', 'batchExecuteStatement', 'executeTransaction'])

/** Returns the reason for which all cases of a kind fail. */
function faultOfKind({ operation, name }: ContractCase): string | undefined {
  if (name.endsWith(' type is rejected') || name.includes('a text that spells a boolean'))
    return "the AWS SDK's client converts the value or drops it"
  if (name === 'an attribute may be named __proto__') return "the AWS SDK's client loses the attribute"
  if (/\bby its ARN$/.test(name)) return 'it takes no ARN for a table'
  return LACKING.has(operation) ? `it has no ${operation}` : undefined
}

const listed = Object.entries(FAULTS).flatMap(([reason, cases]) => cases.map(name => [name, reason] as const))
const ofKind = contract.flatMap(given => {
  const reason = faultOfKind(given)
  return reason === undefined ? [] : [[caseName(given), reason] as const]
})

/** Cases that do not run, each with the reason. */
export const SKIPPED: Readonly<Record<string, string>> = Object.fromEntries([...ofKind, ...listed])

/** Returns the reason of a known failure of dynoxide that does not depend on the name of the case. */
export function knownFailure({ operation }: ContractCase, { message }: Error): string | undefined {
  if (STATEMENTS.has(operation)) return 'it knows PartiQL only in part'
  return /^expected ValidationException, got /.test(message)
    ? 'it checks less of a request, and less of that before it is needed'
    : undefined
}
