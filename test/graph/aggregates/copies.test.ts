import { expect, it } from 'vitest'
import { memory as following } from '../../../src/embedded.js'
import { memory } from '../../../src/engine/memory.js'
import { contextOf } from '../../../src/graph/open.js'
import { RequestSender } from '../../../src/graph/run/request-sender.js'
import { runWrite } from '../../../src/graph/run/run-write.js'
import { edge, embedded, graph, integer, node, open, string, wrap } from '../../../src/index.js'
import { completeCopies, planCopies } from '../../../src/plan/write/plan-copies.js'

const user = node('user', { id: string(), name: string() }, { id: 'id' })
const page = node('page', { id: string() }, { id: 'id' })
const likes = edge('likes', { user, page }, {}, { carry: { name: { from: 'user.name', sync: 'eventual' } } })

it.each([
  ['after it was done', true],
  ['before', false],
])('copies whose response is lost %s are looked up, and written if they are stale', async (_, isDone) => {
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
  const sending = new RequestSender({ ...contextOf(g), store }, {}, false)
  const identity = { user: { S: 'a' }, page: { S: 'p' } }
  const plan = planCopies(contextOf(g).layout, [{ type: 'likes', identity }])
  await runWrite(sending, plan, { complete: completeCopies })
  expect(lost).toBe(1)
  expect(await g.likes.get({ user: 'a', page: 'p' })).toMatchObject({ name: 'Anna' })
})

it('a plan of copies that is run without its completion fails and writes nothing', async () => {
  const g = await open(graph('liked', [user, page, likes]), memory(), { follow: false })
  await g.user.put({ id: 'a', name: 'Ann' })
  await g.likes.put({ user: 'a', page: 'p' })
  await g.user.put({ id: 'a', name: 'Anna' })
  const plan = planCopies(contextOf(g).layout, [{ type: 'likes', identity: { user: { S: 'a' }, page: { S: 'p' } } }])
  await expect(runWrite(new RequestSender(contextOf(g), {}, false), plan)).rejects.toThrow('without completeCopies()')
  expect(await g.likes.get({ user: 'a', page: 'p' })).toMatchObject({ name: 'Ann' })
})

it('copies in entries of other nodes are updated in as many transactions as necessary', async () => {
  const star = node('star', { id: string(), name: string() }, { id: 'id' })
  const fan = node('fan', { id: string(), stars: embedded({ name: string() }) }, { id: 'id' })
  const carry = { name: { from: 'star.name', sync: 'eventual' } } as const
  const adores = edge('adores', { fan, star }, {}, { carry, embed: { fan: { into: 'stars', max: 3 } } })
  const g = await open(graph('adored', [star, fan, adores]), following())
  await g.star.put({ id: 's', name: 'Tom' })
  const fans = Array.from({ length: 60 }, (_, i) => `f${i}`)
  for (const id of fans) {
    await g.fan.put({ id })
    await g.adores.put({ fan: id, star: 's' })
  }
  await g.star.update('s', { name: 'Thomas' })
  await g.$settled()
  const found = await g.adores.by.star('s').withNodes().all()
  expect(found).toHaveLength(fans.length)
  expect(new Set(found.map(({ edge: { name }, node: each }) => `${name} ${each?.stars.s?.name}`))).toEqual(
    new Set(['Thomas Thomas']),
  )
})

it.each(['keep', 'kept'])('copies outlive their source when they are declared as %s', async word => {
  const carry = { name: { from: 'user.name', sync: 'eventual', deleted: word as 'keep' } } as const
  const rates = edge('rates', { user, page }, { stars: integer() }, { carry })
  const g = await open(graph('rated', [user, page, rates]), following())
  await g.user.put({ id: 'a', name: 'Ann' })
  await g.rates.put({ user: 'a', page: 'p', stars: 3 })
  await g.user.delete('a')
  await g.$settled()
  await g.rates.update({ user: 'a', page: 'p' }, { stars: 4 })
  expect(await g.rates.get({ user: 'a', page: 'p' })).toEqual({ user: 'a', page: 'p', stars: 4, name: 'Ann' })
})
