import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { graph, integer, layout, node, open, string } from '../../../src/index.js'

const user = node('user', { id: string(), age: integer().optional() }, { id: 'id' })
const FINGERPRINT = '$edgewise'
const RECEIPT = '$receipt#order 5'

describe.each([
  ['raw', layout(graph('users', [user]), { raw: true, table: { keys: ['id'] }, keys: { user: { id: '{id}' } } })],
  ['raw beside a sort key', layout(graph('users', [user]), { raw: true, keys: { user: { PK: '{id}', SK: '#' } } })],
  ['encoded', layout(graph('users', [user]), { keys: { user: { PK: '{id}', SK: '#' } } })],
])('an id that is the whole key that is %s', (_, made) => {
  it('an id that equals the key of an internal item is rejected, and the internal item does not change', async () => {
    const store = memory()
    const g = await open(made, store)
    await g.user.put({ id: 'ann', age: 7 }).run({ token: 'order 5' })
    const { Items: before } = await store.scan({ TableName: 'users' })
    for (const id of [FINGERPRINT, RECEIPT])
      for (const call of [
        g.user.put({ id, age: 1 }),
        g.user.create({ id }),
        g.user.update(id, { age: 2 }),
        g.user.delete(id),
        g.user.get(id),
        g.user.exists(id),
      ])
        await expect(call).rejects.toMatchObject({ code: 'key.value', details: { slot: undefined } })
    expect((await store.scan({ TableName: 'users' })).Items).toEqual(before)
    await open(made, store)
  })

  it('every other id is accepted, also one with the same prefix or suffix', async () => {
    const g = await open(made, memory())
    const ids = ['$', '$edgewise#', '$edgewise2', 'a#$edgewise', '$receipt', '#$receipt#1', '$$receipt#1']
    for (const id of ids) await g.user.create({ id })
    expect((await g.user.scan().all()).map(({ id }) => id).sort()).toEqual([...ids].sort())
  })
})

it('an id that equals an internal key of its tenant is rejected', async () => {
  const made = layout(graph('users', [user], { tenant: true }), { keys: { user: { PK: '{id}', SK: '#' } } })
  const g = (await open(made, memory())).$tenant('a#b')
  for (const id of [FINGERPRINT, RECEIPT]) await expect(g.user.put({ id })).rejects.toMatchObject({ code: 'key.value' })
  await g.user.create({ id: '$' }).run({ token: 'order 5' })
  expect(await g.user.get('$')).toEqual({ id: '$' })
})

it('keys with the type name as a prefix, or with a separate sort key, accept every id', async () => {
  const beside = layout(graph('users', [user]), { raw: true, keys: { user: { PK: '{id}', SK: 'USER' } } })
  for (const made of [layout(graph('users', [user])), beside]) {
    const g = await open(made, memory())
    for (const id of [FINGERPRINT, RECEIPT]) await g.user.create({ id }).run({ token: 'order 5'.concat(id) })
    expect(await g.user.many([FINGERPRINT, RECEIPT])).toEqual([{ id: FINGERPRINT }, { id: RECEIPT }])
  }
})

describe.each(['raw', 'encoded'])('an inverted index of a table whose keys are %s', mode => {
  const raw = mode === 'raw'
  const indexes = { turned: { keys: ['SK', 'PK'] }, aged: { keys: ['aged', 'PK'] } } as const
  const held = node(
    'user',
    { id: string(), age: integer().optional() },
    { id: 'id', by: { all: { order: ['id'] }, age: { in: ['age'] } } },
  )
  const layoutBy = (PK: string) =>
    layout(graph('users', [held]), { raw, indexes, keys: { user: { PK, SK: '#', aged: '{age}' } as never } })

  it('an inverted index is read without the internal items in it', async () => {
    const g = await open(layoutBy('{id}'), memory())
    const ids = ['$', 'ann', 'bob']
    for (const id of ids) await g.user.put({ id }).run({ token: id })
    const all = g.user.by.all()
    expect((await all.all()).map(({ id }) => id)).toEqual(ids)
    expect([await all.count(), await all.only('id').first()]).toEqual([3, { id: '$' }])
    expect((await all.reverse().limit(2).all()).map(({ id }) => id)).toEqual(['bob', 'ann'])
  })

  it('an inverted index is read without a filter when its keys begin with a type name', async () => {
    const g = await open(layoutBy('user#{id}'), memory())
    expect(g.user.by.all().first().plan().steps[0]?.request.input).toMatchObject({ IndexName: 'turned', Limit: 1 })
  })
})
