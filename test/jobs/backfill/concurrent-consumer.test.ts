import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, integer, layout as layoutOf, node, open, string, wrap } from '../../../src/index.js'
import { backfill, deploy, verify } from '../../../src/jobs/index.js'
import type { Layout } from '../../../src/layout/layout.js'
import { settling } from './crashing-backfill.js'

const room = node('room', { id: string() }, { id: 'id' })
const made = (options: object, from = 'user.rank') => {
  const by = { room: { as: 'mirror' } }
  const carry = { rank: { from, sync: 'eventual' } }
  const user = node('user', { id: string(), rank: integer(), name: string() }, { id: 'id', ...options })
  return graph('users', [user, room, edge('inside', { user, room }, {}, { by, carry } as never)])
}

it('a copy that the consumer writes between the read and the migration of an edge remains on its mirror', async () => {
  const [before, after] = [made({}), made({ by: { name: { order: ['name'] } } })]
  const settled = layoutOf(after) as Layout
  const store = memory()
  const g = await open(before, store, { follow: false })
  await g.user.put({ id: 'u', rank: 1, name: 'U' })
  await g.room.put({ id: 'r' })
  await g.inside.put({ user: 'u', room: 'r' })
  await deploy(after, store)
  const settle = await settling(store)
  await settle(settled)
  const h = await open(after, store, { follow: false, drift: 'allow' })
  let isMet = false
  const slow = wrap(store, async (operation, request, options, send) => {
    const answer = await send(request, options)
    if (operation === 'scan' && !isMet) {
      isMet = true
      await h.user.put({ id: 'u', rank: 2, name: 'U' })
      await settle(settled)
    }
    return answer
  })
  await backfill(after, slow)
  await settle(settled)
  for (const read of [h.inside.by.user('u'), h.inside.by.room('r')])
    expect(await read.consistent().all()).toEqual([{ user: 'u', room: 'r', rank: 2 }])
  expect((await verify(h)).faults).toEqual({})
})

it('a busy store is retried as configured, also by the final repair', async () => {
  const [before, after] = [made({}), made({}, 'user.name')]
  const retry = { attempts: 3, clock: { now: () => 0, sleep: async () => {} } }
  const tries: number[] = []
  for (let free = 0; tries.at(-1) !== 0; free++) {
    const store = memory()
    await (await open(before, store, { follow: false })).user.put({ id: 'u', rank: 1, name: 'U' })
    await deploy(after, store)
    let scans = 0
    const busy = wrap(store, (operation, request, options, send) => {
      if (operation !== 'scan' || ++scans <= free) return send(request, options)
      throw Object.assign(new Error('too much'), { name: 'ThrottlingException' })
    })
    const isDone = await backfill(after, busy, { from: before, retry }).then(
      () => true,
      () => false,
    )
    tries.push(isDone ? 0 : scans - free)
  }
  expect(tries.length).toBeGreaterThan(3)
  expect(new Set(tries)).toEqual(new Set([3, 0]))
})

it('a source that was written under its new stored name is copied, although consumers with the old layout missed it', async () => {
  const made = (stored: string) => {
    const user = node('user', { id: string(), name: string().stored(stored) }, { id: 'id' })
    const carry = { name: { from: 'user.name', sync: 'eventual' } } as const
    return graph('users', [user, room, edge('inside', { user, room }, {}, { carry })])
  }
  const [before, after] = [made('name'), made('title')]
  const store = memory()
  const g = await open(before, store, { follow: false })
  await g.user.put({ id: 'u', name: 'Old' })
  await g.room.put({ id: 'r' })
  await deploy(after, store)
  const settle = await settling(store)
  await g.inside.put({ user: 'u', room: 'r' })
  await settle(layoutOf(before) as Layout)
  await (await open(after, store, { follow: false, drift: 'allow' })).user.update('u', { name: 'New' })
  await settle(layoutOf(before) as Layout)
  await backfill(after, store, { from: before })
  const h = await open(after, store, { follow: false })
  expect(await h.inside.get({ user: 'u', room: 'r' })).toMatchObject({ name: 'New' })
  expect((await verify(h)).faults).toEqual({})
})
