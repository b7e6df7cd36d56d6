import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { memory } from '../../../src/engine/index.js'
import { type Example, itemsOf } from '../../../src/layout/items/items.js'
import { encodeTemplate, type KeySlotValues } from '../../../src/layout/keys/encode-template.js'
import { templateConditionOf } from '../../../src/layout/keys/template-condition.js'
import type { Layout } from '../../../src/layout/layout.js'
import type { Store } from '../../../src/store/port.js'
import { toCreateTableInput } from '../../../src/table/table-definition.js'
import { clientOver } from './sdk-client.js'

const TABLE = 'adopted'

/** An empty table of a layout, and the document client of the SDK for another program. */
export interface Adopted {
  readonly table: string
  readonly client: DynamoDBDocumentClient
  /** All items of the table. */
  items(): Promise<Item[]>
  /** Writes the items of nodes and edges, with the etags that our writes add. */
  write(example: Example): Promise<void>
}

export async function adopt(made: Layout): Promise<Adopted> {
  const store: Store = memory()
  await store.createTable(toCreateTableInput(made.design, { table: TABLE }))
  return {
    table: TABLE,
    client: DynamoDBDocumentClient.from(clientOver(store)),
    items: async () => sorted((await store.scan({ TableName: TABLE })).Items!),
    async write(example) {
      for (const { item } of itemsOf(made, example))
        await store.putItem({ TableName: TABLE, Item: { ...item, [made.names.etag]: { S: 'e1' } } })
    },
  }
}

/** The items of a layout in the order of the table. */
export const described = (made: Layout, example: Example) => sorted(itemsOf(made, example).map(({ item }) => item))

const sorted = (items: readonly Item[]) => items.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
const textOf = (item: Item) => JSON.stringify(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The keys that a path reads: its index, partition key and sort key prefix. */
export function readOf(made: Layout, path: string, values: KeySlotValues) {
  const access = made.accesses.find(({ type, name }) => `${type.name}.by.${name}` === path)!
  return {
    index: access.index,
    partition: encodeTemplate(access.partition!, values),
    sort: templateConditionOf(access.sort!, {}),
  }
}
