import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { bigint, counter, edge, embedded, graph, layout, node, number, open, string, wrap } from '../../../src/index.js'
import { backfill, repair, verify } from '../../../src/jobs/index.js'

describe('aggregates of edges in nodes', () => {
  it('aggregates of edges in nodes are reported, repaired and migrated with bigint ids', async () => {
    const tweet = node('tweet', { id: bigint(), answers: counter(), asks: counter() }, { id: 'id' })
    const answer = edge('answer', { to: tweet, from: tweet }, {}, { count: { to: 'answers', from: 'asks' } })
    const made = graph('tweets', [tweet, answer])
    const store = memory()
    const g = await open(made, store)
    for (const id of [5n, 6n]) await g.tweet.put({ id })
    for (const from of [5n, 6n]) await g.answer.put({ to: 5n, from })
    expect((await verify(g)).faults).toEqual({})
    expect((await repair(g)).repaired).toBe(0)
    expect((await backfill(made, store)).changed).toBe(0)
    expect(await g.tweet.get(5n)).toEqual({ id: 5n, answers: 2, asks: 1 })
  })

  it('belong to the node with the key of the end, which may be case-folded', async () => {
    const pupil = node('pupil', { id: string(), name: string() }, { id: 'id' })
    const entries = embedded({ name: string() })
    const course = node('course', { id: string(), size: counter(), pupils: entries }, { id: 'id' })
    const takes = edge(
      'takes',
      { course, pupil },
      {},
      {
        count: { course: 'size' },
        carry: { name: { from: 'pupil.name', sync: 'eventual' } },
        embed: { course: { into: 'pupils', max: 9 } },
      },
    )
    const folded = layout(graph('folded', [pupil, course, takes]), {
      raw: { fold: 'upper' },
      keys: {
        pupil: { PK: 'P#{id}', SK: 'P#{id}' },
        course: { PK: 'C#{id}', SK: 'C#{id}' },
        takes: { PK: 'C#{course}', SK: 'TAKES#{pupil}', mirror: { PK: 'P#{pupil}', SK: 'TAKES#{course}' } },
      },
    })
    const g = await open(folded, memory(), { follow: false })
    await g.pupil.put({ id: 'Ann', name: 'Ann' })
    await g.course.put({ id: 'Go' })
    await g.takes.put({ course: 'GO', pupil: 'ann' })
    expect((await verify(g)).faults).toEqual({})
    expect((await repair(g)).repaired).toBe(0)
    expect(await g.course.get('go')).toMatchObject({ size: 1, pupils: { ann: { name: 'Ann' } } })
  })

  it('aggregates are reported and not repaired if a sum exceeds 38 digits', async () => {
    const course = node('course', { id: string(), n: counter(), hours: counter() }, { id: 'id' })
    const kept = {
      count: { course: { into: 'n', by: 'stream' } },
      sum: { course: { into: 'hours', of: 'hours', by: 'stream' } },
    } as const
    const next = edge('next', { course, other: course }, { hours: number() }, kept)
    const g = await open(graph('endless', [course, next]), memory(), { follow: false })
    for (const id of ['a', 'b']) await g.course.put({ id })
    await g.next.put({ course: 'a', other: 'a', hours: 1e100 })
    await g.next.put({ course: 'a', other: 'b', hours: 1 })
    const found: unknown[] = []
    await repair(g, { onFault: ({ name, row, repaired }) => found.push([name, row.id, repaired]) })
    expect(found).toEqual([
      ['n', 'a', false],
      ['hours', 'a', false],
    ])
    await g.next.delete({ course: 'a', other: 'a' })
    await repair(g)
    expect(await g.course.get('a')).toEqual({ id: 'a', n: 1, hours: 1 })
  })

  it('aggregates are correct if the store writes numbers with trailing zeros', async () => {
    const pupil = node('pupil', { id: string(), courses: counter(), hours: counter() }, { id: 'id' })
    const course = node('course', { id: string() }, { id: 'id' })
    const kept = { count: { pupil: 'courses' }, sum: { pupil: { into: 'hours', of: 'hours' } } } as const
    const made = graph('school', [pupil, course, edge('takes', { course, pupil }, { hours: number() }, kept)])
    const store = wrap(memory(), async (_, request, options, send) =>
      JSON.parse(JSON.stringify(await send(request, options)).replace(/"N":"-?\d+/g, '$&.0')),
    )
    const g = await open(made, store, { create: true })
    for (const id of ['a', 'b']) await g.pupil.put({ id })
    for (const id of ['c', 'd']) await g.course.put({ id })
    for (const [id, hours] of [
      ['c', 3],
      ['d', -3],
    ] as const)
      await g.takes.put({ course: id, pupil: 'a', hours })
    expect((await verify(g)).faults).toEqual({})
    expect((await backfill(made, store)).changed).toBe(0)
  })

  describe('recounting with concurrent writers', () => {
    const user = node('user', { id: string(), friends: counter() }, { id: 'id' })
    const ends = { one: user, other: user }
    const bare = graph('users', [user, edge('friend', ends)])
    const counted = graph('users', [user, edge('friend', ends, {}, { count: { one: 'friends' } })])

    /** A person with three friends, and a store in which a concurrent write runs before a request. */
    async function setUp(meanwhile: (operation: string, g: { friend: Friend }) => Promise<void>) {
      const store = memory()
      const before = await open(bare, store)
      await before.user.put({ id: 'ann' })
      for (const other of ['x', 'y', 'z']) await before.friend.put({ one: 'ann', other })
      const g = await open(counted, store, { drift: 'allow' })
      const busy = wrap(store, async (operation, request, options, send) => {
        if ('Key' in request && request.Key?.PK?.S === '$edgewise') return send(request, options)
        await meanwhile(operation, g)
        return send(request, options)
      })
      return { g, busy }
    }

    interface Friend {
      put(row: { one: string; other: string }): PromiseLike<void>
      delete(row: { one: string; other: string }): PromiseLike<void>
    }

    it('repeats until no writer interferes', async () => {
      let left = 3
      const { g, busy } = await setUp(async (operation, { friend }) => {
        if (operation === 'updateItem' && left > 0) await friend.put({ one: 'ann', other: `${left--}` })
      })
      expect((await backfill(counted, busy)).changed).toBe(1)
      expect(await g.user.get('ann')).toEqual({ id: 'ann', friends: 6 })
    })

    it('a recount is rejected if writers always interfere', async () => {
      let turn = 0
      const { busy } = await setUp(async (operation, { friend }) => {
        if (operation === 'updateItem') await friend.put({ one: 'ann', other: `${turn++}` })
      })
      await expect(backfill(counted, busy)).rejects.toMatchObject({ code: 'write.contended' })
    })

    it('ignores an edge that existed only during the read', async () => {
      let turn = 0
      const { g, busy } = await setUp(async (operation, { friend }) => {
        const row = { one: 'ann', other: 'w' }
        if (operation === 'query' && turn++ === 0) await friend.put(row)
        else if (operation !== 'query' && turn === 1) await friend.delete(row)
      })
      await backfill(counted, busy)
      expect(await g.user.get('ann')).toEqual({ id: 'ann', friends: 3 })
    })

    it('a recount is correct if the last edge is deleted after the read of the node', async () => {
      const { g, busy } = await setUp(async () => {})
      let scans = 0
      const late = wrap(busy, async (operation, request, options, send) => {
        const answer = await send(request, options)
        if (operation === 'scan' && ++scans === 2)
          for (const other of ['x', 'y', 'z']) await g.friend.delete({ one: 'ann', other })
        return answer
      })
      await backfill(counted, late)
      expect(await g.user.get('ann')).toEqual({ id: 'ann', friends: 0 })
    })

    it('does not change a counter for edges that appear and disappear', async () => {
      const store = memory()
      const g = await open(counted, store)
      await g.user.put({ id: 'ann' })
      for (const other of ['x', 'y', 'z']) await g.friend.put({ one: 'ann', other })
      let looks = 0
      const busy = wrap(store, async (operation, request, options, send) => {
        const isMissed = operation === 'query' && looks++ < 3
        if (isMissed) await g.friend.delete({ one: 'ann', other: 'x' })
        const answer = await send(request, options)
        if (isMissed) await g.friend.put({ one: 'ann', other: 'x' })
        return answer
      })
      await repair(await open(counted, busy))
      expect(looks).toBeGreaterThan(3)
      expect(await g.user.get('ann')).toEqual({ id: 'ann', friends: 3 })
    })
  })
})

describe('a node that would exceed the item size with the entries of its edges', () => {
  const thing = node('thing', { id: string() }, { id: 'id' })
  const attributes = { id: string(), text: string(), size: counter(), things: embedded({ note: string() }) }
  const box = node('box', attributes, { id: 'id' })
  const noted = { note: string() }
  const plain = edge('holds', { box, thing }, noted)
  const kept = edge('holds', { box, thing }, noted, {
    count: { box: 'size' },
    embed: { box: { into: 'things', max: 9 } },
  })
  const store = memory()
  const after = graph('boxes', [thing, box, kept])

  it('does not stop the repair of others, and is named if it stops a backfill', async () => {
    const g = await open(graph('boxes', [thing, box, plain]), store)
    for (const id of ['a', 'full', 'z']) {
      await g.box.put({ id, text: id === 'full' ? 'x'.repeat(400 * 1024 - 150) : '' })
      await g.holds.put({ box: id, thing: 't', note: 'n'.repeat(200) })
    }
    const named = { code: 'write.size', message: expect.stringMatching(/^item 'box#full #': this item has no room/) }
    await expect(backfill(after, store)).rejects.toMatchObject(named)
    const h = await open(after, store, { drift: 'allow' })
    const told: unknown[] = []
    await repair(h, { onFault: ({ row, name, repaired }) => told.push([row.id, name, repaired]) })
    expect(told).toContainEqual(['full', 'things', false])
    for (const id of ['a', 'z']) expect(await h.box.get(id)).toMatchObject({ size: 1, things: { t: {} } })
  })
})
