import type { Item } from '../../dynamodb/attribute-value.js'
import type { Layout } from '../../layout/layout.js'
import type { Store } from '../../store/port.js'
import type { ProgramContext } from '../algorithms/graph-tables.js'
import type { SqlRow } from '../duckdb.js'
import { type BatchData, programContextOf } from '../open-batch.js'
import { ITEMS } from '../sources/item-table.js'
import { itemText, parseItemText } from '../sources/item-text.js'
import type { CounterQuery } from './counter-queries.js'
import { exportStore } from './export-store.js'

/** A node that a query found, with its number if that differs. */
export interface FoundRow {
  readonly pk: string
  readonly sk: string
  readonly item: Item
  readonly expected?: string
  readonly found?: string | null
  readonly exact?: boolean
}

/** Items to inspect. `read` items were compared for them. */
interface ItemBlock {
  readonly items: readonly Item[]
  readonly read: number
}

/** The items of a validation, with the rows of its queries by their numbers. */
export interface ValidatedItems {
  readonly layout: Layout
  readonly moment: Date
  readonly program: ProgramContext
  /** The items by key. */
  openStore(): Promise<Store>
  blocks(): AsyncIterable<ItemBlock>
  counterRows(query: CounterQuery, number: number): Promise<FoundRow[]>
  /** The amounts behind the numbers of these nodes. */
  amounts(query: CounterQuery, number: number, nodes: readonly FoundRow[]): Promise<SqlRow[]>
  entryRows(sql: string, number: number): Promise<FoundRow[]>
}

const BLOCK_ITEMS = 5_000

/** A row of a query whose text of an item is parsed. */
export const foundRow = (row: SqlRow): FoundRow => ({ ...row, item: parseItemText(row.item) }) as unknown as FoundRow

/** The items of a batch. All of them are inspected. */
export class BatchItems implements ValidatedItems {
  readonly layout: Layout
  readonly moment: Date
  readonly program: ProgramContext

  constructor(private readonly data: BatchData) {
    this.layout = data.layout
    this.moment = data.moment
    this.program = programContextOf(data)
  }

  openStore(): Promise<Store> {
    return Promise.resolve(exportStore(this.data))
  }

  async *blocks(): AsyncGenerator<ItemBlock> {
    const { data } = this
    const [{ last }] = (await data.rows(`SELECT coalesce(max(rowid), -1) AS last FROM ${ITEMS}`)) as [{ last: number }]
    for (let at = 0; at <= last; at += BLOCK_ITEMS) {
      const rows = await data.rows(
        `SELECT ${itemText()} FROM ${ITEMS} WHERE rowid >= ${at} AND rowid < ${at + BLOCK_ITEMS}`,
      )
      yield { items: rows.map(({ item }) => parseItemText(item)), read: rows.length }
    }
  }

  counterRows({ sql }: CounterQuery): Promise<FoundRow[]> {
    return this.rowsWithItems(sql)
  }

  async amounts({ amounts }: CounterQuery, _: number, nodes: readonly FoundRow[]): Promise<SqlRow[]> {
    const { database } = this.data
    await database.run('CREATE OR REPLACE TEMP TABLE inexact (pk VARCHAR, sk VARCHAR)')
    await database.append(
      'inexact',
      nodes.map(({ pk, sk }) => [pk, sk]),
    )
    return amounts ? database.rows(amounts('SELECT pk, sk FROM inexact')) : []
  }

  entryRows(sql: string): Promise<FoundRow[]> {
    return this.rowsWithItems(sql)
  }

  private async rowsWithItems(sql: string): Promise<FoundRow[]> {
    return (await this.data.rows(withItems(sql))).map(foundRow)
  }
}

/** The rows of a query of keys, with their items. */
export const withItems = (sql: string): string =>
  `SELECT found.*, ${itemText('items.')} FROM (${sql}) AS found JOIN ${ITEMS} AS items USING (pk, sk)`
