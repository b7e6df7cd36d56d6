import * as limits from '../../src/dynamodb/limits.js'

const TABLE = /^\| subject \| limit \| edgewise \|\n\|-\|-\|-\|\n(?:\|.*\n)*/m

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

/** Each limit, its value, and how edgewise handles it. The numbers are those of the code. */
const ROWS: readonly (readonly [subject: string, limit: string, handling: string])[] = [
  ['an item, names and values together', size(limits.ITEM_BYTES), 'rejects a larger one (`write.size`)'],
  [
    'the value of a partition key, of a sort key',
    `${size(limits.PARTITION_KEY_BYTES)}, ${size(limits.SORT_KEY_BYTES)}`,
    'rejects a longer one (`key.long`)',
  ],
  ['a page of a Query or Scan', size(limits.PAGE_BYTES), 'reads more pages until the call has its rows'],
  [
    'BatchGetItem',
    `${limits.BATCH_GET_KEYS} keys, ${size(limits.BATCH_GET_BYTES)}; ${size(limits.BATCH_GET_PARTITION_BYTES)} from one partition`,
    'sends as many requests as needed, and requests unprocessed keys again',
  ],
  ['BatchWriteItem', `${limits.BATCH_WRITE_ITEMS} items, ${size(limits.BATCH_WRITE_BYTES)}`, 'the same'],
  [
    'a transaction',
    `${limits.TRANSACT_ITEMS} items, ${size(limits.TRANSACT_BYTES)}`,
    'rejects more items (`write.transaction`, `read.transaction`)',
  ],
  [
    'the token of a transaction',
    minutes(limits.TRANSACT_TOKEN_MS),
    'writes a receipt that holds for a day, or as long as you say: [tokens](transactions.md#tokens)',
  ],
  [
    'an expression',
    `${size(limits.EXPRESSION_BYTES)}, ${limits.EXPRESSION_OPERATORS} operators, ${limits.EXPRESSION_IN_VALUES} values in IN`,
    'splits a longer IN',
  ],
  ['nesting of values', `${limits.NESTING_LEVELS} levels`, 'rejects a deeper `json()` (`value.depth`)'],
  [
    'a number',
    `${limits.NUMBER_DIGITS} digits`,
    'rejects values that it cannot hold exactly; `decimal()` and `bigint()` hold all',
  ],
  [
    'global indexes of a table',
    `${limits.GLOBAL_INDEXES}, unless the quota is raised`,
    'lets many edges and paths share one; reports more as a finding',
  ],
  ['local indexes of a table', `${limits.LOCAL_INDEXES}, created with the table only`, 'reports more as a finding'],
  [
    'attributes in a key of a native index',
    `${limits.INDEX_KEY_PARTS} for the partition, ${limits.INDEX_KEY_PARTS} for the order`,
    'rejects a path that needs more (`layout.native`)',
  ],
  [
    'the items of one partition, in a table with local indexes',
    size(limits.ITEM_COLLECTION_BYTES),
    'reports a finding if it can be exceeded',
  ],
  [
    'one partition',
    `${count(limits.PARTITION_WRITE_UNITS)} write and 3,000 read units a second`,
    '`shards`: [throttling](operations/throttling.md#hot-partitions)',
  ],
  [
    'a new on-demand table',
    `${count(limits.ON_DEMAND_INITIAL_READ_UNITS)} read and ${count(limits.ON_DEMAND_INITIAL_WRITE_UNITS)} write units a second`,
    'retries throttled requests',
  ],
  [
    'a stream',
    `${hours(limits.STREAM_RETENTION_MS)}; ${count(limits.GET_RECORDS)} records or ${size(limits.GET_RECORDS_BYTES)} a read`,
    '[streams](operations/streams.md)',
  ],
  [
    'the name of a table',
    `${limits.NAME_CHARACTERS_MIN} to ${limits.NAME_CHARACTERS_MAX} characters`,
    'rejects others (`name.invalid`); open a graph with a shorter name with `table`',
  ],
]

/** The page with the limits of DynamoDB from the code. Throws if the page has no table for them. */
export function withLimits(text: string): string {
  const rows = ROWS.map(cells => `| ${cells.join(' | ')} |\n`)
  if (text.startsWith('# Limits') && !TABLE.test(text)) throw new Error('limits.md has no table of limits')
  return text.replace(TABLE, () => `| subject | limit | edgewise |\n|-|-|-|\n${rows.join('')}`)
}
