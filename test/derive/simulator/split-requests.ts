import type { Item, Key } from '../../../src/dynamodb/attribute-value.js'
import type { Operation, Store } from '../../../src/store/port.js'
import { wrap } from '../../../src/store/wrap.js'
import type { Random } from './random.js'

type Answered = Readonly<Record<string, unknown>>
type Batch<Of> = Readonly<Record<string, Of>>
type Written = { readonly PutRequest?: { readonly Item: Item }; readonly DeleteRequest?: { readonly Key: Key } }
type Paged = { readonly Limit?: number; readonly ExclusiveStartKey?: Key }

/**
 * A store without more atomicity than DynamoDB: a batch reads and writes its items one by one in any order, and a
 * Query or Scan reads a few at a time.
 */
export function apart(store: Store, random: Random): Store {
  const single = (operation: Operation, request: object): Promise<Answered> =>
    (store[operation] as unknown as (request: object) => Promise<Answered>)(request)

  const readBatch = async ({ RequestItems }: { RequestItems: Batch<{ Keys: Key[]; ConsistentRead?: boolean }> }) => {
    const [[TableName, { Keys, ConsistentRead }]] = Object.entries(RequestItems) as [
      [string, { Keys: Key[]; ConsistentRead?: boolean }],
    ]
    const found = await Promise.all(
      Keys.map(Key => single('getItem', { TableName, Key, ...(ConsistentRead && { ConsistentRead }) })),
    )
    return {
      Responses: { [TableName]: found.flatMap(({ Item }) => (Item ? [Item as Item] : [])) },
      UnprocessedKeys: {},
    }
  }

  const writeBatch = async ({ RequestItems }: { RequestItems: Batch<Written[]> }) => {
    const [[TableName, parts]] = Object.entries(RequestItems) as [[string, Written[]]]
    await Promise.all(
      parts.map(({ PutRequest, DeleteRequest }) =>
        PutRequest
          ? single('putItem', { TableName, ...PutRequest })
          : single('deleteItem', { TableName, ...DeleteRequest }),
      ),
    )
    return { UnprocessedItems: {} }
  }

  const readPage = async (operation: 'query' | 'scan', request: Paged) => {
    const pages: Answered[] = []
    let left = request.Limit ?? Number.POSITIVE_INFINITY
    let from = request.ExclusiveStartKey
    do {
      const isWhole = left === Number.POSITIVE_INFINITY && random.chance(0.5)
      const page = await single(operation, {
        ...request,
        ...(!isWhole && { Limit: Math.min(left, 1 + random.below(3)) }),
        ...(from && { ExclusiveStartKey: from }),
      })
      pages.push(page)
      left -= page.ScannedCount as number
      from = page.LastEvaluatedKey as Key | undefined
    } while (from && left > 0)
    const sum = (name: string) => pages.reduce((total, page) => total + (page[name] as number), 0)
    return {
      ...pages.at(-1)!,
      ...(pages[0]!.Items !== undefined && { Items: pages.flatMap(({ Items }) => Items as Item[]) }),
      Count: sum('Count'),
      ScannedCount: sum('ScannedCount'),
    }
  }

  return wrap(store, (operation, request, options, send) => {
    const given = request as never
    const answer =
      operation === 'batchGetItem'
        ? readBatch(given)
        : operation === 'batchWriteItem'
          ? writeBatch(given)
          : operation === 'query' || operation === 'scan'
            ? readPage(operation, given)
            : send(request, options)
    return answer as ReturnType<typeof send>
  })
}
