import * as limits from '../../src/dynamodb/limits.js'

const TABLE = /^\| what \| limit \| what edgewise does \|\n\|-\|-\|-\|\n(?:\|.*\n)*/m

const KILOBYTE_BYTES = 1024
const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const

/** `400 KB` of 409,600. */
function size(bytes: number): string {
  const power = Math.floor(Math.log(bytes) / Math.log(KILOBYTE_BYTES))
  const whole = Number.isInteger(bytes / KILOBYTE_BYTES ** power) && bytes >= 100 * KILOBYTE_BYTES
  return whole ? `${bytes / KILOBYTE_BYTES ** power} ${UNITS[power]}` : `${bytes.toLocaleString('en')} bytes`
}
const count = (n: number) => n.toLocaleString('en')
const hours = (ms: number) => `${ms / 3_600_000} hours`
const minutes = (ms: number) => `${ms / 60_000} minutes`

/** What is limited, by how much, and what is done about it. The numbers are those of the code. */
const ROWS: readonly (readonly [what: string, limit: string, done: string])[] = [
  [
    'an item, names and values together',
    size(limits.ITEM_BYTES),
    'refuses a larger one: `write.size`; where an update makes it so of an item that was not read, it passes on what the store says: `store.refused`. So it does of a `put` of a node with counters or embedded maps that fits by less than some 20 bytes for each attribute: that is an UpdateItem, of which DynamoDB counts so much more; `create` takes such a node',
  ],
  [
    'the value of a partition key, of a sort key',
    `${size(limits.PARTITION_KEY_BYTES)}, ${size(limits.SORT_KEY_BYTES)}`,
    'refuses a longer one: `key.long`; unique values that are longer are hashed, where there is `node:crypto`, unless keys are raw or the sort key that is given for them has the value too',
  ],
  ['a page of a Query or a Scan', size(limits.PAGE_BYTES), 'reads on until it has what was asked for'],
  [
    'BatchGetItem',
    `${limits.BATCH_GET_KEYS} keys, ${size(limits.BATCH_GET_BYTES)}; ${size(limits.BATCH_GET_PARTITION_BYTES)} from one partition`,
    'sends as many requests as needed, and requests unprocessed keys again',
  ],
  ['BatchWriteItem', `${limits.BATCH_WRITE_ITEMS} items, ${size(limits.BATCH_WRITE_BYTES)}`, 'the same'],
  [
    'a transaction',
    `${limits.TRANSACT_ITEMS} items, ${size(limits.TRANSACT_BYTES)}`,
    'refuses more items: `write.transaction`, `read.transaction`; of more bytes it passes on what the store says: `store.refused`',
  ],
  [
    "the service's own token of a transaction",
    minutes(limits.TRANSACT_TOKEN_MS),
    'writes a receipt, which holds for a day or as long as you say: [tokens](transactions.md#tokens)',
  ],
  [
    'an expression',
    `${size(limits.EXPRESSION_BYTES)}, ${limits.EXPRESSION_OPERATORS} operators, ${limits.EXPRESSION_IN_VALUES} values in IN`,
    'splits a longer IN; of the rest it passes on what the store says: `store.refused`',
  ],
  [
    'nesting of values',
    `${limits.NESTING_LEVELS} levels`,
    'refuses a deeper `json()`: `value.depth`; where that lies within lists and maps of yours, it passes on what the store says: `store.refused`',
  ],
  [
    'a number',
    `${limits.NUMBER_DIGITS} digits`,
    'refuses what it cannot hold exactly; `decimal()` and `bigint()` hold all',
  ],
  [
    'global indexes of a table',
    `${limits.GLOBAL_INDEXES}, unless the quota is raised`,
    'lets many edges and paths share one; a finding where there are more',
  ],
  ['local indexes of a table', `${limits.LOCAL_INDEXES}, made with the table only`, 'a finding where there are more'],
  [
    'attributes in a key of a native index',
    `${limits.INDEX_KEY_PARTS} for the partition, ${limits.INDEX_KEY_PARTS} for the order`,
    'refuses a path that needs more: `layout.native`',
  ],
  [
    'items of one partition of a table with local indexes',
    size(limits.ITEM_COLLECTION_BYTES),
    'a finding where it can be outgrown',
  ],
  [
    'one partition',
    `${count(limits.PARTITION_WRITE_UNITS)} write and 3,000 read units a second`,
    '`shards`: [throttling](operations/throttling.md#hot-partitions)',
  ],
  [
    'a new table on demand',
    `${count(limits.ON_DEMAND_INITIAL_READ_UNITS)} read and ${count(limits.ON_DEMAND_INITIAL_WRITE_UNITS)} write units a second`,
    'tries again what is throttled',
  ],
  [
    'a stream',
    `${hours(limits.STREAM_RETENTION_MS)}; ${count(limits.GET_RECORDS)} records or ${size(limits.GET_RECORDS_BYTES)} a read`,
    '[streams](operations/streams.md)',
  ],
  [
    'the name of a table',
    `${limits.NAME_CHARACTERS_MIN} to ${limits.NAME_CHARACTERS_MAX} characters`,
    'refuses another: `name.invalid`; a graph of a shorter name is opened with `table`',
  ],
]

/** The page with the limits of DynamoDB as the code has them. */
export function withLimits(text: string): string {
  const rows = ROWS.map(cells => `| ${cells.join(' | ')} |\n`)
  return text.replace(TABLE, () => `| what | limit | what edgewise does |\n|-|-|-|\n${rows.join('')}`)
}
