import type { AttributeValue, Item, Key } from '../../../dynamodb/attribute-value.js'
import type { ExecuteStatementInput, ExecuteStatementOutput } from '../../../dynamodb/operation-types.js'
import type { Service } from '../../../store/port.js'
import { expectEqual } from '../../assertions.js'
import type { SharedTable } from '../../bench-tables.js'
import { stringValue } from '../../fixtures/test-partition.js'
import type { TestBench } from '../../test-bench.js'

export const MALFORMED_STATEMENT = "Statement wasn't well formed, can't be processed: "

/**
 * Statements about one partition of a case. In their texts, `TABLE` stands for its table and `PK` for its key as a
 * literal.
 */
export class PartiqlPartition {
  private constructor(
    readonly bench: TestBench,
    readonly TableName: string,
    readonly pk: string,
    readonly items: readonly Item[],
  ) {}

  static async of(bench: TestBench, table: SharedTable, ...rows: Item[]): Promise<PartiqlPartition> {
    const pk = bench.unique()
    const items = rows.map(row => ({ pk: stringValue(pk), ...row }))
    const TableName = await bench.sharedTable(table)
    await bench.put(TableName, ...items)
    return new PartiqlPartition(bench, TableName, pk, items)
  }

  get service(): Service {
    return this.bench.service
  }

  toStatement(words: string): string {
    return words.replaceAll('TABLE', `"${this.TableName}"`).replaceAll('PK', `'${this.pk}'`)
  }

  async execute(
    words: string,
    Parameters?: AttributeValue[],
    more: Partial<ExecuteStatementInput> = {},
  ): Promise<ExecuteStatementOutput> {
    const { $metadata: _, ...answer } = (await this.service.executeStatement({
      Statement: this.toStatement(words),
      ...(Parameters && { Parameters }),
      ...more,
    })) as ExecuteStatementOutput & { $metadata?: unknown }
    return answer
  }

  /** Returns the items of a strongly consistent SELECT of the table. */
  async select(words: string, Parameters?: AttributeValue[]): Promise<Item[]> {
    return (await this.execute(words, Parameters, { ConsistentRead: true })).Items!
  }

  /** Returns the sort keys of the items in the partition that satisfy a condition. */
  async findSortKeys(condition: string, Parameters?: AttributeValue[]): Promise<(string | undefined)[]> {
    const items = await this.select(`SELECT sk FROM TABLE WHERE pk = PK AND (${condition})`, Parameters)
    return items.map(({ sk }) => sk?.S ?? sk?.N)
  }

  /** Returns the stored item without its key. */
  async readItem(sort?: AttributeValue): Promise<Item | undefined> {
    const Key: Key = { pk: stringValue(this.pk), ...(sort && { sk: sort }) }
    const found = await this.bench.get(this.TableName, Key)
    if (!found) return undefined
    const { pk: _, sk: __, ...rest } = found
    return rest
  }

  /** Asserts that a write returns no items, which it does only on request. */
  async write(words: string, Parameters?: AttributeValue[]): Promise<void> {
    expectEqual(await this.execute(words, Parameters), { Items: [] })
  }
}

/** Formats the position of a part of a statement as `1:<column>:<length>`. */
export function locationOf(statement: string, part: string, length = part.length, from = 0): string {
  const index = statement.indexOf(part, from)
  if (index === -1) throw new Error(`'${part}' is not in '${statement}'`)
  return `1:${index + 1}:${length}`
}
