import { type DerivationContext, keyTextOf, readCurrentItems } from '../../derive/settle/context.js'
import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import { forEachConcurrently } from '../../graph/run/concurrency.js'
import { chunksOf } from '../../plan/chunks.js'
import { nextEventLoopTurn } from '../../store/event-loop-turn.js'
import type { Store } from '../../store/port.js'

/**
 * Wraps a context so that concurrent inspections share their reads: keys requested in the same turn of the event loop
 * are read in batches, each once. Single reads would take up to 100 times as many requests.
 */
export function withBatchedReads(derivation: DerivationContext, concurrency: number): DerivationContext {
  const { context } = derivation
  const { design } = context.layout
  let pendingBatch: { readonly keys: Map<string, Key>; readonly found: Promise<Map<string, Item>> } | undefined

  const readBatch = async (keys: ReadonlyMap<string, Key>) => {
    await nextEventLoopTurn()
    pendingBatch = undefined
    const itemsByKey = new Map<string, Item>()
    await forEachConcurrently(chunksOf([...keys.values()], BATCH_GET_KEYS), concurrency, async chunk => {
      for (const [text, item] of await readCurrentItems(derivation, chunk)) itemsByKey.set(text, item)
    })
    return itemsByKey
  }

  const read = async (keys: readonly Key[]): Promise<Item[]> => {
    if (!pendingBatch) {
      const keysByText = new Map<string, Key>()
      pendingBatch = { keys: keysByText, found: readBatch(keysByText) }
    }
    const texts = keys.map(key => keyTextOf(derivation, key))
    for (const [index, text] of texts.entries()) pendingBatch.keys.set(text, keys[index]!)
    const itemsByKey = await pendingBatch.found
    return texts.flatMap((text): Item[] => (itemsByKey.has(text) ? [itemsByKey.get(text)!] : []))
  }

  const store: Pick<Store, 'getItem' | 'batchGetItem'> = {
    async getItem({ Key }) {
      const [Item] = await read([Key])
      return { ...(Item && { Item }) }
    },
    batchGetItem: async ({ RequestItems }) => ({
      Responses: { [design.name]: await read(RequestItems[design.name]!.Keys!) },
    }),
  }
  return { ...derivation, context: { ...context, store: { ...context.store, ...store } } }
}
