import { type ContractCase, caseName, contract } from '../../src/contract/index.js'
import { ADMINISTRATION } from '../contract/administration.js'

/** Cases whose outcome is another, by what DynamoDB Local does otherwise than AWS documents it or was seen to do it. */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  "its capacity of reads is not the service's: what finds nothing costs nothing, and an index what the table would": [
    'query: a query that finds nothing costs the least that a read can',
    'query: what a local index fetches from the table costs a read of each whole item',
    'query: a query of an index that finds nothing costs the least that a read can',
    'scan: a scan of an index is paid for by the index',
    'scan: a scan of an empty table costs the least that a read can',
    'batchGetItem: each item costs a read of its own, found or not',
  ],
  "its capacity of writes in batches and transactions is not the service's, and is not split into reads and writes": [
    'batchWriteItem: each write costs by the larger of what was and what is there',
    'transactGetItems: each item costs two units for each 4 KB, found or not, whatever the projection',
    'transactGetItems: capacity by index has the share of the table',
    'transactWriteItems: the same again costs reads of what each action wrote, replaced or looked at',
    'transactWriteItems: each action costs two units for each 1 KB, by table',
    'transactWriteItems: a put and an update cost by the larger of what was and what is there',
    'transactWriteItems: a check costs as a write of the item that it looks at',
    'transactWriteItems: indexes cost single',
    'transactWriteItems: an index entry whose key moves costs its removal and its making',
    'transactWriteItems: indexes that see no change cost nothing',
    'transactWriteItems: a delete costs the removal of every index entry',
  ],
  'it tells no capacity of statements': [
    'executeStatement: a statement costs what its operation costs',
    'executeStatement: a statement tells what the indexes took',
    'batchExecuteStatement: every statement of a batch is paid for by its own consistency',
    'batchExecuteStatement: a statement that fails counts for its table in all, where another was done',
    'executeTransaction: a transaction of reads answers each item',
    'executeTransaction: a read of a transaction costs by the size of its item',
    'executeTransaction: a transaction of writes does all, and answers nothing of them',
    'executeTransaction: a token keeps a transaction from being done twice',
  ],
  'it tells the capacity of a delete without being asked': [
    'deleteItem: a deleted item is gone, and deleting it again is no error',
    'deleteItem: ALL_OLD answers the item that was deleted, and NONE nothing',
  ],
  'it measures no item collections': [
    'putItem: the measures of an item collection are told on a table with local indexes alone',
    'batchWriteItem: collections of a table with local indexes are measured, each once',
    'transactWriteItems: item collections of a table with local indexes are measured',
  ],
  'a transaction wants an expression for names and values too': [
    'transactGetItems: names beside no projection are passed over',
    'transactWriteItems: names and values of a put or a delete that has no condition are passed over',
  ],
  'it tells the name of a table that was given by its ARN': [
    'getItem',
    'putItem',
    'query',
    'scan',
    'batchGetItem',
    'batchWriteItem',
    'transactGetItems',
    'transactWriteItems',
  ].map(operation => `${operation}: capacity is told of a table as it is named, also by its ARN`),
  'it reads attributes by names of any length': ['getItem: AttributesToGet has names of at most 65535 bytes'],
  'it gives a reason for every action of a transaction that cannot be': [
    'transactWriteItems: of keys that do not fit only the first is told, and of conditions none',
  ],
  'an update that only takes away makes the item': [
    'updateItem: an update that only takes away whole attributes makes no item',
    'updateItem: no values are answered where an update made no item',
    'updateItem: AttributeUpdates that only delete make no item',
  ],
  'it answers the whole attribute where a part of it was updated': [
    'updateItem: updated values of a member of a map are that member alone',
    'updateItem: updated values of elements of a list are those elements alone',
    'updateItem: updated values of elements of a list are what is at their places, before and after',
  ],
  'it takes numbers that are none, and exponents of any size': [
    'putItem: a number that is none is refused',
    'putItem: an exponent is read in full, unless it has more than 64 bits',
  ],
  'it does not check the keys of indexes wherever it should': [
    'putItem: the key of an index has its type, whoever writes it',
    'putItem: an update that would give the key of an index another type by itself is refused whatever the item and the condition are',
    'putItem: an update that gives the key of an index the value of another attribute is refused where that has another type',
    'putItem: the sort key of an index has at most 1024 bytes',
  ],
  'it has no limit on what an update says': [
    'updateItem: the statement of an update has at most 400 KB by itself, each clause counted with what it writes',
  ],
  'it ends a page elsewhere': [
    'query: a full page gives its last key even where nothing follows, and one below a megabyte gives none',
    'query: neither a filter, nor a projection, nor a count makes a page longer',
    'query: a page of an index is measured by what the index has',
  ],
  'it fetches from the table what a global index does not project': [
    'scan: a filter of a scan of a global index takes what the index does not project as missing',
  ],
  'it answers an empty item where a projection finds nothing': [
    'transactGetItems: an item of which the projection finds nothing leaves its place empty',
  ],
  'it refuses a whole transaction for what cancels it by one action, or cancels it by another': [
    'transactGetItems: keys that do not fit their tables cancel it, each with its reason',
    'transactWriteItems: two actions of any kinds on one item are refused',
    'transactWriteItems: a value for an expression may nest by one level more than an item may hold',
    'transactWriteItems: a put without its key cancels it',
    'transactWriteItems: a delete by another key cancels it',
    'transactWriteItems: a check by another key cancels it',
    'transactWriteItems: an update of the key cancels it',
    'transactWriteItems: an update that reads what is not there cancels it',
  ],
  'by EQ it compares lists whatever their order': [
    'putItem: Expected compares an attribute with values by each of its operators',
    'updateItem: Expected compares an attribute with values by each of its operators',
    'deleteItem: Expected compares an attribute with values by each of its operators',
  ],
  'it leaves out an update without an action, which is a PUT': [
    'updateItem: AttributeUpdates put values, which is what they do unless told otherwise',
    'updateItem: AttributeUpdates make an item that is not there',
    'updateItem: DELETE takes an attribute away, or members from a set',
    'updateItem: a dot in a name of AttributeUpdates is a part of the name',
    'updateItem: AttributeUpdates answer what ReturnValues asks for',
    'updateItem: AttributeUpdates go with Expected',
  ],
  'its statements read other ranges, in other orders and pages': [
    'executeStatement: SELECT by the partition key finds its items in the order of the sort key',
    'executeStatement: ORDER BY the sort key reads in that direction',
    'executeStatement: several partitions are read by IN and by OR',
    'executeStatement: the sort key is found on either side of a comparison',
    'executeStatement: ORDER BY puts partitions in order, whose sort keys are listed',
    'executeStatement: NextToken goes on in either direction, and over several partitions',
    'executeStatement: NextToken is for its own statement and parameters',
    'executeStatement: a local index fetches what it does not have, a global one refuses',
    'executeStatement: ranges of a key that meet are refused',
    'executeStatement: an order is of the key, with a partition',
    'batchExecuteStatement: a read in a batch is of one item, by its key alone',
  ],
  'its errors of statements have other names and places': [
    'executeStatement: INSERT does not write over an item',
    'executeTransaction: a key of another type fails a transaction before anything else is looked at',
  ],
  'a filter of shards needs no shard': ['describeStream: the children of a shard are asked for by all of a filter'],
  'a table and its indexes are active at once, and so are their changes': [
    'createTable: the answer describes a table that is being made',
    'createTable: the answer describes indexes that are being made',
    'deleteTable: the answer describes a table that is going, without what it was made of',
    'updateTable: more capacity is there once the table is active, and the answer has the old',
    'updateTable: a provisioned table goes on demand, and its indexes with it',
    'updateTable: protection is put on and taken off',
    'updateTable: a stream is enabled and disabled, and each has a label of its own',
    'updateTable: a new index has the items that were there, and those that come',
    'updateTable: an index is deleted, and the attribute that it alone had goes with it',
    'updateTable: the capacity of an index is changed, and the answer has the old',
  ],
  'it describes dates, identifiers and decreases otherwise': [
    'createTable: a table on demand has no capacity of its own',
    'describeTable: a table has an identifier, an ARN and a date of its own',
    'describeTable: a table on demand tells its mode and since when, and what it is warm for',
    'describeTable: a provisioned table tells its capacity, and that of its indexes',
    'deleteTable: a table made again under the name of a deleted one is empty and another',
    'updateTable: less capacity is counted, and what a table was warm for it stays warm for',
    'updateTable: after four decreases in a day the next has to wait',
  ],
  'it does not know classes, encryption, bounds on demand or warm throughput, or does not check them': [
    'createTable: a bound on demand for a provisioned table is refused',
    'createTable: less warm throughput than a table on demand starts with is refused',
    'describeTable: settings are described as they were given',
    'updateTable: bounds on demand are set one by one, and -1 takes one away',
    'updateTable: a class is there once the table is active',
    'updateTable: encryption with a key of KMS is described',
    'updateTable: a bound on demand for a provisioned table is refused',
  ],
  'it takes no text for a boolean': ['query: a member of a request may spell a boolean too'],
  'it returns more than 1 MB of one partition': [
    'batchGetItem: keys beyond 1 MB of one partition are unprocessed, and keys of other partitions are read',
  ],
  'it restarts a query of one item': [
    'query: a query of a table without a sort key has one item at most and no start key',
  ],
  'it wants a name in a filter': ['scan: a filter may ask for an attribute without a name, which none has'],
  'its statements are of an earlier PartiQL': [
    'executeStatement: OFFSET is a keyword, too',
    'executeStatement: what begins with a text does not meet what comes before it',
    'executeStatement: one key alone is refused where it is longer than a key can be',
    'executeStatement: values of a key are checked until something is read otherwise than by it',
    'batchExecuteStatement: one value alone in IN names a key, to a read',
    'batchExecuteStatement: a key that none can have, and a change of one, are told with their table',
  ],
  'it takes what a definition may not say': [
    'createTable: an empty list of local indexes is refused',
    'createTable: more than 20 included attributes of an index are refused',
    'createTable: capacity on demand is refused',
    'createTable: capacity of an index on demand is refused',
    'updateTable: definitions of attributes that no key has are left out',
    'updateTable: capacity for a table on demand is refused',
    'updateTable: an index that is not there can neither be deleted nor changed',
    'updateTable: the keys of a new index are defined by the request',
    'updateTable: an index on demand has no capacity',
  ],
  'it passes over replicas beside another change': ['updateTable: a replica is added by itself'],
  'it does not check tags': [
    'createTable: more than 50 tags are refused',
    'createTable: a tag whose key is too long is refused',
    'createTable: a tag whose value is too long is refused',
    'createTable: two tags of one key are refused',
  ],
  'it never ends the making of an index where an item cannot be in it': [
    'updateTable: items whose attribute cannot be a key stay out of a new index, and can be written',
  ],
  'it takes no ARN for a table in a transaction': [
    'transactGetItems: the table may be named by its ARN',
    'transactWriteItems: the table may be named by its ARN',
  ],
  'its records are of the region ddblocal, and its pages of them longer': [
    'getRecords: a record tells where and when it is from, and has a number that grows',
    'getRecords: a page has at most 1,000 records and a megabyte',
  ],
}

/** Operations that there are not, or that do nothing. */
const LACKING: ReadonlySet<string> = new Set([...ADMINISTRATION, 'tagResource', 'untagResource', 'listTagsOfResource'])

/** What holds for cases of a kind. */
function faultOfKind({ operation, name }: ContractCase): string | undefined {
  if (name.endsWith(' type is refused') || name.includes('a text that spells a boolean'))
    return "the AWS SDK's client makes another value of it, or none"
  if (name === 'an attribute may be named __proto__') return "the AWS SDK's client loses the attribute"
  if (LACKING.has(operation)) return `it has no ${operation}`
  return operation === 'searchVectors' || name.includes('vector') ? 'it has no vector indexes' : undefined
}

const listed = Object.entries(FAULTS).flatMap(([reason, names]) => names.map(name => [name, reason] as const))
const ofKind = contract.flatMap(given => {
  const reason = faultOfKind(given)
  return reason === undefined ? [] : [[caseName(given), reason] as const]
})

/** Cases that are not run, each with the reason. */
export const SKIPPED: Readonly<Record<string, string>> = Object.fromEntries([...ofKind, ...listed])

/** What it does instead of the refusal that a case waits for, wherever that is. */
const OTHER_REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^expected ValidationException, got ResourceNotFoundException/, 'it looks for the table before it checks a request'],
  [/^expected ValidationException, got InternalFailure/, 'it answers some bad requests with a failure of its own'],
]

/** Why a case failed, where that is known of DynamoDB Local and cannot be told by the case's name. */
export function knownFailure({ name }: ContractCase, { message }: Error): string | undefined {
  const other = OTHER_REFUSALS.find(([pattern]) => pattern.test(message))
  if (other) return other[1]
  const unchecked = name.startsWith('a request that breaks ') && message.includes('but it was answered')
  return unchecked ? 'it does not check every constraint of the model' : undefined
}
