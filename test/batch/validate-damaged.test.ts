import { describe, expect, it } from 'vitest'
import { openBatch, type ValidateOptions, validate } from '../../src/batch/index.js'
import type { Item } from '../../src/dynamodb/index.js'
import { memory } from '../../src/engine/memory.js'
import { counter, edge, graph, integer, node, open, type Store, string } from '../../src/index.js'

const user = node('user', { id: string(), roles: counter() }, { id: 'id' })
const actor = node('actor', { no: integer({ min: -50, max: 9999 }), total: counter() }, { id: 'no' })
const role = edge(
  'role',
  { user, actor },
  { pay: integer().optional() },
  { count: { user: 'roles' }, sum: { actor: { into: 'total', of: 'pay' } } },
)
const cast = graph('cast', [user, actor, role])

async function filled() {
  const store = memory()
  const g = await open(cast, store)
  await g.user.put({ id: 'ann' })
  await g.actor.put({ no: 5 })
  await g.role.put({ user: 'ann', actor: 5, pay: 3 })
  return { store, g }
}

const ACTOR = { PK: { S: 'actor#0005' }, SK: { S: '#' } }
const ROLE = { PK: { S: 'user#ann' }, SK: { S: 'role#0005' } }

const putItem = (store: Store, item: Item) => store.putItem({ TableName: 'cast', Item: item })
const setNumber = (store: Store, Key: Item, name: string, value: string) =>
  store.updateItem({
    TableName: 'cast',
    Key,
    UpdateExpression: 'SET #n = :v',
    ExpressionAttributeNames: { '#n': name },
    ExpressionAttributeValues: { ':v': { N: value } },
  })

async function codesOf(store: Store, options: ValidateOptions = {}): Promise<string[]> {
  await using data = await openBatch(cast, { from: { store }, threads: 1 })
  const codes: string[] = []
  await validate(data, { ...options, onFinding: ({ code }) => void codes.push(code) })
  return codes.sort()
}

describe('a key that cannot be decoded', () => {
  it.each(['actor#zzz', 'actor#', 'actor#-x'])(
    'a key that cannot be decoded is a finding of a validation, and has no id in the view: %s',
    async key => {
      const { store } = await filled()
      await putItem(store, { PK: { S: key }, SK: { S: '#' }, _type: { S: 'actor' } })
      expect(await codesOf(store)).toEqual(['item.unknown'])
      await using data = await openBatch(cast, { from: { store } })
      expect(await data.rows('SELECT no FROM actor ORDER BY no NULLS LAST')).toEqual([{ no: 5 }, { no: null }])
    },
  )

  it('a key of an edge that cannot be decoded is a finding', async () => {
    const { store } = await filled()
    await putItem(store, { PK: { S: 'user#ann' }, SK: { S: 'role#zz' }, _type: { S: 'role' }, pay: { N: '1' } })
    expect(await codesOf(store)).toContain('item.unknown')
  })
})

describe('a huge number', () => {
  it.each(['1e125', '99999999999999999999999999999999999999', '-1e125', '1e-130'])(
    'as an integer of an edge is a finding: %s',
    async value => {
      const { store } = await filled()
      await setNumber(store, ROLE, 'pay', value)
      expect(await codesOf(store)).toEqual(['item.unreadable'])
    },
  )

  it('as a counter is a finding, and is not 0 in the view', async () => {
    const { store } = await filled()
    await setNumber(store, ACTOR, 'total', '1e125')
    expect(await codesOf(store)).toEqual(['counter.drift'])
    await using data = await openBatch(cast, { from: { store } })
    expect(await data.rows('SELECT total FROM actor')).toEqual([{ total: null }])
  })

  it('may be in an edge next to one that makes the sum inexact', async () => {
    const { store, g } = await filled()
    await g.user.put({ id: 'bob' })
    await g.role.put({ user: 'bob', actor: 5, pay: 4 })
    await setNumber(store, ROLE, 'pay', '1e125')
    expect(await codesOf(store)).toEqual(['item.unreadable'])
  })
})

it('a counter that is not a number is NULL in the view, and an absent one is 0', async () => {
  const { store } = await filled()
  const total = async () => {
    await using data = await openBatch(cast, { from: { store } })
    return (await data.rows('SELECT total FROM actor'))[0]!.total
  }
  await putItem(store, { ...ACTOR, _type: { S: 'actor' } })
  expect(await total()).toBe(0)
  await putItem(store, { ...ACTOR, _type: { S: 'actor' }, total: { S: 'many' } })
  expect(await total()).toBeNull()
  await putItem(store, { ...ACTOR, _type: { S: 'actor' }, total: { N: '1.5' } })
  expect(await total()).toBeNull()
})
