import { expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { contextOf } from '../../src/graph/open.js'
import { Sending } from '../../src/graph/sending.js'
import { write } from '../../src/graph/writing.js'
import { edge, graph, node, open, string, wrap } from '../../src/index.js'
import { planCopies } from '../../src/plan/write-copies.js'

const user = node('user', { id: string(), name: string() }, { id: 'id' })
const page = node('page', { id: string() }, { id: 'id' })
const likes = edge('likes', { user, page }, {}, { carry: { name: { from: 'user.name', sync: 'eventual' } } })

it.each([
  ['after it was done', true],
  ['before', false],
])('copies whose answer is lost %s are looked up, and brought up where they are not', async (_, isDone) => {
  const inner = memory()
  const g = await open(graph('liked', [user, page, likes]), inner, { follow: false })
  await g.user.put({ id: 'a', name: 'Ann' })
  await g.likes.put({ user: 'a', page: 'p' })
  await g.user.put({ id: 'a', name: 'Anna' })
  let lost = 0
  const store = wrap(inner, async (operation, input, _options, send) => {
    if (operation !== 'transactWriteItems' || lost > 0) return send(input)
    lost++
    if (isDone) await send(input)
    throw Object.assign(new Error('the line went dead'), { name: 'TimeoutError' })
  })
  const sending = new Sending({ ...contextOf(g), store }, {}, false)
  const identity = { user: { S: 'a' }, page: { S: 'p' } }
  await write(sending, planCopies(contextOf(g).layout, [{ type: 'likes', identity }]))
  expect(lost).toBe(1)
  expect(await g.likes.get({ user: 'a', page: 'p' })).toMatchObject({ name: 'Anna' })
})
