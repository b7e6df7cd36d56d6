import type { AttributeValue, Item, Key } from '../../../dynamodb/attribute-value.js'
import type { ExecuteStatementAnswer, ExecuteStatementRequest } from '../../../dynamodb/operations/statements.js'
import type { Service } from '../../port.js'
import type { Bench } from '../bench.js'
import { same } from '../expect.js'
import type { SharedTable } from '../tables.js'
import { text } from './reading.js'

export const NOT_WELL_FORMED = "Statement wasn't well formed, can't be processed: "

/** Statements about one partition of a case's own. In their texts `TABLE` is its table, `PK` its key as a literal. */
export class Stating {
  private constructor(
    readonly bench: Bench,
    readonly TableName: string,
    readonly pk: string,
    readonly items: readonly Item[],
  ) {}

  static async of(bench: Bench, table: SharedTable, ...rows: Item[]): Promise<Stating> {
    const pk = bench.unique()
    const items = rows.map(row => ({ pk: text(pk), ...row }))
    const TableName = await bench.table(table)
    await bench.put(TableName, ...items)
    return new Stating(bench, TableName, pk, items)
  }

  get service(): Service {
    return this.bench.service
  }

  statement(words: string): string {
    return words.replaceAll('TABLE', `"${this.TableName}"`).replaceAll('PK', `'${this.pk}'`)
  }

  async run(
    words: string,
    Parameters?: AttributeValue[],
    more: Partial<ExecuteStatementRequest> = {},
  ): Promise<ExecuteStatementAnswer> {
    const { $metadata: _, ...answer } = (await this.service.executeStatement({
      Statement: this.statement(words),
      ...(Parameters && { Parameters }),
      ...more,
    })) as ExecuteStatementAnswer & { $metadata?: unknown }
    return answer
  }

  /** The items of a strongly consistent SELECT of the table. */
  async select(words: string, Parameters?: AttributeValue[]): Promise<Item[]> {
    return (await this.run(words, Parameters, { ConsistentRead: true })).Items!
  }

  /** The sort keys of the items of the partition for which a condition holds. */
  async where(condition: string, Parameters?: AttributeValue[]): Promise<(string | undefined)[]> {
    const items = await this.select(`SELECT sk FROM TABLE WHERE pk = PK AND (${condition})`, Parameters)
    return items.map(({ sk }) => sk?.S ?? sk?.N)
  }

  /** The item without its key, as it is now. */
  async stored(sort?: AttributeValue): Promise<Item | undefined> {
    const Key: Key = { pk: text(this.pk), ...(sort && { sk: sort }) }
    const found = await this.bench.get(this.TableName, Key)
    if (!found) return undefined
    const { pk: _, sk: __, ...rest } = found
    return rest
  }

  /** A write answers no items unless it is asked for some. */
  async write(words: string, Parameters?: AttributeValue[]): Promise<void> {
    same(await this.run(words, Parameters), { Items: [] })
  }
}

/** `1:<column>:<length>` of a part of a statement, from some place on. */
export function at(statement: string, part: string, length = part.length, from = 0): string {
  const index = statement.indexOf(part, from)
  if (index === -1) throw new Error(`'${part}' is not in '${statement}'`)
  return `1:${index + 1}:${length}`
}
