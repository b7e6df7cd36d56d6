import { join } from 'node:path'
import { itemAt, SORT_KEYS } from './engine-data.js'
import { PAGE_ITEMS, SMALL } from './engine-work.js'
import { sequence, type Work } from './measure.js'
import { peer } from './peers.js'

interface Sqlite {
  new (
    path: string,
  ): {
    exec(sql: string): void
    prepare(sql: string): {
      all(...of: unknown[]): unknown[]
      get(...of: unknown[]): unknown
      run(...of: unknown[]): void
    }
    transaction(work: () => void): () => void
    close(): void
  }
}

type Row = { readonly item: string }

/** The same items in a table of better-sqlite3 that flushes every commit. A row has the keys and the item as JSON. */
export async function sqliteOnDisk(folder: string): Promise<Record<string, Work> | undefined> {
  const Database = await peer<Sqlite>('better-sqlite3', Sqlite => new Sqlite(':memory:'))
  if (!Database) return undefined
  const db = new Database(join(folder, 'sqlite'))
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
  db.exec('CREATE TABLE items (pk TEXT, sk TEXT, item TEXT, PRIMARY KEY (pk, sk)) WITHOUT ROWID;')
  db.exec('CREATE INDEX inverted ON items (sk, pk);')
  const insert = db.prepare('INSERT OR REPLACE INTO items VALUES (?, ?, ?)')
  const put = (at: number) => insert.run(...keyAt(at), JSON.stringify(itemAt(at)))
  db.transaction(() => {
    for (let at = 0; at < SMALL; at++) put(at)
  })()
  const get = db.prepare('SELECT item FROM items WHERE pk = ? AND sk = ?')
  const query = db.prepare('SELECT item FROM items WHERE pk = ? ORDER BY sk LIMIT ?')
  const inverted = db.prepare('SELECT item FROM items INDEXED BY inverted WHERE sk = ? ORDER BY pk LIMIT ?')
  const random = sequence(13)
  const parsed = (rows: unknown[]) => rows.map(row => JSON.parse((row as Row).item))
  return {
    GetItem: () => parsed([get.get(...keyAt(random(SMALL)))]),
    'Query of 50': () => parsed(query.all(keyAt(random(SMALL))[0], PAGE_ITEMS)),
    'Query of 50 on the GSI': () => parsed(inverted.all(keyAt(random(SORT_KEYS))[1], PAGE_ITEMS)),
    PutItem: () => put(random(SMALL)),
  }
}

function keyAt(at: number): [pk: string, sk: string] {
  const { pk, sk } = itemAt(at)
  return [pk!.S!, sk!.S!]
}
