import { type ContractCase, caseName, contract } from '../../src/contract/index.js'
import { ADMINISTRATION } from '../contract/administration.js'

/** Cases whose outcome is another, by what dynoxide 1.2.1 does otherwise than AWS documents it or was seen to do it. */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  'it answers the key of an item that was not there': [
    'updateItem: each kind of values is answered for an item that was not there',
  ],
  'it counts the numbers of a vector that is written': [
    'putItem: a write counts four bytes for each number of a vector, and a read what the number takes',
  ],
  'a transaction wants an expression for names and values too': [
    'transactGetItems: names beside no projection are passed over',
    'transactWriteItems: names and values of a put or a delete that has no condition are passed over',
  ],
  'it answers a vector only where that is projected by its name': [
    'searchVectors: the vector is answered where it is asked for, in 32 bits, whatever is projected',
  ],
  'it refuses a vector index too many as it does when the table is made': [
    'updateTable: a sixth vector index is refused',
  ],
  'it takes no text for a boolean': ['query: a member of a request may spell a boolean too'],
  'its tags may be of any size': ['tagResource: the tags of a table are no more than 10 KB'],
  'it looks at any ARN': ['tagResource: what another service has is not to be tagged here'],
  'it gives a reason for every action of a transaction that cannot be': [
    'transactWriteItems: of keys that do not fit only the first is told, and of conditions none',
  ],
  'an update that only takes away makes the item': [
    'updateItem: an update that only takes away whole attributes makes no item',
    'updateItem: no values are answered where an update made no item',
    'updateItem: AttributeUpdates that only delete make no item',
  ],
  'it answers the whole attribute where a part of it was updated': [
    'updateItem: updated values of elements of a list are those elements alone',
    'updateItem: updated values of elements of a list are what is at their places, before and after',
  ],
  'size takes no value': [
    'putItem: size stands wherever an operand does',
    'updateItem: size stands wherever an operand does',
    'deleteItem: size stands wherever an operand does',
  ],
  'it compares the members of sets of numbers as they are written': [
    'updateItem: ADD joins sets of every type',
    'updateItem: DELETE takes members out of sets, and the attribute with its last member',
    'updateItem: DELETE takes an attribute away, or members from a set',
  ],
  'it counts the pairs of digits from the first, where DynamoDB Local and dynalite count them from the point': [
    'putItem: a number takes a byte for each pair of digits, counted from the point, and one',
  ],
  'it fills a list up with nulls, and removes its elements one after the other': [
    'updateItem: SET writes elements of lists, and appends beyond their end',
    'updateItem: REMOVE closes the ranks of a list, by its indexes before the update',
  ],
  'a read with a projection is paid for by what it answers': [
    'getItem: a read takes one unit for each 4 KB, and half of that where it need not be consistent',
    'transactGetItems: each item costs two units for each 4 KB, found or not, whatever the projection',
  ],
  'it measures item collections in fractions, or not at all': [
    'putItem: the measures of an item collection are told on a table with local indexes alone',
    'batchWriteItem: collections of a table with local indexes are measured, each once',
    'transactWriteItems: item collections of a table with local indexes are measured',
  ],
  'it reads a condition on keys in one order only, and before it looks for the table': [
    'query: the parts of a key condition may come in any order',
    'query: a table or an index that is not there is told before anything about its key',
  ],
  'it fetches nothing for a local index, and has the table pay for a scan of one': [
    'query: a local index fetches from the table what it does not project and is asked for',
    'query: what a local index fetches from the table costs a read of each whole item',
    'scan: a scan of a local index answers what the index has of the items that are in it',
    'scan: a scan of an index is paid for by the index',
  ],
  'it has no keys of several attributes': [
    'query: an index of several key attributes takes all of its partition, and orders by its sort parts from the left',
    'query: an index has up to four attributes in each part of its key',
    'query: conditions on sort parts go from the left, a range on the last of them',
    'query: conditions on several key attributes may come in any order',
    'query: a filter cannot name any of several key attributes, and can name the keys of the table',
    'query: paging over several key attributes visits every item once, from a key of all of them',
    'query: a start key within several key attributes must fit the condition on each',
    'query: an index of several key attributes has only the items that have them all',
  ],
  'it does not tell upper from lower case at the beginning of a sort key': [
    'query: a range of strings is one of their UTF-8 bytes',
  ],
  'it loses items of an index whose keys are numbers': [
    'query: the sort keys of indexes are in the same order as those of tables',
  ],
  'it ends a page elsewhere': [
    'query: a page ends with the item that takes it past a megabyte, and the next begins after that',
    'query: a page of a megabyte to the byte is full',
    'query: a full page gives its last key even where nothing follows, and one below a megabyte gives none',
    'query: neither a filter, nor a projection, nor a count makes a page longer',
    'query: of a limit and a megabyte whichever comes first ends a page',
    'query: a page read backwards is as long',
    'scan: a page of a scan ends with the item that takes it past a megabyte',
  ],
  'a transaction of reads answers the key whatever the projection': [
    'transactGetItems: a projection gives only what it names',
  ],
  'it finds less wrong with an action of a transaction, or something else': [
    'transactWriteItems: a value for an expression may nest by one level more than an item may hold',
    'transactWriteItems: an update of the key cancels it',
  ],
  'it knows the parameters from before expressions only in part': [
    'putItem: Expected asks whether an attribute is there',
    'updateItem: Expected asks whether an attribute is there',
    'deleteItem: Expected asks whether an attribute is there',
    'putItem: a dot in a name of Expected is a part of the name',
    'updateItem: a dot in a name of Expected is a part of the name',
    'deleteItem: a dot in a name of Expected is a part of the name',
    'query: KeyConditions go with a filter and a projection that are expressions',
  ],
  'a table and its indexes are active at once, and so are their changes': [
    'deleteTable: the answer describes a table that is going, without what it was made of',
    'updateTable: a provisioned table goes on demand, and its indexes with it',
    'updateTable: a table on demand gets capacity, and each of its indexes its own',
    'updateTable: a class is there once the table is active',
    'updateTable: a stream is enabled and disabled, and each has a label of its own',
    'updateTable: a new index has the items that were there, and those that come',
    'updateTable: an index is deleted, and the attribute that it alone had goes with it',
    'updateTable: the capacity of an index is changed, and the answer has the old',
    'updateTable: one index is made or deleted at a time',
  ],
  'it describes tables otherwise, and knows less of their settings': [
    'describeTable: a table on demand tells its mode and since when, and what it is warm for',
    'describeTable: settings are described as they were given',
    'updateTable: less capacity is counted, and what a table was warm for it stays warm for',
    'updateTable: encryption with a key of KMS is described',
    'updateTable: after four decreases in a day the next has to wait',
    'updateTable: an index that is not there can neither be deleted nor changed',
    'updateTable: a table has no more than 20 global indexes',
    'updateTable: items whose attribute cannot be a key stay out of a new index, and can be written',
  ],
  'it has one stream of a table, with one shard, which is gone with it': [
    'listStreams: a disabled stream is listed beside the one that follows it',
    'describeStream: a stream is described by its table, its view and its shards',
    'describeStream: pages go on after a shard',
    'describeStream: the children of a shard are asked for by all of a filter',
    'describeStream: a disabled stream has closed its shards, and can still be read',
    'describeStream: the stream of a deleted table can still be described',
    'describeStream: a stream that is not there is named in the refusal',
    'getShardIterator: a shard that is not there is refused',
  ],
  'it measures records by their JSON, and has some of writes that changed nothing': [
    'getRecords: a stream of KEYS_ONLY shows a record of each change with its keys and images',
    'getRecords: a stream of NEW_IMAGE shows a record of each change with its keys and images',
    'getRecords: a stream of OLD_IMAGE shows a record of each change with its keys and images',
    'getRecords: a stream of NEW_AND_OLD_IMAGES shows a record of each change with its keys and images',
    'getRecords: a record tells where and when it is from, and has a number that grows',
    'getRecords: a write that changes nothing is not recorded',
    'getRecords: a page has at most 1,000 records and a megabyte',
  ],
}

/** Operations that there are not. */
const LACKING: ReadonlySet<string> = new Set([...ADMINISTRATION, 'describeLimits'])
const STATEMENTS: ReadonlySet<string> = new Set(['executeStatement', 'batchExecuteStatement', 'executeTransaction'])

/** What holds for cases of a kind. */
function faultOfKind({ operation, name }: ContractCase): string | undefined {
  if (name.endsWith(' type is refused') || name.includes('a text that spells a boolean'))
    return "the AWS SDK's client makes another value of it, or none"
  if (name === 'an attribute may be named __proto__') return "the AWS SDK's client loses the attribute"
  if (/\bby its ARN$/.test(name)) return 'it takes no ARN for a table'
  return LACKING.has(operation) ? `it has no ${operation}` : undefined
}

const listed = Object.entries(FAULTS).flatMap(([reason, cases]) => cases.map(name => [name, reason] as const))
const ofKind = contract.flatMap(given => {
  const reason = faultOfKind(given)
  return reason === undefined ? [] : [[caseName(given), reason] as const]
})

/** Cases that are not run, each with the reason. */
export const SKIPPED: Readonly<Record<string, string>> = Object.fromEntries([...ofKind, ...listed])

/** Why a case failed, where that is known of dynoxide and cannot be told by the case's name. */
export function knownFailure({ operation }: ContractCase, { message }: Error): string | undefined {
  if (STATEMENTS.has(operation)) return 'it knows PartiQL only in part'
  return /^expected ValidationException, got /.test(message)
    ? 'it checks less of a request, and less of that before it is needed'
    : undefined
}
