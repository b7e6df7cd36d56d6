import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { add, edge, embedded, graph, include, integer, node, open, set, string, wrap } from '../../../src/index.js'
import { VirtualClock } from '../../store/scripted-store.js'

const shelf = node(
  'shelf',
  { id: string(), left: integer({ min: 0, max: 1000 }), tags: set(string()).optional() },
  { id: 'id', by: { tag: { in: ['tags'], as: 'item' } } },
)

describe('concurrent writes of one node that read it first', () => {
  it('conflicting writes wait for different delays, so that all are applied', async () => {
    const g = await open(graph('shop', [shelf]), memory())
    await g.shelf.put({ id: 'a', left: 500 })
    const ends = await Promise.allSettled([
      ...Array.from({ length: 60 }, () => g.shelf.update('a', { left: add(-1) })),
      ...Array.from({ length: 20 }, (_, i) => g.shelf.update('a', { tags: include(`t${i}`) })),
    ])
    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(await g.shelf.get('a')).toMatchObject({ left: 440, tags: { size: 20 } })
    expect(await g.shelf.by.tag({ tags: 't7' }).count()).toBe(1)
  })

  it.each([
    [undefined, 10],
    [3, 10],
    [25, 25],
  ])(
    'conflicting writes are retried as often as configured, and at least ten times: %s, %s',
    async (attempts, tries) => {
      const store = memory()
      const other = await open(graph('shop', [shelf]), store)
      await other.shelf.put({ id: 'a', left: 5 })
      let reads = 0
      const busy = wrap(store, async (operation, request, options, send) => {
        const answer = await send(request, options)
        if (isBusy && operation === 'getItem') await other.shelf.put({ id: 'a', left: ++reads })
        return answer
      })
      let isBusy = false
      const clock = new VirtualClock()
      const g = await open(graph('shop', [shelf]), busy, { create: true, retry: { attempts, clock } })
      isBusy = true
      await expect(g.shelf.update('a', { left: add(1) })).rejects.toMatchObject({ code: 'write.contended' })
      expect([reads, clock.delays.length]).toEqual([tries, tries - 1])
    },
  )

  it('conflicting writes wait no longer than the deadline', async () => {
    const slow = { baseDelayMs: 1e6, maxDelayMs: 1e6, random: () => 1 }
    const g = await open(graph('shop', [shelf]), memory(), { retry: slow })
    await g.shelf.put({ id: 'a', left: 5 })
    const calls = [1, 2, 3].map(n => g.shelf.update('a', { left: add(n) }).run({ deadlineMs: 20 }))
    const ends = await Promise.allSettled(calls)
    const codes = ends.map(end => (end.status === 'rejected' ? end.reason.code : 'done'))
    expect(codes.toSorted()).toEqual(['call.deadline', 'call.deadline', 'done'])
  })
})

it('a node that meets its condition is written with its edges, also while another edge is added concurrently', async () => {
  const pupil = node('pupil', { id: string() }, { id: 'id' })
  const course = node('course', { id: string(), room: integer(), list: embedded({ mark: integer() }) }, { id: 'id' })
  const embed = { course: { into: 'list', max: 2 } } as const
  const school = graph('school', [pupil, course, edge('takes', { pupil, course }, { mark: integer() }, { embed })])
  const store = memory()
  const other = await open(school, store)
  await other.course.put({ id: 'c', room: 1 })
  let isFirst = true
  const g = await open(
    school,
    wrap(store, async (operation, request, options, send) => {
      if (operation === 'transactWriteItems' && isFirst) {
        isFirst = false
        await other.takes.put({ pupil: 'ann', course: 'c', mark: 1 })
      }
      return send(request, options)
    }),
  )
  const enter = (id: string) =>
    g.$transact([
      g.course.update('c', { room: 2 }).if(row => row.room.atMost(2)),
      g.takes.put({ pupil: id, course: 'c', mark: 3 }),
    ])
  await enter('bob')
  expect(await g.course.get('c')).toEqual({ id: 'c', room: 2, list: { ann: { mark: 1 }, bob: { mark: 3 } } })
  await expect(enter('cid')).rejects.toMatchObject({ code: 'edge.embed.full' })
})
