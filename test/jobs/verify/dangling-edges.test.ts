import { expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, layout, node, open, string } from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/index.js'

const user = node('user', { id: string() }, { id: 'id' })
const item = node('item', { no: string() }, { id: 'no' })
const buys = edge('buys', { user, item }, {}, { carry: { number: 'item.no' } })
const shop = layout(graph('shop', [user, item, buys]), {
  raw: true,
  keys: {
    user: { PK: 'U#{id}', SK: 'U' },
    item: { PK: 'I#{no}#X', SK: 'I' },
    buys: { PK: 'U#{user}', SK: 'BUYS-{item}', GSI1PK: 'B-{item}', GSI1SK: 'U#{user}' },
  },
})

it('an edge to an id that its node type rejects is dangling, and other edges are inspected', async () => {
  const store = memory()
  const g = await open(shop, store)
  await g.user.create({ id: 'ann' })
  await g.item.create({ no: '1' })
  await g.buys.put({ user: 'ann', item: '1' })
  // A foreign edge that the scan meets before an edge without its index key.
  const { Items } = await store.query({
    TableName: 'shop',
    KeyConditionExpression: 'PK = :p AND begins_with(SK, :s)',
    ExpressionAttributeValues: { ':p': { S: 'U#ann' }, ':s': { S: 'BUYS' } },
  })
  const [there] = Items!
  const to = (no: string) => ({ item: { S: no }, number: { S: no }, SK: { S: `BUYS-${no}` }, GSI1PK: { S: `B-${no}` } })
  await store.putItem({ TableName: 'shop', Item: { ...there, ...to('0#b') } })
  const { GSI1SK: _, ...lame }: Item = { ...there, ...to('1') }
  await store.putItem({ TableName: 'shop', Item: lame })
  const dangling = {
    code: 'edge.dangling',
    type: 'buys',
    name: 'item',
    row: { user: 'ann', item: '0#b', number: '0#b' },
  }
  const told: unknown[] = []
  const onFault = ({ code, type, name, row }: Record<string, unknown>) => told.push({ code, type, name, row })
  await repair(g, { onFault: onFault as never })
  expect(told).toContainEqual(dangling)
  const left = await verify(g, { onFault: onFault as never })
  expect(left.faults).toEqual({ 'edge.dangling': 1 })
  expect(await g.buys.by.item('1').all()).toEqual([{ user: 'ann', item: '1', number: '1' }])
})
