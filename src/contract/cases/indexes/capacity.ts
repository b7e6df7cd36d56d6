import type { Item } from '../../../dynamodb/attribute-value.js'
import type { ConsumedCapacity } from '../../../dynamodb/operation-types.js'
import { expectEqual } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { ItemTrial, type PlaceholderValues } from '../../fixtures/item-trial.js'
import type { TestBench } from '../../test-bench.js'

/** Units by index; `table` has the units of the table itself. */
type UnitsByIndex = Readonly<Record<string, number>>

const LOCAL = new Set(['byLocal', 'byRank'])

/** Asserts that exactly the table and the named indexes consumed these units. */
function expectConsumed(
  consumed: ConsumedCapacity | undefined,
  TableName: string,
  { table = 1, ...indexes }: UnitsByIndex,
): void {
  const expected: ConsumedCapacity = { TableName, CapacityUnits: table, Table: { CapacityUnits: table } }
  for (const [name, units] of Object.entries(indexes)) {
    const member = LOCAL.has(name) ? 'LocalSecondaryIndexes' : 'GlobalSecondaryIndexes'
    expected[member] = { ...expected[member], [name]: { CapacityUnits: units } }
    expected.CapacityUnits! += units
  }
  expectEqual(consumed, expected)
}

async function putAndExpect(trial: ItemTrial, attributes: Item, units: UnitsByIndex): Promise<void> {
  const { TableName, store } = trial
  const request = { TableName, Item: trial.item(attributes), ReturnConsumedCapacity: 'INDEXES' as const }
  expectConsumed((await store.putItem(request)).ConsumedCapacity, TableName, units)
}

async function updateAndExpect(
  bench: TestBench,
  before: Item,
  expression: string,
  given: PlaceholderValues,
  units: UnitsByIndex,
): Promise<void> {
  const trial = await ItemTrial.ofIndexedTable(bench, before)
  const { ConsumedCapacity } = await trial.update(expression, given, { ReturnConsumedCapacity: 'INDEXES' })
  expectConsumed(ConsumedCapacity, trial.TableName, units)
}

const IN_ALL: Item = { local: { S: 'l' }, rank: { N: '1' }, group: { S: 'g' }, kept: { S: 'k' }, other: { S: 'o' } }
const ALL_ONCE: UnitsByIndex = { inverted: 1, byLocal: 1, byRank: 1, byGroup: 1, groupOnly: 1 }
const NEW = { ':v': { S: 'new' } }

const puts = defineCases('putItem', {
  'a put takes one unit of each index that the item enters, and reports no other index': async bench => {
    await putAndExpect(await ItemTrial.ofIndexedTable(bench), {}, { inverted: 1 })
    await putAndExpect(await ItemTrial.ofIndexedTable(bench), { local: { S: 'l' } }, { inverted: 1, byLocal: 1 })
    await putAndExpect(await ItemTrial.ofIndexedTable(bench), { rank: { N: '1' } }, { inverted: 1, byRank: 1 })
    await putAndExpect(await ItemTrial.ofIndexedTable(bench), { group: { S: 'g' } }, { inverted: 1, groupOnly: 1 })
    await putAndExpect(await ItemTrial.ofIndexedTable(bench), IN_ALL, ALL_ONCE)
  },
  'the total of a put is that of the table and of all its indexes': async bench => {
    const trial = await ItemTrial.ofIndexedTable(bench)
    const { TableName } = trial
    const request = { TableName, Item: trial.item(IN_ALL), ReturnConsumedCapacity: 'TOTAL' as const }
    expectEqual((await bench.store.putItem(request)).ConsumedCapacity, { TableName, CapacityUnits: 6 })
  },
  'a put of an unchanged item consumes no index capacity': async bench => {
    const trial = await ItemTrial.ofIndexedTable(bench, IN_ALL)
    await putAndExpect(trial, IN_ALL, {})
  },
  'an entry consumes units by its size, which counts only projected attributes': async bench => {
    const other = { S: 'x'.repeat(3200) }
    await putAndExpect(
      await ItemTrial.ofIndexedTable(bench),
      { ...IN_ALL, other },
      { ...ALL_ONCE, table: 4, inverted: 4, byLocal: 4 },
    )
    const kept = { S: 'x'.repeat(3200) }
    const all = { table: 4, inverted: 4, byLocal: 4, byRank: 1, byGroup: 4, groupOnly: 1 }
    await putAndExpect(await ItemTrial.ofIndexedTable(bench), { ...IN_ALL, kept }, all)
  },
})

const updates = defineCases('updateItem', {
  'a change of an attribute that an index does not project consumes none of its capacity': bench =>
    updateAndExpect(bench, IN_ALL, 'SET #o = :v', { '#o': 'other', ...NEW }, { inverted: 1, byLocal: 1 }),
  'a change of a projected attribute consumes one unit of the index': bench =>
    updateAndExpect(bench, IN_ALL, 'SET kept = :v', NEW, { inverted: 1, byLocal: 1, byGroup: 1 }),
  'an entry that moves consumes the units of both positions': async bench => {
    const moved = { inverted: 1, byLocal: 1, byGroup: 2, groupOnly: 2 }
    await updateAndExpect(bench, IN_ALL, 'SET #g = :v', { '#g': 'group', ...NEW }, moved)
    await updateAndExpect(bench, IN_ALL, 'SET #l = :v', { '#l': 'local', ...NEW }, { inverted: 1, byLocal: 2 })
    const rank = { inverted: 1, byLocal: 1, byRank: 2, byGroup: 2 }
    await updateAndExpect(bench, IN_ALL, 'ADD #r :v', { '#r': 'rank', ':v': { N: '1' } }, rank)
  },
  'an entry that moves and shrinks consumes units for the old and the new size': bench =>
    updateAndExpect(
      bench,
      { ...IN_ALL, kept: { S: 'x'.repeat(3200) } },
      'SET #g = :v, kept = :v',
      { '#g': 'group', ...NEW },
      { table: 4, inverted: 4, byLocal: 4, byGroup: 5, groupOnly: 2 },
    ),
  'a new entry consumes one unit': bench =>
    updateAndExpect(bench, {}, 'SET #g = :v', { '#g': 'group', ...NEW }, { inverted: 1, groupOnly: 1 }),
  'a removed entry consumes one unit': bench =>
    updateAndExpect(
      bench,
      IN_ALL,
      'REMOVE #g',
      { '#g': 'group' },
      { inverted: 1, byLocal: 1, byGroup: 1, groupOnly: 1 },
    ),
  'an entry that changes in size consumes the units of the larger size': bench =>
    updateAndExpect(bench, { ...IN_ALL, kept: { S: 'x'.repeat(3200) } }, 'SET kept = :v', NEW, {
      table: 4,
      inverted: 4,
      byLocal: 4,
      byGroup: 4,
    }),
  'an update without changes consumes no index capacity': bench =>
    updateAndExpect(bench, IN_ALL, 'SET kept = :v', { ':v': IN_ALL.kept! }, {}),
})

const deletes = defineCases('deleteItem', {
  'a delete consumes one unit of each index that the item was in': async bench => {
    for (const [attributes, units] of [
      [IN_ALL, ALL_ONCE],
      [{ group: { S: 'g' } }, { inverted: 1, groupOnly: 1 }],
    ] as const) {
      const { TableName, Key } = await ItemTrial.ofIndexedTable(bench, attributes)
      const request = { TableName, Key, ReturnConsumedCapacity: 'INDEXES' as const }
      expectConsumed((await bench.store.deleteItem(request)).ConsumedCapacity, TableName, units)
      expectConsumed((await bench.store.deleteItem(request)).ConsumedCapacity, TableName, {})
    }
  },
})

/** Cases of the units that writes consume in indexes. */
export const indexCapacityCases = [...puts, ...updates, ...deletes]
