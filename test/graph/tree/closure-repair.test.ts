import { expect, test } from 'vitest'
import type { AttributeValue } from '../../../src/dynamodb/index.js'
import { memory } from '../../../src/embedded.js'
import { open, type Store } from '../../../src/index.js'
import { moveSubtree, repair } from '../../../src/jobs/index.js'
import { closureFaultsOf, company, sorted } from './company.js'

/** A company with three levels, whose closure was damaged by another program. */
const DAMAGES: Record<string, readonly [code: string, damage: (store: Store) => Promise<unknown>]> = {
  'a missing edge of the closure': [
    'closure.stale',
    store => store.deleteItem({ TableName, Key: { PK: { S: 'person#ceo' }, SK: { S: 'below#dev' } } }),
  ],
  'an edge of the closure with another depth': ['closure.stale', store => setDepth(store, 'ceo', 'dev', 7)],
  'an edge of the closure to a node that is not above': ['closure.orphan', store => setDepth(store, 'cfo', 'dev', 1)],
  'a lineage that is missing': [
    'closure.stale',
    store =>
      store.updateItem({
        TableName,
        Key: { PK: { S: 'person#cto' }, SK: { S: 'reports' } },
        UpdateExpression: 'REMOVE #l',
        ExpressionAttributeNames: { '#l': '_lineage' },
      }),
  ],
}
const TableName = 'company'
const setDepth = (store: Store, manager: string, report: string, depth: number) =>
  store.putItem({
    TableName,
    Item: {
      PK: { S: `person#${manager}` },
      SK: { S: `below#${report}` },
      _type: { S: 'below' },
      depth: { N: String(depth) },
      path: { S: report },
    },
  })

test.each(Object.entries(DAMAGES))('verify reports %s, and repair restores the closure', async (_, [code, damage]) => {
  const store = memory()
  const g = await open(company, store, { follow: false })
  for (const [report, manager] of [
    ['cto', 'ceo'],
    ['cfo', 'ceo'],
    ['dev', 'cto'],
    ['ops', 'dev'],
  ] as const)
    await moveSubtree(g, 'reports', { report, manager })
  const before = sorted(await g.below.scan().all())
  expect(await closureFaultsOf(g)).toEqual([])
  await damage(store)
  expect(await closureFaultsOf(g)).toContain(code)
  await repair(g)
  expect(await closureFaultsOf(g)).toEqual([])
  expect(sorted(await g.below.scan().all())).toEqual(before)
})

test('a cycle and malformed lineages that another program wrote stop neither verify nor repair', async () => {
  const store = memory()
  const g = await open(company, store, { follow: false })
  for (const [report, manager] of [
    ['b', 'a'],
    ['c', 'b'],
    ['d', 'c'],
    ['e', 'd'],
  ] as const)
    await moveSubtree(g, 'reports', { report, manager })
  const set = (report: string, name: string, value: AttributeValue) =>
    store.updateItem({
      TableName,
      Key: { PK: { S: `person#${report}` }, SK: { S: 'reports' } },
      UpdateExpression: 'SET #n = :v',
      ExpressionAttributeNames: { '#n': name },
      ExpressionAttributeValues: { ':v': value },
    })
  for (const lineage of [
    { S: 'x' },
    { M: { lineage: { L: [{ L: [{ N: '1' }] }] } } },
    { M: { previous: { S: '' } } },
  ]) {
    await set('d', '_lineage', lineage)
    expect(await closureFaultsOf(g)).toContain('closure.stale')
    await repair(g)
    expect(await closureFaultsOf(g)).toEqual([])
  }
  await set('b', 'manager', { S: 'd' })
  const faults = await closureFaultsOf(g)
  await repair(g)
  expect(faults).toContain('closure.stale')
  expect(await closureFaultsOf(g)).toContain('closure.stale')
  await g.reports.delete({ report: 'b', manager: 'd' })
  await repair(g)
  expect(await closureFaultsOf(g)).toEqual([])
  expect((await g.below.by.report('e').all()).map(({ manager }) => manager)).toEqual(['b', 'c', 'd'])
})
