import type { AttributeValue, Item } from '../../../src/dynamodb/attribute-value.js'
import type { CreateTableInput } from '../../../src/dynamodb/operation-types.js'
import type { EmbeddedStore } from '../../../src/engine/index.js'

export const BEGUN_MS = Date.UTC(2026, 0, 1)

const key = (AttributeName: string, KeyType: 'HASH' | 'RANGE' = 'HASH') => ({ AttributeName, KeyType })
const typed = (AttributeType: 'S' | 'N' | 'B', ...names: string[]) =>
  names.map(AttributeName => ({ AttributeName, AttributeType }))
const ALL = { ProjectionType: 'ALL' } as const

const DEFINITIONS: readonly CreateTableInput[] = [
  {
    TableName: 'orders',
    AttributeDefinitions: [
      ...typed('S', 'pk', 'local', 'one', 'four'),
      ...typed('N', 'sk', 'two'),
      ...typed('B', 'group', 'three'),
    ],
    KeySchema: [key('pk'), key('sk', 'RANGE')],
    LocalSecondaryIndexes: [{ IndexName: 'byLocal', KeySchema: [key('pk'), key('local', 'RANGE')], Projection: ALL }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byGroup',
        KeySchema: [key('group'), key('sk', 'RANGE')],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['kept'] },
      },
      {
        IndexName: 'byFour',
        KeySchema: [key('one'), key('two'), key('three', 'RANGE'), key('four', 'RANGE')],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
      { IndexName: 'inverted', KeySchema: [key('sk'), key('pk', 'RANGE')], Projection: ALL },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    Tags: [{ Key: 'owner', Value: 'ü' }],
  },
  {
    TableName: 'long',
    AttributeDefinitions: typed('S', 'pk', 'sk'),
    KeySchema: [key('pk'), key('sk', 'RANGE')],
    GlobalSecondaryIndexes: [{ IndexName: 'bySort', KeySchema: [key('sk')], Projection: ALL }],
  },
  { TableName: 'numbers', AttributeDefinitions: typed('N', 'n'), KeySchema: [key('n')] },
  { TableName: 'bytes', AttributeDefinitions: typed('B', 'b', 's'), KeySchema: [key('b'), key('s', 'RANGE')] },
  {
    TableName: 'points',
    AttributeDefinitions: typed('S', 'id', 'kind'),
    KeySchema: [key('id')],
    VectorIndexes: [
      {
        IndexName: 'near',
        VectorAttribute: { AttributeName: 'at' },
        SearchSchema: [{ AttributeName: 'kind', SearchSchemaElementType: 'INLINE_FILTER' }],
        Dimensions: 2,
        DistanceFunction: 'EUCLIDEAN',
        Projection: ALL,
      },
    ],
  },
]

const NUMBERS = [
  ...['0', '1', '-1', '10', '-10', '99', '0.5', '-0.5', '12.34', '-12.34', '100000', '1E-130', '-1E-130'],
  ...[`${'9'.repeat(38)}`, `-${'9'.repeat(38)}`, `9.${'9'.repeat(37)}E+125`, `-9.${'9'.repeat(37)}E+125`],
]
const TEXTS = ['a', 'b\u0000', 'b\u0000c', 'bc', 'ü', '☃', '\uffff', '𝄞', 'a'.repeat(1024), 'ü'.repeat(512)]
const BINARIES = [[0], [0, 0], [0, 255], [1], [255], [255, 255, 0]].map(bytes => Uint8Array.from(bytes))
/** Texts that are longer than LMDB's keys and share a longer prefix. */
const LONG = ['a', 'ü'].flatMap(unit => ['', 'x', 'y'].map(end => unit.repeat(unit === 'a' ? 2040 : 1020) + end))

const VALUES: Record<string, AttributeValue> = {
  text: { S: 'a text' },
  elsewhere: { S: '☃ 𝄞 ü' },
  longer: { S: 'abc'.repeat(200) },
  longElsewhere: { S: '☃'.repeat(600) },
  empty: { S: '' },
  number: { N: '-12.5' },
  bytes: { B: Uint8Array.of(0, 1, 255) },
  yes: { BOOL: true },
  no: { BOOL: false },
  nothing: { NULL: true },
  texts: { SS: ['b', 'a', 'ü'] },
  numbers: { NS: ['2', '1.5'] },
  binaries: { BS: [Uint8Array.of(2), Uint8Array.of(1)] },
  list: { L: [{ S: 'x' }, { N: '1' }, { L: [] }, { M: {} }, { B: Uint8Array.of(7) }] },
  map: { M: { ['__proto__']: { S: 'x' }, deep: { M: { 'ü.[0]': { NULL: true } } } } },
  ['__proto__']: { N: '5' },
}

const order = (i: number): Item => ({
  pk: { S: `p${i % 4}` },
  sk: { N: NUMBERS[i % NUMBERS.length]! },
  local: { S: TEXTS[i % TEXTS.length]! },
  group: { B: BINARIES[i % 2]! },
  one: { S: `one${i % 2}` },
  two: { N: String(i % 3) },
  three: { B: BINARIES[i % BINARIES.length]! },
  four: { S: TEXTS[i % 5]! },
  kept: { S: `kept ${i}` },
  until: { N: String(BEGUN_MS / 1000 + 1000 * (i % 5)) },
})

/** Creates tables with keys, values and settings of every kind; with a fixed clock the result is always the same. */
export async function fill(store: EmbeddedStore): Promise<void> {
  for (const definition of DEFINITIONS) await store.createTable({ ...definition, BillingMode: 'PAY_PER_REQUEST' })
  const TimeToLiveSpecification = { AttributeName: 'until', Enabled: true }
  await store.updateTimeToLive({ TableName: 'orders', TimeToLiveSpecification })
  const put = (TableName: string, Item: Item) => store.putItem({ TableName, Item })
  for (let i = 0; i < 40; i++) await put('orders', order(i))
  const sk = { N: '1' }
  for (const [name, value] of Object.entries(VALUES))
    await put('orders', { pk: { S: `of ${name}` }, sk, [name]: value })
  await put('orders', { pk: { S: 'of all' }, sk, ...VALUES })
  const named = Array.from({ length: 200 }, (_, i) => [`the name ${i}`, { N: `${i}` }])
  await put('orders', { pk: { S: 'of names' }, sk, ...Object.fromEntries(named) })
  await store.deleteItem({ TableName: 'orders', Key: { pk: { S: 'p1' }, sk: { N: '1' } } })
  for (const pk of LONG) for (const text of TEXTS) await put('long', { pk: { S: pk }, sk: { S: text } })
  for (const N of NUMBERS) await put('numbers', { n: { N } })
  for (const B of BINARIES) await put('bytes', { b: { B }, s: { B: BINARIES[0]! } })
  for (let i = 0; i < 5; i++)
    await put('points', { id: { S: `${i}` }, at: { L: [{ N: `${i}` }, { N: '0.1' }] }, kind: { S: `${i % 2}` } })
  await store.createBackup({ TableName: 'orders', BackupName: 'backup' })
  await store.updateContinuousBackups({
    TableName: 'long',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  await store.transactWriteItems(once())
}

/** A transaction with a token. */
const once = () => ({
  ClientRequestToken: 'once',
  TransactItems: [
    {
      Update: {
        TableName: 'numbers',
        Key: { n: { N: '0' } },
        UpdateExpression: 'ADD times :one SET bytes = :bytes',
        ExpressionAttributeValues: { ':one': { N: '1' }, ':bytes': { B: Uint8Array.of(1, 2) } },
      },
    },
  ],
})
