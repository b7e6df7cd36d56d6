import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import type { ScanInput, ScanOutput } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { sharedTableDefinition } from '../../bench-tables.js'
import { defineCases } from '../../contract-case.js'
import { pickAttributes } from '../../fixtures/indexed-items.js'
import {
  expectEventually,
  numericValue,
  readAllItems,
  readPages,
  runScan,
  sharedFixture,
  stringValue,
} from '../../fixtures/test-partition.js'

const PARTITIONS = 12
const SORTS = ['a', 'b', 'c']

function keyOf(item: Item): string {
  return `${item.pk!.S}/${item.sk!.S}`
}

function sortByKey(items: readonly Item[]): Item[] {
  return [...items].sort((x, y) => (keyOf(x) < keyOf(y) ? -1 : 1))
}

/** A separate table with the definition of `composite`, so that a scan finds only items of the case. */
export const scannedTable = sharedFixture(async bench => {
  const { TableName: _, ...definition } = sharedTableDefinition('composite', '')
  const TableName = await bench.createOwnTable(definition)
  const items: Item[] = []
  for (let i = 0; i < PARTITIONS; i++)
    for (const sort of SORTS)
      items.push({
        pk: stringValue(`partition ${i}`),
        sk: stringValue(sort),
        note: stringValue(`${i}${sort}`),
        ...(sort !== 'a' && { group: stringValue(`group ${i % 3}`), kept: numericValue(i) }),
        ...(sort === 'c' && { rank: numericValue(-i) }),
      })
  await bench.put(TableName, ...items)
  const read = (more: Partial<ScanInput> = {}): Promise<ScanOutput> => runScan(bench.store, { TableName, ...more })
  return { TableName, items, read, strongly: (more = {}) => read({ ConsistentRead: true, ...more }) }
})

const tableScans = defineCases('scan', {
  'a scan returns every item once, with partitions contiguous and in the order of the sort key': async bench => {
    const { items, strongly } = await scannedTable(bench)
    const answer = await strongly()
    const { Items, ...counts } = answer
    expectEqual(counts, { Count: 36, ScannedCount: 36 })
    expectEqual(sortByKey(Items!), sortByKey(items))
    const partitions = Items!.filter((_, i) => i % 3 === 0).map(item => item.pk!.S)
    expectEqual(
      Items!.map(keyOf),
      partitions.flatMap(pk => SORTS.map(sort => `${pk}/${sort}`)),
    )
  },

  'a scan of an empty table returns nothing': async bench => {
    const { TableName: _, ...definition } = sharedTableDefinition('hash', '')
    const TableName = await bench.createOwnTable(definition)
    expectEqual(await runScan(bench.store, { TableName }), { Items: [], Count: 0, ScannedCount: 0 })
  },

  'a limit ends a page of a scan at the item that reaches it, and the next page begins after it': async bench => {
    const { strongly } = await scannedTable(bench)
    const { Items } = await strongly()
    const first = await strongly({ Limit: 4 })
    const LastEvaluatedKey = pickAttributes(Items![3]!, 'pk', 'sk')
    expectEqual(first, { Items: Items!.slice(0, 4), Count: 4, ScannedCount: 4, LastEvaluatedKey })
    const second = await strongly({ Limit: 4, ExclusiveStartKey: LastEvaluatedKey })
    expectEqual(second.Items, Items!.slice(4, 8))
  },

  'paging a scan by any limit visits every item once, in the same order': async bench => {
    const { strongly } = await scannedTable(bench)
    const { Items } = await strongly()
    for (const Limit of [1, 2, 5, 7, 35]) expectEqual(await readAllItems(start => strongly({ Limit, ...start })), Items)
  },

  'a limit equal to the number of items returns the last key, and a larger limit returns none': async bench => {
    const { strongly } = await scannedTable(bench)
    const [page, empty] = await readPages(start => strongly({ Limit: 36, ...start }))
    expectEqual(page!.LastEvaluatedKey, pickAttributes(page!.Items!.at(-1)!, 'pk', 'sk'))
    expectEqual(empty, { Items: [], Count: 0, ScannedCount: 0 })
    expectEqual((await strongly({ Limit: 37 })).LastEvaluatedKey, undefined)
  },

  'a scan can start at the key of a missing item': async bench => {
    const { strongly } = await scannedTable(bench)
    const all = (await strongly()).Items!
    for (const pk of ['partition 3', 'nobody', 'someone']) {
      const { Items } = await strongly({ ExclusiveStartKey: { pk: stringValue(pk), sk: stringValue('bb') } })
      expectEqual(Items, all.slice(all.length - Items!.length))
      const rest = pk === 'partition 3' ? Items!.filter(item => item.pk!.S === pk).map(keyOf) : []
      expectEqual(rest, pk === 'partition 3' ? ['partition 3/c'] : [])
    }
  },

  'a filter of a scan applies after reading': async bench => {
    const { items, strongly } = await scannedTable(bench)
    const filter = {
      FilterExpression: '#g = :g AND kept > :k',
      ExpressionAttributeNames: { '#g': 'group' },
      ExpressionAttributeValues: { ':g': stringValue('group 1'), ':k': numericValue(4) },
    }
    const { Items, ...counts } = await strongly(filter)
    expectEqual(counts, { Count: 4, ScannedCount: 36 })
    expectEqual(
      sortByKey(Items!),
      sortByKey(items.filter(({ group, kept }) => group?.S === 'group 1' && Number(kept!.N) > 4)),
    )
    const page = await strongly({ ...filter, Limit: 10 })
    expectEqual([page.ScannedCount, page.LastEvaluatedKey === undefined], [10, false])
    expectEqual(sortByKey(await readAllItems(start => strongly({ ...filter, Limit: 10, ...start }))), sortByKey(Items!))
  },

  'a projection and a count of a scan limit the response': async bench => {
    const { items, strongly } = await scannedTable(bench)
    const { Items } = await strongly({ ProjectionExpression: 'note' })
    const notes = (list: readonly Item[]) => list.map(item => item.note!.S).sort()
    expectEqual(notes(Items!), notes(items))
    expectEqual(
      Items!.every(item => Object.keys(item).length === 1),
      true,
    )
    expectEqual(await strongly({ Select: 'COUNT' }), { Count: 36, ScannedCount: 36 })
    const counted = await strongly({ Select: 'COUNT', Limit: 3 })
    expectEqual(Object.keys(counted).sort(), ['Count', 'LastEvaluatedKey', 'ScannedCount'])
  },

  'names and values without an expression are reported before errors of the segment and the start key': async bench => {
    const request = {
      TableName: await bench.sharedTable('composite'),
      Segment: 1,
      ExclusiveStartKey: { pk: {} as AttributeValue },
    }
    const values = { ExpressionAttributeValues: { ':a': { N: '1' } } }
    await expectValidationError(
      bench.store.scan({ ...request, ...values, ExpressionAttributeNames: { '#a': 'a' } }),
      'ExpressionAttributeNames can only be specified when using expressions',
    )
    await expectValidationError(
      bench.store.scan({ ...request, ...values }),
      'ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null',
    )
  },

  'a scan of a missing table or index is rejected': async bench => {
    await expectRejection(
      bench.store.scan({ TableName: 'there-is-no-such-table', ExclusiveStartKey: {} }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
    const { read } = await scannedTable(bench)
    const message = 'The table does not have the specified index: missing'
    await expectValidationError(read({ IndexName: 'missing', ExclusiveStartKey: {} }), message)
  },
})

const indexScans = defineCases('scan', {
  'a scan of a global index returns the projected attributes of its items': async bench => {
    const { items, read } = await scannedTable(bench)
    const grouped = items.filter(item => item.group)
    const entries = grouped.map(item => pickAttributes(item, 'pk', 'sk', 'group'))
    await expectEventually(
      bench,
      async () => sortByKey((await read({ IndexName: 'groupOnly' })).Items!),
      sortByKey(entries),
    )
    const ranked = items
      .filter(item => item.rank)
      .map(item => pickAttributes(item, 'pk', 'sk', 'group', 'rank', 'kept'))
    await expectEventually(
      bench,
      async () => sortByKey((await read({ IndexName: 'byGroup' })).Items!),
      sortByKey(ranked),
    )
    await expectEventually(
      bench,
      async () => sortByKey((await read({ IndexName: 'inverted' })).Items!),
      sortByKey(items),
    )
  },

  'a scan of a global index has contiguous partitions in the order of the sort key': async bench => {
    const { read } = await scannedTable(bench)
    const ranks = async () => {
      const { Items } = await read({ IndexName: 'byGroup' })
      const groups = [...new Set(Items!.map(item => item.group!.S))]
      return [groups.length, Items!.map(item => item.rank!.N), groups]
    }
    const inOrder = (group: string) =>
      [9, 6, 3, 0].map(i => String(-i - Number(group.at(-1)))).map(n => n.replace('-0', '0'))
    await bench.eventually(async () => {
      const [count, all, groups] = (await ranks()) as [number, string[], string[]]
      expectEqual(count, 3)
      expectEqual(all, groups.flatMap(inOrder))
    })
  },

  'a scan of a local index returns the projected attributes of its items': async bench => {
    const { items, strongly } = await scannedTable(bench)
    const ranked = items.filter(item => item.rank)
    const { Items, ...counts } = await strongly({ IndexName: 'byRank' })
    expectEqual(counts, { Count: 12, ScannedCount: 12 })
    expectEqual(sortByKey(Items!), sortByKey(ranked.map(item => pickAttributes(item, 'pk', 'sk', 'rank'))))
    const whole = await strongly({ IndexName: 'byRank', Select: 'ALL_ATTRIBUTES' })
    expectEqual(sortByKey(whole.Items!), sortByKey(ranked))
    expectEqual((await strongly({ IndexName: 'byLocal' })).Items, [])
  },

  'paging a scan of an index visits every entry once': async bench => {
    const { read } = await scannedTable(bench)
    for (const IndexName of ['groupOnly', 'byGroup', 'byRank', 'inverted']) {
      const keys = { groupOnly: ['group'], byGroup: ['group', 'rank'], byRank: ['rank'], inverted: [] }[IndexName]!
      const check = async () => {
        const all = (await read({ IndexName })).Items!
        const page = await read({ IndexName, Limit: 2 })
        expectEqual(page.LastEvaluatedKey, pickAttributes(page.Items![1]!, 'pk', 'sk', ...keys))
        for (const Limit of [1, 5]) {
          const paged = await readAllItems(start => read({ IndexName, Limit, ...start }))
          expectEqual(sortByKey(paged), sortByKey(all))
        }
      }
      await bench.eventually(check)
    }
  },

  'a strongly consistent scan of a global index is rejected': async bench => {
    const { strongly } = await scannedTable(bench)
    const message = 'Consistent reads are not supported on global secondary indexes'
    await expectValidationError(strongly({ IndexName: 'groupOnly' }), message)
  },

  'a filter of a scan of a global index treats unprojected attributes as missing': async bench => {
    const { read } = await scannedTable(bench)
    const filter = (FilterExpression: string) => read({ IndexName: 'groupOnly', FilterExpression, Select: 'COUNT' })
    await expectEventually(bench, () => filter('attribute_exists(note)'), { Count: 0, ScannedCount: 24 })
    await expectEventually(bench, () => filter('attribute_not_exists(note)'), { Count: 24, ScannedCount: 24 })
  },
})

/** Cases of scans of tables and indexes. */
export const scanCases = [...tableScans, ...indexScans]
