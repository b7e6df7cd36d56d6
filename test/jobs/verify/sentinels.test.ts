import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { graph, node, open, string, wrap } from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/index.js'

const user = node('user', { id: string(), mail: string() }, { id: 'id', unique: ['mail'] })
const made = graph('users', [user])

async function opened() {
  const store = memory()
  const g = await open(made, store)
  await g.user.put({ id: 'ann', mail: 'a@x' })
  return { store, g }
}

it('a sentinel without an owner is transferred to the node with its value atomically', async () => {
  const { store, g } = await opened()
  await store.updateItem({
    TableName: 'users',
    Key: { PK: { S: 'user.mail#a@x' }, SK: { S: '#' } },
    UpdateExpression: 'SET id = :i',
    ExpressionAttributeValues: { ':i': { S: 'nobody' } },
  })
  const one = { type: 'user', id: 'ann' }
  expect((await verify(g, one)).faults).toEqual({ 'sentinel.missing': 1 })
  expect(await repair(g, one)).toMatchObject({ repaired: 1 })
  expect((await verify(g)).faults).toEqual({})
  await expect(g.user.create({ id: 'bob', mail: 'a@x' })).rejects.toMatchObject({ code: 'unique.taken' })
})

it('a sentinel without an owner remains with a node that took its value during the repair', async () => {
  const { store, g } = await opened()
  const Key = { PK: { S: 'user.mail#a@x' }, SK: { S: '#' } }
  const give = (id: string) =>
    store.putItem({ TableName: 'users', Item: { ...Key, _type: { S: 'user.mail' }, id: { S: id } } })
  await give('bob')
  let isMeanwhile = true
  const busy = wrap(store, async (operation, request, options, send) => {
    if (operation === 'transactWriteItems' && isMeanwhile) {
      isMeanwhile = false
      await store.putItem({
        TableName: 'users',
        Item: { PK: { S: 'user#bob' }, SK: { S: '#' }, _type: { S: 'user' }, id: { S: 'bob' }, mail: { S: 'a@x' } },
      })
    }
    return send(request, options)
  })
  await repair(await open(made, busy), { type: 'user', id: 'ann' })
  expect(isMeanwhile).toBe(false)
  expect((await store.getItem({ TableName: 'users', Key })).Item?.id).toEqual({ S: 'bob' })
  expect((await verify(g)).faults).toEqual({ 'sentinel.taken': 1 })
})

it('a sentinel without an owner that disappears during its transfer is written again', async () => {
  const { store, g } = await opened()
  const Key = { PK: { S: 'user.mail#a@x' }, SK: { S: '#' } }
  await store.putItem({ TableName: 'users', Item: { ...Key, _type: { S: 'user.mail' }, id: { S: 'nobody' } } })
  let isMeanwhile = true
  const busy = wrap(store, async (operation, request, options, send) => {
    if (operation === 'transactWriteItems' && isMeanwhile) {
      isMeanwhile = false
      await store.deleteItem({ TableName: 'users', Key })
    }
    return send(request, options)
  })
  expect(await repair(await open(made, busy), { type: 'user', id: 'ann' })).toMatchObject({ repaired: 1 })
  expect((await verify(g)).faults).toEqual({})
})
