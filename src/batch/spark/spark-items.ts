import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { keyAttributeText } from '../../layout/items/compose-item.js'
import type { Layout } from '../../layout/layout.js'
import type { Store } from '../../store/port.js'
import type { ProgramContext } from '../algorithms/graph-tables.js'
import type { SqlRow } from '../duckdb.js'
import { parseItemText } from '../sources/item-text.js'
import type { CounterQuery } from '../validation/counter-queries.js'
import { type FoundRow, foundRow, type ValidatedItems } from '../validation/validated-items.js'
import { sparkContext, VALIDATION } from './plan.js'
import type { SparkResults } from './results.js'
import { VALIDATION_RESULTS } from './validation-plan.js'

/** The results of a validation on Spark: suspects, the items that their inspection reads, and numbers that differ. */
export class SparkItems implements ValidatedItems {
  readonly layout: Layout
  readonly moment: Date
  readonly program: ProgramContext

  constructor(private readonly results: SparkResults) {
    this.layout = results.layout
    this.moment = results.moment
    this.program = sparkContext(results.layout)
  }

  async openStore(): Promise<Store> {
    const { names, design } = this.layout
    const textOf = (key: Key) => JSON.stringify(names.keys.map(name => keyAttributeText(key[name])))
    const items = new Map<string, Item>()
    for (const result of [VALIDATION_RESULTS.suspects, VALIDATION_RESULTS.related])
      for await (const rows of this.results.rows(VALIDATION, result))
        for (const row of rows) {
          const item = parseItemText(row.item)
          items.set(textOf(item), item)
        }
    const store: Pick<Store, 'getItem' | 'batchGetItem'> = {
      getItem: async ({ Key }) => ({ ...(items.has(textOf(Key)) && { Item: items.get(textOf(Key))! }) }),
      batchGetItem: async ({ RequestItems }) => ({
        Responses: {
          [design.name]: RequestItems[design.name]!.Keys!.map(key => items.get(textOf(key))).filter(
            item => item !== undefined,
          ),
        },
      }),
    }
    return store as Store
  }

  async duplicates(): Promise<FoundRow[]> {
    return (await this.rowsOf(VALIDATION_RESULTS.duplicates, 0)).map(foundRow)
  }

  async *blocks(): AsyncGenerator<{ items: Item[]; read: number }> {
    for await (const rows of this.results.rows(VALIDATION, VALIDATION_RESULTS.suspects))
      yield { items: rows.map(({ item }) => parseItemText(item)), read: 0 }
    // Spark compared all items with each other.
    yield { items: [], read: this.results.items }
  }

  async counterRows(_: CounterQuery, number: number): Promise<FoundRow[]> {
    return (await this.rowsOf(VALIDATION_RESULTS.counters, number)).map(foundRow)
  }

  amounts(_: CounterQuery, number: number): Promise<SqlRow[]> {
    return this.rowsOf(VALIDATION_RESULTS.amounts, number)
  }

  async entryRows(_: string, number: number): Promise<FoundRow[]> {
    return (await this.rowsOf(VALIDATION_RESULTS.entries, number)).map(foundRow)
  }

  hiddenEdges(_: unknown, number: number): Promise<SqlRow[]> {
    return this.rowsOf(VALIDATION_RESULTS.hidden, number)
  }

  private async rowsOf(result: string, number: number): Promise<SqlRow[]> {
    const found: SqlRow[] = []
    for await (const rows of this.results.rows(VALIDATION, result))
      found.push(...rows.filter(({ query }) => query === number))
    return found
  }
}
