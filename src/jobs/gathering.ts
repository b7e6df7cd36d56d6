import { type Deriving, itemsAt, textOf } from '../derive/deriving.js'
import type { Item, Key } from '../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import { inTurn } from '../graph/in-turn.js'
import { chunksOf } from '../plan/chunks.js'
import { nextTurn } from '../store/next-turn.js'
import type { Store } from '../store/port.js'

/**
 * The same for several that look at items side by side: what they read by its key is read together, each item once, as
 * soon as none of them goes on without. A request for each would be a hundred times as many.
 */
export function gathering(deriving: Deriving, concurrency: number): Deriving {
  const { context } = deriving
  const { design } = context.layout
  let waiting: { readonly keys: Map<string, Key>; readonly found: Promise<Map<string, Item>> } | undefined

  const readTogether = async (keys: ReadonlyMap<string, Key>) => {
    await nextTurn()
    waiting = undefined
    const found = new Map<string, Item>()
    await inTurn(chunksOf([...keys.values()], BATCH_GET_KEYS), concurrency, async chunk => {
      for (const [text, item] of await itemsAt(deriving, chunk)) found.set(text, item)
    })
    return found
  }

  const read = async (keys: readonly Key[]): Promise<Item[]> => {
    if (!waiting) {
      const asked = new Map<string, Key>()
      waiting = { keys: asked, found: readTogether(asked) }
    }
    const texts = keys.map(key => textOf(deriving, key))
    for (const [at, text] of texts.entries()) waiting.keys.set(text, keys[at]!)
    const found = await waiting.found
    return texts.flatMap((text): Item[] => (found.has(text) ? [found.get(text)!] : []))
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
  return { ...deriving, context: { ...context, store: { ...context.store, ...store } } }
}
