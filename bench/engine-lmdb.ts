import { createRequire } from 'node:module'
import { join } from 'node:path'
import { decodeStored, encodeStored } from '../src/engine/persistence/stored-bytes.js'
import { parseInputItem } from '../src/engine/values/parse-item.js'
import { itemAt, SORT_KEYS } from './engine-data.js'
import { PAGE_ITEMS, SMALL } from './engine-work.js'
import { sequence, type Work } from './measure.js'

/** LMDB alone with the same items: no tables, no indexes, no requests. */
export interface Lmdb {
  /** A get with LMDB's fastest decoder. */
  readonly get: Work
  /** 50 neighbours, decoded as the engine decodes them. */
  readonly range: Work
  readonly put: Work
  close(): Promise<void>
}

export async function lmdbAlone(folder: string): Promise<Lmdb> {
  const { open } = createRequire(import.meta.url)('lmdb') as typeof import('lmdb')
  const own = open<object, string>({ path: join(folder, 'own'), sharedStructuresKey: Symbol.for('structures') })
  const encode = (item: object) => Buffer.from(encodeStored(parseInputItem(item as never, 'current')))
  const same = open<object, string>({ path: join(folder, 'same'), encoder: { encode, decode: decodeStored } })
  const written = open<object, string>({ path: join(folder, 'written') })
  for (let at = 0; at < SMALL; at++) for (const one of [own, same, written]) void one.put(keyAt(at), itemAt(at))
  await Promise.all([own.flushed, same.flushed, written.flushed])
  const random = sequence(11)
  return {
    get: () => own.get(keyAt(random(SMALL))),
    range: () => {
      const items: unknown[] = []
      const start = keyAt(random(SMALL / SORT_KEYS) * SORT_KEYS)
      for (const { value } of same.getRange({ start, limit: PAGE_ITEMS })) items.push(value)
      return items
    },
    // The promise of a put resolves after the flush.
    put: () => {
      const at = random(SMALL)
      return written.put(keyAt(at), itemAt(at))
    },
    async close() {
      for (const one of [own, same, written]) await one.close()
    },
  }
}

function keyAt(at: number): string {
  const { pk, sk } = itemAt(at)
  return `${pk!.S}/${sk!.S}`
}
