import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { keyAttributeText } from '../../layout/items/compose-item.js'
import { nextEventLoopTurn } from '../../store/event-loop-turn.js'
import type { Store } from '../../store/port.js'
import type { BatchData } from '../open-batch.js'
import { ITEMS } from '../sources/item-table.js'
import { itemText, parseItemText } from '../sources/item-text.js'

type ReadStore = Pick<Store, 'getItem' | 'batchGetItem'>

/**
 * The items of a batch as a store that reads by key. One join serves all reads of one turn of the event loop, so that an
 * inspection of thousands of items takes a few queries.
 */
export function exportStore({ database, layout }: BatchData): Store {
  const { names, design } = layout
  const keyTexts = (key: Key): [string, string] => [
    keyAttributeText(key[names.partition]),
    keyAttributeText(key[names.sort]),
  ]
  let wave:
    | { readonly keys: Map<string, [string, string]>; readonly found: Promise<ReadonlyMap<string, Item>> }
    | undefined

  const readWave = async (keys: ReadonlyMap<string, [string, string]>) => {
    await nextEventLoopTurn()
    wave = undefined
    await database.run('CREATE OR REPLACE TEMP TABLE requested (pk VARCHAR, sk VARCHAR)')
    await database.append('requested', keys.values())
    const found = new Map<string, Item>()
    for (const { pk, sk, item } of await database.rows(
      `SELECT pk, sk, ${itemText()} FROM requested JOIN ${ITEMS} USING (pk, sk)`,
    ))
      found.set(JSON.stringify([pk, sk]), parseItemText(item))
    return found
  }
  const read = async (keys: readonly Key[]): Promise<Item[]> => {
    if (!wave) {
      const requested = new Map<string, [string, string]>()
      // Waves share a connection, so they run one after the other.
      const found = turn.then(() => readWave(requested))
      turn = found.catch(() => undefined)
      wave = { keys: requested, found }
    }
    const texts = keys.map(key => JSON.stringify(keyTexts(key)))
    for (const [at, text] of texts.entries()) wave.keys.set(text, keyTexts(keys[at]!))
    const found = await wave.found
    return texts.flatMap((text): Item[] => (found.has(text) ? [found.get(text)!] : []))
  }
  let turn: Promise<unknown> = Promise.resolve()
  const store: ReadStore = {
    async getItem({ Key }) {
      const [Item] = await read([Key])
      return { ...(Item && { Item }) }
    },
    batchGetItem: async ({ RequestItems }) => ({
      Responses: { [design.name]: await read(RequestItems[design.name]!.Keys!) },
    }),
  }
  return store as Store
}
