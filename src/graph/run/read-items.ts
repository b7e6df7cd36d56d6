import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import type { Layout } from '../../layout/layout.js'
import { chunksOf } from '../../plan/chunks.js'
import { indexByKey, uniqueKeyTextOf } from '../../plan/identity.js'
import { GraphError } from '../../schema/error.js'
import { hasEntries } from '../../schema/map-values.js'
import type { Store } from '../../store/port.js'

/** A store that reads items by key, or the sender of a call. */
export type ItemLookup = Pick<Store, 'getItem' | 'batchGetItem'>

/** Reads one item with strong consistency. */
export async function readItemByKey(reader: ItemLookup, layout: Layout, Key: Key): Promise<Item | undefined> {
  return (await reader.getItem({ TableName: layout.design.name, Key, ConsistentRead: true })).Item
}

/** Reads items with strong consistency, in batches. The result has the existing items by the texts of their keys. */
export async function readItemsByKey(
  reader: ItemLookup,
  layout: Layout,
  keys: readonly Key[],
): Promise<Map<string, Item>> {
  const table = layout.design.name
  const itemsByKey = new Map<string, Item>()
  for (const Keys of chunksOf([...indexByKey(layout, keys).values()], BATCH_GET_KEYS)) {
    const RequestItems = { [table]: { Keys: [...Keys], ConsistentRead: true } }
    const { Responses, UnprocessedKeys } = await reader.batchGetItem({ RequestItems })
    assertAllProcessed(UnprocessedKeys)
    for (const item of Responses?.[table] ?? []) itemsByKey.set(uniqueKeyTextOf(layout, item), item)
  }
  return itemsByKey
}

/** The store has retried already, so the remaining keys are an error and must not be reported as missing items. */
export function assertAllProcessed(unprocessed: object | undefined): void {
  if (hasEntries(unprocessed))
    throw new GraphError('store.throttled', 'store: it left keys unprocessed in every attempt; retry later.')
}
