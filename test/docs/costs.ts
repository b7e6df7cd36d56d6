import type { AttributeValue, Item, Key } from '../../src/dynamodb/attribute-value.js'
import type { ConsumedCapacity } from '../../src/dynamodb/operations/capacity.js'
import { memory } from '../../src/engine/index.js'
import type { Access } from '../../src/layout/access.js'
import { type Example, itemsOf, type Row } from '../../src/layout/items.js'
import type { Layout } from '../../src/layout/layout.js'
import { condition } from '../../src/layout/template-condition.js'
import { encode, type KeyValues } from '../../src/layout/template-encode.js'
import type { Store } from '../../src/store/port.js'
import { createTableRequest } from '../../src/table/definition.js'

/** A page's graph in its table, with the nodes and edges of its example. */
export interface Shown {
  readonly made: Layout
  readonly example: Example
}

/** Something that is done with them: which requests it takes, and the units that the engine counted. */
export interface Cost {
  readonly requests: string
  readonly units: string
}

const TableName = 'shown'
const ReturnConsumedCapacity = 'INDEXES'

async function tableWith({ made }: Shown, items: readonly Item[]): Promise<Store> {
  const store = memory()
  await store.createTable(createTableRequest(made.design, { table: TableName }))
  for (const Item of items) await store.putItem({ TableName, Item })
  return store
}

const itemsIn = ({ made }: Shown, example: Example) => itemsOf(made, example).map(({ item }) => item)

/** Writes the last row of a type into a table that has all the others. */
export function costOfPut(shown: Shown, type: string): Promise<Cost> {
  const { example } = shown
  return costOfWrite(shown, { ...example, [type]: example[type]!.slice(0, -1) }, example)
}

/** Puts a changed row of a type in place of its last. */
export function costOfReplace(shown: Shown, type: string, row: Row): Promise<Cost> {
  const { example } = shown
  return costOfWrite(shown, example, { ...example, [type]: [...example[type]!.slice(0, -1), row] })
}

/** Every item that changes, together. */
async function costOfWrite(shown: Shown, from: Example, to: Example): Promise<Cost> {
  const before = itemsIn(shown, from)
  const known = new Set(before.map(item => JSON.stringify(item)))
  const changed = itemsIn(shown, to).filter(item => !known.has(JSON.stringify(item)))
  const store = await tableWith(shown, before)
  if (changed.length === 1) {
    const { ConsumedCapacity } = await store.putItem({ TableName, Item: changed[0]!, ReturnConsumedCapacity })
    return { requests: '1 PutItem', units: unitsOf(ConsumedCapacity!, 'WCU') }
  }
  const TransactItems = changed.map(Item => ({ Put: { TableName, Item } }))
  const { ConsumedCapacity } = await store.transactWriteItems({ TransactItems, ReturnConsumedCapacity })
  return {
    requests: `1 TransactWriteItems of ${changed.length} items`,
    units: unitsOf(ConsumedCapacity![0]!, 'WCU'),
  }
}

/** Reads a path: a Query for each shard, of everything that the given slots lead to. */
export async function costOfRead(shown: Shown, path: string, given: KeyValues): Promise<Cost> {
  const access = shown.made.accesses.find(({ type, name }) => `${type.name}.by.${name}` === path)!
  const { index, shards } = access
  const store = await tableWith(shown, itemsIn(shown, shown.example))
  const answers = await Promise.all(
    Array.from({ length: shards }, (_, shard) =>
      store.query({
        TableName,
        IndexName: index,
        ...keyCondition(shown.made, access, { ...given, shard: { S: String(shard) } }),
        ReturnConsumedCapacity,
      }),
    ),
  )
  const found = answers.reduce((sum, { Count }) => sum + Count!, 0)
  if (found === 0) throw new Error(`${path} finds nothing`)
  const total = answers.reduce((sum, { ConsumedCapacity }) => sum + ConsumedCapacity!.CapacityUnits!, 0)
  const noun = shards === 1 ? 'Query' : 'Queries'
  return { requests: `${shards} ${noun}${index ? ` on ${index}` : ''}, ${found} found`, units: `${total} RCU` }
}

/** Reads a whole partition of the table. */
export async function costOfPartition(shown: Shown, partition: string): Promise<Cost> {
  const store = await tableWith(shown, itemsIn(shown, shown.example))
  const { Count, ConsumedCapacity } = await store.query({
    TableName,
    ...equal([[shown.made.names.partition, { S: partition }]]),
    ReturnConsumedCapacity,
  })
  return { requests: `1 Query, ${Count} found`, units: unitsOf(ConsumedCapacity!, 'RCU') }
}

/** Reads items by their keys: one by GetItem, several by BatchGetItem. */
export async function costOfGet(shown: Shown, keys: readonly (readonly [string, string])[]): Promise<Cost> {
  const { partition, sort } = shown.made.names
  const store = await tableWith(shown, itemsIn(shown, shown.example))
  const Keys = keys.map(([first, second]): Key => ({ [partition]: { S: first }, [sort]: { S: second } }))
  if (keys.length === 1) {
    const { Item, ConsumedCapacity } = await store.getItem({ TableName, Key: Keys[0]!, ReturnConsumedCapacity })
    if (!Item) throw new Error(`${keys} is not there`)
    return { requests: '1 GetItem', units: unitsOf(ConsumedCapacity!, 'RCU') }
  }
  const answer = await store.batchGetItem({ RequestItems: { [TableName]: { Keys } }, ReturnConsumedCapacity })
  const found = answer.Responses![TableName]!.length
  return { requests: `1 BatchGetItem, ${found} found`, units: unitsOf(answer.ConsumedCapacity![0]!, 'RCU') }
}

function keyCondition(made: Layout, access: Access, values: KeyValues) {
  const { partition, sort, given, index } = access
  if (!partition) return equal(nativePartition(made, access, values))
  const { attributes } = keysOf(made, index)
  const sorted = sort && condition(sort, Object.fromEntries(given.map(slot => [slot, inSort(access, slot, values)])))
  const first: [string, AttributeValue] = [attributes[0]!, { S: encode(partition, values) }]
  if (!sorted || !('beginning' in sorted || 'equal' in sorted)) return equal([first])
  const { KeyConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = equal([first])
  const [text, test] = 'equal' in sorted ? [sorted.equal, '#s = :s'] : [sorted.beginning, 'begins_with(#s, :s)']
  return {
    KeyConditionExpression: `${KeyConditionExpression} AND ${test}`,
    ExpressionAttributeNames: { ...ExpressionAttributeNames, '#s': attributes[1]! },
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':s': { S: text } },
  }
}

/** The value of a slot that a read gives, where it stands in the sort key too. */
const inSort = ({ sort }: Access, slot: string, values: KeyValues) =>
  sort!.slots.some(({ name }) => name === slot) ? values[slot] : undefined

function nativePartition(made: Layout, { kind, given, index }: Access, values: KeyValues) {
  const [, ...attributes] = keysOf(made, index).partition
  return [
    [made.names.type, { S: kind.mark }] as [string, AttributeValue],
    ...attributes.map((attribute, at): [string, AttributeValue] => [attribute, values[given[at]!]!]),
  ]
}

function keysOf({ design }: Layout, index: string | undefined) {
  const found = design.indexes.find(({ name }) => name === index)
  const partition = found?.partition ?? [design.keys.partition]
  return { partition, attributes: [...partition, ...(found?.sort ?? [design.keys.sort])] }
}

function equal(values: readonly [string, AttributeValue][]) {
  return {
    KeyConditionExpression: values.map((_, at) => `#p${at} = :p${at}`).join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(values.map(([name], at) => [`#p${at}`, name])),
    ExpressionAttributeValues: Object.fromEntries(values.map(([, value], at) => [`:p${at}`, value])),
  }
}

/** The units of the table and of each index that took any. */
function unitsOf(consumed: ConsumedCapacity, unit: string): string {
  const { Table, LocalSecondaryIndexes = {}, GlobalSecondaryIndexes = {} } = consumed
  const indexes = Object.entries({ ...LocalSecondaryIndexes, ...GlobalSecondaryIndexes })
  const parts = indexes.map(([name, { CapacityUnits }]) => `${CapacityUnits} on ${name}`)
  return [`${Table!.CapacityUnits} ${unit}`, ...parts].join(', ')
}
