import type { Store } from '../src/store/port.js'
import { itemAt, SORT_KEYS, TABLE } from './engine-data.js'
import { sequence, type Work } from './measure.js'

export const SMALL = 10_000
export const LARGE = 1_000_000
export const PAGE_ITEMS = 50
export const REPETITIONS = 20_000

export type Label =
  | 'GetItem'
  | 'Query of 50'
  | 'Query of 50 on the GSI'
  | 'PutItem'
  | 'UpdateItem ADD'
  | 'TransactWriteItems of 3'

/** The measured operations, each on a random one of the given number of items. */
export function workloads(store: Store, items: number): Record<Label, Work> {
  const random = sequence(7)
  const place = () => random(items)
  const key = () => {
    const { pk, sk } = itemAt(place())
    return { pk: pk!, sk: sk! }
  }
  const queryOn = (IndexName: string | undefined, name: string, value: () => string) => () =>
    store.query({
      TableName: TABLE,
      ...(IndexName && { IndexName }),
      KeyConditionExpression: `${name} = :v`,
      ExpressionAttributeValues: { ':v': { S: value() } },
      Limit: PAGE_ITEMS,
    })
  return {
    GetItem: () => store.getItem({ TableName: TABLE, Key: key() }),
    'Query of 50': queryOn(undefined, 'pk', () => itemAt(place()).pk!.S!),
    'Query of 50 on the GSI': queryOn('inverted', 'sk', () => itemAt(random(SORT_KEYS)).sk!.S!),
    PutItem: () => store.putItem({ TableName: TABLE, Item: itemAt(place()) }),
    'UpdateItem ADD': () =>
      store.updateItem({
        TableName: TABLE,
        Key: key(),
        UpdateExpression: 'ADD visits :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      }),
    'TransactWriteItems of 3': () => {
      const first = place()
      const next = [first, (first + 1) % items, (first + 2) % items]
      return store.transactWriteItems({
        TransactItems: next.map(at => ({ Put: { TableName: TABLE, Item: itemAt(at) } })),
      })
    },
  }
}
