import type { AttributeValue, Item, Key } from '../../../dynamodb/attribute-value.js'
import { ATTRIBUTE_NAME_BYTES } from '../../../dynamodb/limits.js'
import type { QueryAnswer, QueryRequest, ScanAnswer, ScanRequest } from '../../../dynamodb/operations/reads.js'
import type { Store } from '../../port.js'
import type { Bench } from '../bench.js'
import { same } from '../expect.js'
import type { SharedTable } from '../tables.js'
import { type Given, placeholders } from './trial.js'

export const text = (value: string): AttributeValue => ({ S: value })
export const number = (value: number | string): AttributeValue => ({ N: String(value) })
export const binary = (...values: number[]): AttributeValue => ({ B: Uint8Array.from(values) })

/** A byte more than any name may have, and what is said of it. */
export const TOO_LONG = 'n'.repeat(ATTRIBUTE_NAME_BYTES + 1)
export const NAME_TOO_LONG = 'Attribute name is too large, must be less than 65536 bytes'

/** Something that several cases read and none changes, made once for a run. */
export function fixture<T>(make: (bench: Bench) => Promise<T>): (bench: Bench) => Promise<T> {
  const made = new WeakMap<Bench, Promise<T>>()
  return bench => {
    const known = made.get(bench) ?? make(bench)
    made.set(bench, known)
    return known
  }
}

/** The answer of a query, without what a transport adds to it. */
export async function query(store: Store, request: QueryRequest): Promise<QueryAnswer> {
  return bare(await store.query(request))
}

/** The answer of a scan, without what a transport adds to it. */
export async function scan(store: Store, request: ScanRequest): Promise<ScanAnswer> {
  return bare(await store.scan(request))
}

function bare<Answer extends object>(answer: Answer): Answer {
  const { $metadata: _, ...rest } = answer as Answer & { $metadata?: unknown }
  return rest as Answer
}

/** One attribute of every item, as it was written in the request. */
export function listed({ Items }: QueryAnswer, name = 'sk'): (string | Uint8Array | undefined)[] {
  return Items!.map(item => item[name]?.S ?? item[name]?.N ?? item[name]?.B)
}

/** Every page from the first to the last, taken up at its last key each time. */
export async function pages(
  read: (start: { ExclusiveStartKey?: Key }) => Promise<QueryAnswer>,
  atMost = 100,
): Promise<QueryAnswer[]> {
  const all = [await read({})]
  for (let last = all[0]!.LastEvaluatedKey; last !== undefined; last = all.at(-1)!.LastEvaluatedKey) {
    if (all.length === atMost) throw new Error(`there are more than ${atMost} pages`)
    all.push(await read({ ExclusiveStartKey: last }))
  }
  return all
}

/** The items of every page. */
export async function allItems(
  read: (start: { ExclusiveStartKey?: Key }) => Promise<QueryAnswer>,
  atMost = 100,
): Promise<Item[]> {
  return (await pages(read, atMost)).flatMap(page => page.Items!)
}

/** The items under one partition key of a case's own, and queries of it. */
export class Partition {
  private constructor(
    readonly store: Store,
    readonly TableName: string,
    readonly pk: AttributeValue,
    readonly items: readonly Item[],
  ) {}

  static async of(bench: Bench, table: SharedTable, rows: readonly Item[]): Promise<Partition> {
    const pk = text(bench.unique())
    const items = rows.map(row => ({ pk, ...row }))
    const TableName = await bench.table(table)
    await bench.put(TableName, ...items)
    return new Partition(bench.store, TableName, pk, items)
  }

  /** A strongly consistent query, unless it says otherwise. In its expressions `:pk` is the partition key. */
  query(KeyConditionExpression: string, given: Given = {}, more: Partial<QueryRequest> = {}): Promise<QueryAnswer> {
    return query(this.store, this.request(KeyConditionExpression, given, { ConsistentRead: true, ...more }))
  }

  request(KeyConditionExpression: string, given: Given = {}, more: Partial<QueryRequest> = {}): QueryRequest {
    const { TableName, pk } = this
    return { TableName, KeyConditionExpression, ...placeholders({ ':pk': pk, ...given }), ...more }
  }

  /** The sort keys that a condition on them finds. */
  async sorts(condition: string, given: Given = {}, more: Partial<QueryRequest> = {}): Promise<unknown[]> {
    return listed(await this.query(`pk = :pk AND ${condition}`, given, more))
  }
}

/** What an index answers in the end. */
export async function settles(bench: Bench, read: () => Promise<unknown>, expected: unknown): Promise<void> {
  await bench.eventually(async () => same(await read(), expected))
}
