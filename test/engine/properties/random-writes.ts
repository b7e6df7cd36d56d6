import fc from 'fast-check'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import type { CreateTableInput, TransactWriteItem } from '../../../src/dynamodb/operation-types.js'
import type { Store } from '../../../src/store/port.js'

const all = { ProjectionType: 'ALL' as const }
const keysOnly = { ProjectionType: 'KEYS_ONLY' as const }
const included = { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: ['kept'] }
const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' as const })
const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' as const })

/** A table with an index of every kind and few values, so that writes collide. */
export const TABLE: CreateTableInput = {
  TableName: 'property',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'N' },
    { AttributeName: 'g', AttributeType: 'S' },
    { AttributeName: 'h', AttributeType: 'N' },
  ],
  KeySchema: [hash('pk'), range('sk')],
  LocalSecondaryIndexes: [
    { IndexName: 'local', KeySchema: [hash('pk'), range('g')], Projection: included },
    { IndexName: 'localAll', KeySchema: [hash('pk'), range('h')], Projection: all },
  ],
  GlobalSecondaryIndexes: [
    { IndexName: 'inverted', KeySchema: [hash('sk'), range('pk')], Projection: all },
    { IndexName: 'hashOnly', KeySchema: [hash('g')], Projection: keysOnly },
    { IndexName: 'included', KeySchema: [hash('g'), range('h')], Projection: included },
    { IndexName: 'native', KeySchema: [hash('g'), hash('pk'), range('h'), range('sk')], Projection: keysOnly },
  ],
  BillingMode: 'PAY_PER_REQUEST',
}

const pk = fc.constantFrom('a', 'b', 'ü#').map(S => ({ S }))
const sk = fc.integer({ min: -2, max: 2 }).map(n => ({ N: String(n) }))
const key = fc.record({ pk, sk })
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })

/** The attributes other than the key; absent ones are omitted. */
const attributes = fc
  .record({
    g: some(fc.constantFrom('x', 'y').map(S => ({ S }))),
    h: some(fc.integer({ min: 0, max: 2 }).map(n => ({ N: String(n) }))),
    kept: some(fc.string({ maxLength: 3 }).map(S => ({ S }))),
    extra: some(fc.uint8Array({ maxLength: 3 }).map(B => ({ B }))),
  })
  .map(given => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Item)

export type Write = { describe: string; run(store: Store): Promise<unknown> }

const item = fc.tuple(key, attributes).map(([k, rest]): Item => ({ ...k, ...rest }))
const TableName = TABLE.TableName

const put = item.map(
  (Item): Write => ({
    describe: `put ${JSON.stringify(Item)}`,
    run: store => store.putItem({ TableName, Item }),
  }),
)

const remove = key.map(
  (Key): Write => ({
    describe: `delete ${JSON.stringify(Key)}`,
    run: store => store.deleteItem({ TableName, Key }),
  }),
)

const update = fc.tuple(key, attributes, fc.subarray(['g', 'h', 'kept', 'extra'])).map(([Key, set, gone]): Write => {
  const removed = gone.filter(name => !(name in set))
  const sets = Object.keys(set).map(name => `${name} = :${name}`)
  const UpdateExpression = [
    sets.length > 0 ? `SET ${sets.join(', ')}` : '',
    removed.length > 0 ? `REMOVE ${removed.join(', ')}` : '',
  ].join(' ')
  const values = Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value]))
  const request = {
    TableName,
    Key,
    ...(UpdateExpression.trim() && { UpdateExpression }),
    ...(sets.length > 0 && { ExpressionAttributeValues: values }),
  }
  return { describe: `update ${JSON.stringify(request)}`, run: store => store.updateItem(request) }
})

const transaction = fc
  .uniqueArray(item, { minLength: 1, maxLength: 4, selector: ({ pk, sk }) => `${pk!.S}/${sk!.N}` })
  .chain(items =>
    fc.tuple(...items.map(() => fc.constantFrom('put', 'delete', 'guarded'))).map((kinds): Write => {
      const TransactItems = items.map((Item, i): TransactWriteItem => {
        const Key = { pk: Item.pk!, sk: Item.sk! }
        if (kinds[i] === 'delete') return { Delete: { TableName, Key } }
        if (kinds[i] === 'put') return { Put: { TableName, Item } }
        return { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } }
      })
      return {
        describe: `transact ${JSON.stringify(TransactItems)}`,
        // A guarded put of an existing item cancels the transaction, which is a useful case too.
        run: store => store.transactWriteItems({ TransactItems }).catch(() => undefined),
      }
    }),
  )

const batch = fc.uniqueArray(item, { minLength: 1, maxLength: 5, selector: ({ pk, sk }) => `${pk!.S}/${sk!.N}` }).map(
  (items): Write => ({
    describe: `batch ${JSON.stringify(items)}`,
    run: store =>
      store.batchWriteItem({ RequestItems: { [TableName]: items.map(Item => ({ PutRequest: { Item } })) } }),
  }),
)

export const anyWrites = fc.array(fc.oneof(put, put, update, update, remove, transaction, batch), { maxLength: 25 })
