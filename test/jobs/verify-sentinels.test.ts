import { expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { graph, node, open, string, wrap } from '../../src/index.js'
import { repair, verify } from '../../src/jobs/index.js'

it('a sentinel of nobody that goes while it is given to the node that has its value is written anew', async () => {
  const user = node('user', { id: string(), mail: string() }, { id: 'id', unique: ['mail'] })
  const made = graph('users', [user])
  const store = memory()
  const g = await open(made, store)
  await g.user.put({ id: 'ann', mail: 'a@x' })
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
  expect(await repair(await open(made, busy), { type: 'user', id: 'ann' })).toMatchObject({ mended: 1 })
  expect((await verify(g)).faults).toEqual({})
})
