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

/** The key of a node in the rows of queries. */
export interface NodeKey {
  readonly pk: string
  readonly sk: string
}

/** A node that a query found, with its number if that differs. */
export interface FoundRow extends NodeKey {
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
  /** Items that the data has more than once, each of them. */
  duplicates(): Promise<FoundRow[]>
  blocks(): AsyncIterable<ItemBlock>
  counterRows(query: CounterQuery, number: number): Promise<FoundRow[]>
  /** The amounts behind the numbers of these nodes. */
  amounts(query: CounterQuery, number: number, nodes: readonly FoundRow[]): Promise<SqlRow[]>
  entryRows(sql: string, number: number): Promise<FoundRow[]>
  /** The keys of these nodes with the items of their edges. `number` counts on from counters to embedded maps. */
  hiddenEdges(query: HiddenEdgesOf, number: number, nodes: readonly FoundRow[]): Promise<SqlRow[]>
}

type HiddenEdgesOf = Pick<CounterQuery, 'hiddenEdges'>

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

  duplicates(): Promise<FoundRow[]> {
    return this.rowsWithItems(DUPLICATES)
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
    return amounts ? this.data.rows(amounts(await this.keysOf(nodes))) : []
  }

  entryRows(sql: string): Promise<FoundRow[]> {
    return this.rowsWithItems(sql)
  }

  async hiddenEdges({ hiddenEdges }: HiddenEdgesOf, _: number, nodes: readonly FoundRow[]): Promise<SqlRow[]> {
    return hiddenEdges ? this.data.rows(hiddenEdges(await this.keysOf(nodes))) : []
  }

  /** A query of the keys of nodes. */
  private async keysOf(nodes: readonly NodeKey[]): Promise<string> {
    const { database } = this.data
    await database.run('CREATE OR REPLACE TEMP TABLE found_nodes (pk VARCHAR, sk VARCHAR)')
    await database.append(
      'found_nodes',
      nodes.map(({ pk, sk }) => [pk, sk]),
    )
    return 'SELECT pk, sk FROM found_nodes'
  }

  private async rowsWithItems(sql: string): Promise<FoundRow[]> {
    return (await this.data.rows(withItems(sql))).map(foundRow)
  }
}

/** A text for each key of a node. */
export const nodeText = ({ pk, sk }: NodeKey): string => JSON.stringify([pk, sk])

/** A query of the keys of items that the data has more than once. */
export const DUPLICATES = `SELECT pk, sk FROM ${ITEMS} GROUP BY pk, sk HAVING count(*) > 1`

/** The rows of a query of keys, with their items. */
export const withItems = (sql: string): string =>
  `SELECT found.*, ${itemText('items.')} FROM (${sql}) AS found JOIN ${ITEMS} AS items USING (pk, sk)`
