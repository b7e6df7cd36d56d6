import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import type { QueryAnswer, QueryRequest } from '../../../dynamodb/operations/reads.js'
import type { Bench } from '../bench.js'
import { fixture, number, Partition, query, text } from './reading.js'
import { type Given, placeholders } from './trial.js'

/** Items of the table `composite` that are in some of its indexes and not in others. */
export class Indexed {
  private constructor(
    readonly partition: Partition,
    readonly group: AttributeValue,
    readonly items: Readonly<Record<'a' | 'b' | 'c' | 'd' | 'e', Item>>,
  ) {}

  static async of(bench: Bench): Promise<Indexed> {
    const group = text(bench.unique('group'))
    const rest = { kept: text('kept'), extra: text('extra') }
    const partition = await Partition.of(bench, 'composite', [
      { sk: text('a'), group, rank: number(3), local: text('z'), ...rest },
      { sk: text('b'), group, rank: number(1), local: text('y'), ...rest },
      { sk: text('c'), group, rank: number(2), ...rest },
      { sk: text('d'), group, local: text('x'), ...rest },
      { sk: text('e'), rank: number(5), ...rest },
    ])
    const [a, b, c, d, e] = partition.items as [Item, Item, Item, Item, Item]
    return new Indexed(partition, group, { a, b, c, d, e })
  }

  /** A query of one of the global indexes of groups, in whose condition `#g = :g` is this group. */
  queryGroup(
    IndexName: 'byGroup' | 'groupOnly',
    condition = '#g = :g',
    given: Given = {},
    more: Partial<QueryRequest> = {},
  ): Promise<QueryAnswer> {
    return query(this.partition.store, this.groupRequest(IndexName, condition, given, more))
  }

  groupRequest(
    IndexName: 'byGroup' | 'groupOnly',
    KeyConditionExpression = '#g = :g',
    given: Given = {},
    more: Partial<QueryRequest> = {},
  ): QueryRequest {
    const { TableName } = this.partition
    const meant = placeholders({ '#g': 'group', ':g': this.group, ...given })
    return { TableName, IndexName, KeyConditionExpression, ...meant, ...more }
  }
}

/** Those that no case changes. */
export const indexed = fixture(Indexed.of)

/** Of an item only these attributes. */
export function only(item: Item, ...names: string[]): Item {
  return Object.fromEntries(names.map(name => [name, item[name]!]))
}
