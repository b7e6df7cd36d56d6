import { beforeAll, describe, expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { open } from '../../../src/graph/open.js'
import { date } from '../../../src/schema/attributes/date.js'
import { integer } from '../../../src/schema/attributes/integer.js'
import { string } from '../../../src/schema/attributes/string.js'
import { edge } from '../../../src/schema/edge/edge.js'
import { graph } from '../../../src/schema/graph.js'
import { node } from '../../../src/schema/node.js'
import { wrap } from '../../../src/store/wrap.js'
import { openSchool } from '../school.js'

const day = (n: number) => new Date(Date.UTC(2026, 0, n))

async function filled() {
  const g = await openSchool()
  const ids = Array.from({ length: 30 }, (_, i) => `s${String(i).padStart(2, '0')}`)
  await g.$batch(
    ids.map((id, i) =>
      g.student.create({ id, name: `N${i % 7}`, level: i % 10, skills: new Set(['go', `k${i % 3}`]) }),
    ),
  )
  await g.course.create({ id: 'math', title: 'Math' })
  await g.$batch([3, 1, 2].map(no => g.lesson.create({ course: 'math', no, topic: `T${no}` })))
  for (const [i, other] of ids.slice(1, 12).entries()) await g.befriends.put({ one: 's00', other, since: day(i + 1) })
  return g
}

describe('a read by a path', () => {
  let g: Awaited<ReturnType<typeof filled>>
  beforeAll(async () => {
    g = await filled()
  })

  it('values and ranges return rows in order, forwards and backwards, up to the limit', async () => {
    const levels = (rows: { level: number }[]) => rows.map(({ level }) => level)
    expect(
      levels(
        await g.student.by
          .level()
          .where({ level: { from: 8 } })
          .all(),
      ),
    ).toEqual([8, 8, 8, 9, 9, 9])
    expect(levels(await g.student.by.level().where({ level: 4 }).all())).toEqual([4, 4, 4])
    expect(levels(await g.student.by.level().reverse().limit(4).all())).toEqual([9, 9, 9, 8])
    expect(await g.student.by.level().where({ level: 5 }).first()).toMatchObject({ id: 's05' })
    expect(
      await g.student.by
        .level()
        .where({ level: { to: 1 } })
        .count(),
    ).toBe(6)
  })

  it('no call returns more rows than the limit', async () => {
    const few = g.student.by.level().limit(2)
    expect((await few.page({ limit: 5 })).items).toHaveLength(2)
    expect((await few.page({ limit: 1 })).items).toHaveLength(1)
    expect((await few.page()).items).toHaveLength(2)
    expect(await few.all({ max: 2 })).toHaveLength(2)
    await expect(few.all({ max: 1 })).rejects.toMatchObject({ code: 'read.max' })
    const message = 'max: -1 is out of range; give a number from 0.'
    await expect((async () => few.all({ max: -1 }))()).rejects.toMatchObject({ code: 'call.argument', message })
  })

  it('an empty prefix matches everything', async () => {
    const named = node('user', { id: string(), nick: string() }, { id: 'id', by: { nick: { order: ['nick'] } } })
    const h = await open(graph('nicks', [named]), memory())
    for (const id of ['a', 'b']) await h.user.put({ id, nick: `n${id}` })
    const found = (startsWith: string) => h.user.by.nick().where({ nick: { startsWith } }).count()
    expect(await found('\u{10ffff}')).toBe(0)
    expect([await found(''), await found('n'), await found('na')]).toEqual([2, 2, 1])
  })

  it('shards are merged in order under one cursor', async () => {
    const names: string[] = []
    let cursor: string | undefined
    do {
      const page = await g.student.by.skill({ skills: 'go' }).page({ limit: 7, cursor })
      names.push(...page.items.map(({ name }) => name))
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(names).toHaveLength(30)
    expect(names).toEqual([...names].sort())
    expect(
      await g.student.by
        .skill({ skills: 'go' })
        .where({ name: { startsWith: 'N3' } })
        .all(),
    ).toHaveLength(4)
    await expect(
      g.student.by.skill({ skills: 'k1' }).page({ cursor: (await g.student.by.level().page({ limit: 1 })).cursor! }),
    ).rejects.toMatchObject({ code: 'cursor.mismatch' })
  })

  it('a second order of an owner takes the owner', async () => {
    const user = node('user', { id: string() }, { id: 'id' })
    const by = { total: { order: ['total'], as: 'local' } } as const
    const order = node('order', { no: integer(), total: integer() }, { id: 'no', within: user, by })
    const line = node(
      'line',
      { no: integer(), sum: integer() },
      { id: 'no', within: order, by: { sum: { order: ['sum'], as: 'local' } } },
    )
    const shop = await open(graph('shop', [user, order, line]), memory())
    await shop.$batch([3, 1, 2].map(no => shop.order.put({ user: 'ann', no, total: 10 - no })))
    await shop.order.put({ user: 'bob', no: 1, total: 8 })
    await shop.$batch([3, 1].map(no => shop.line.put({ order: { user: 'ann', no: 1 }, no, sum: -no })))
    const totals = await shop.order.by
      .total({ user: 'ann' })
      .where({ total: { from: 8 } })
      .consistent()
      .all()
    expect(totals.map(({ no }) => no)).toEqual([2, 1])
    const sums = await shop.line.by.sum({ order: { user: 'ann', no: 1 } }).all()
    expect(sums.map(({ no }) => no)).toEqual([3, 1])
  })

  it('a path is iterated page by page', async () => {
    const ids: string[] = []
    for await (const { id } of g.student.scan()) ids.push(id)
    expect(new Set(ids).size).toBe(30)
    const some: string[] = []
    for await (const { id } of g.student.by.level().limit(12)) some.push(id)
    expect(some).toHaveLength(12)
  })

  it('iteration reads all pages and stops at the limit', async () => {
    const many = await openSchool()
    const lesson = (no: number) => ({ course: 'long', no, topic: 'x' })
    const numbers = Array.from({ length: 250 }, (_, i) => i + 1)
    await many.$batch(numbers.map(no => many.lesson.put(lesson(no))))
    const found = async (query = many.lesson.by.course('long')) => {
      const rows: number[] = []
      for await (const { no } of query) rows.push(no)
      return rows
    }
    expect(await found()).toEqual(numbers)
    expect(await found(many.lesson.by.course('long').limit(230))).toEqual(numbers.slice(0, 230))
    expect((await many.lesson.by.course('long').limit(230).page()).items).toHaveLength(230)
    expect((await many.lesson.by.course('long').page()).items).toHaveLength(100)
    expect(await found(many.lesson.by.course('long').where({ no: { from: 130 } }))).toEqual(numbers.slice(129))
  })

  it('several where() calls are combined', async () => {
    const named = g.student.by.skill({ skills: 'go' }).where({ name: 'N1' })
    expect((await named.where({ id: 's08' } as never).all()).map(({ id }) => id)).toEqual(['s08'])
    expect((await named.all()).map(({ id }) => id)).toEqual(['s01', 's08', 's15', 's22', 's29'])
    // The last of two ranges would silently replace the first, and return rows that the first excludes.
    const high = g.student.by.level().where({ level: { from: 8 } })
    expect(() => high.where({ level: { to: 9 } })).toThrow(expect.objectContaining({ code: 'call.argument' }))
  })

  it('a filter tests the stored type', async () => {
    const named = (type: string) => g.student.by.level().filter(r => r.name.hasType(type as never))
    expect([await named('S').count(), await named('N').count()]).toEqual([30, 0])
  })

  it('a filter runs after reading, and the explanation states its cost', async () => {
    const query = g.student.by.level().filter(r => r.name.is('N1').and(r.skills.contains('k1')))
    const rows = await query.all()
    expect(rows.map(({ id }) => id)).toEqual(['s01', 's22'])
    expect(query.all().explain().toString()).toMatch(/filter/)
    expect(() => g.student.by.skill({ skills: 'go' }).filter(r => r.level.is(1))).toThrow(
      expect.objectContaining({ code: 'read.filter' }),
    )
    expect(() => g.student.by.level().filter(r => r.id.is('s01'))).toThrow(
      expect.objectContaining({ code: 'condition.key' }),
    )
  })

  it('only() returns the selected members', async () => {
    expect(await g.student.by.level().where({ level: 0 }).limit(1).only('id', 'level').all()).toEqual([
      { id: 's00', level: 0 },
    ])
  })

  it('a read continues after deleted nodes, however many rows follow', async () => {
    const store = memory()
    const person = node('person', { id: string() }, { id: 'id' })
    const knows = edge('knows', { one: person, other: person }, {})
    const made = graph('people', [person, knows])
    const plain = await open(made, store)
    await plain.person.put({ id: 'there' })
    for (const other of ['gone', 'there']) await plain.knows.put({ one: 'a', other })
    // Pages of one edge, repeated.
    const repeating = wrap(store, async (operation, request, options, send) => {
      const { Limit = 1, ...rest } = request as { Limit?: number }
      if (operation !== 'query') return send(request, options)
      const page = (await send({ ...rest, Limit: 1 } as typeof request, options)) as { Items?: unknown[] }
      return { ...page, Items: Array.from({ length: Limit }, () => page.Items![0]) } as never
    })
    const many = await open(made, repeating)
    const most = 130_000
    const rows = await many.knows.by.one('a').limit(most).nodes().all()
    expect([rows.length, new Set(rows.map(({ id }) => id))]).toEqual([most, new Set(['there'])])
  })

  it('count() stops at its limit and reads no further', async () => {
    const friends = () => g.befriends.by.one('s00')
    expect([await friends().count(), await friends().limit(4).count(), await friends().limit(50).count()]).toEqual([
      11, 4, 11,
    ])
    expect(await g.student.by.level().limit(7).count()).toBe(7)
    expect(await g.student.by.level().where({ level: 3 }).limit(7).count()).toBe(3)
    expect(await friends().limit(20_000).count()).toBe(11)
    const few = g.lesson.by.course('math').limit(2).count()
    expect(few.plan().steps).toMatchObject([{ request: { operation: 'query', input: { Limit: 2 } } }])
    expect(await few.run()).toMatchObject({ value: 2, requests: 1, consumed: { total: 0.5 } })
    expect(await g.lesson.by.course('math').limit(1).count()).toBe(1)
    // A count does not look up the nodes at the other end.
    const joined = await friends().limit(3).withNodes().count().run()
    expect([joined.value, joined.requests]).toEqual([3, (await friends().limit(3).all().run()).requests])
    await expect(g.lesson.by.course('math').limit(0).count()).rejects.toMatchObject({ code: 'read.limit' })
  })

  it('all() rejects more rows than its maximum', async () => {
    await expect(g.student.by.level().all({ max: 29 })).rejects.toMatchObject({ code: 'read.max' })
    expect(await g.student.by.level().all({ max: 30 })).toHaveLength(30)
  })

  it('the maximum applies to returned rows and not to the rows read for them', async () => {
    let now = Date.UTC(2026, 0, 1)
    const by = { rank: { order: ['rank'], shards: 4 } } as const
    const user = node('user', { rank: integer(), until: date().optional() }, { id: 'rank', expires: 'until', by })
    const ranks = await open(graph('ranks', [user]), memory(), { clock: () => now })
    const until = new Date(now + 1000)
    for (let rank = 0; rank < 24; rank++) await ranks.user.put({ rank, ...(rank % 2 === 0 && { until }) })
    expect(await ranks.user.by.rank().limit(5).all({ max: 5 })).toHaveLength(5)
    now += 2000
    expect(await ranks.user.by.rank().all({ max: 12 })).toHaveLength(12)
    await expect(ranks.user.by.rank().all({ max: 11 })).rejects.toMatchObject({ code: 'read.max' })
  })

  it('a path is strongly consistent where possible and rejects consistent() with a message otherwise', async () => {
    expect(await g.lesson.by.course('math').consistent().all()).toHaveLength(3)
    await expect(g.student.by.level().consistent().all()).rejects.toMatchObject({
      code: 'read.consistent',
      // A path of a node cannot be a mirror.
      message: "student.by.level: the index 'GSI1' is never strongly consistent; read without consistent().",
    })
  })

  it('a collection has several parts with separate limits, directions and hydration', async () => {
    const { node, lessons } = await g.course.collect('math', {
      lessons: id => g.lesson.by.course(id).reverse().limit(2),
    })
    expect(node?.title).toBe('Math')
    expect(lessons.map(({ no }) => no)).toEqual([3, 2])
    const found = await g.student.collect('s00', {
      friends: id => g.befriends.by.one(id).limit(3).withNodes(),
      courses: g.takes.by.student,
    })
    expect(found.node?.id).toBe('s00')
    expect(found.courses).toEqual([])
    expect(found.friends.map(({ edge, node: friend }) => [edge.other, friend?.name])).toEqual([
      ['s01', 'N1'],
      ['s02', 'N2'],
      ['s03', 'N3'],
    ])
    expect(await g.student.collect('s99', { courses: g.takes.by.student })).toEqual({ node: undefined, courses: [] })
  })

  it('a collection rejects parts of another tenant or another store', async () => {
    const user = node('user', { id: string() }, { id: 'id' })
    const follows = edge('follows', { from: user, to: user })
    const users = graph('users', [user, follows], { tenant: true })
    const tenants = await open(users, memory())
    const [one, other] = [tenants.$tenant('one'), tenants.$tenant('other')]
    await one.follows.put({ from: 'ann', to: 'bob' })
    expect((await one.user.collect('ann', { to: tenants.$tenant('one').follows.by.from })).to).toHaveLength(1)
    const mixed = one.user.collect('ann', { to: other.follows.by.from })
    await expect(mixed).rejects.toMatchObject({ code: 'read.path', details: { name: 'to' } })
    const elsewhere = (await open(users, memory())).$tenant('one')
    const apart = one.user.collect('ann', { to: elsewhere.follows.by.from })
    await expect(apart).rejects.toMatchObject({ code: 'read.path', details: { name: 'to' } })
  })

  it('a consistent collection rejects parts on an index', async () => {
    const person = node('person', { id: string() }, { id: 'id' })
    const knows = edge('knows', { from: person, to: person })
    const likes = edge('likes', { from: person, to: person })
    const h = await open(graph('people', [person, knows, likes]), memory())
    await h.person.put({ id: 'a' })
    await h.knows.put({ from: 'b', to: 'a' })
    const parts = { knows: h.knows.by.to, likes: h.likes.by.to }
    const { value, requests } = await h.person.collect('a', parts).run()
    expect([value.knows, value.likes, requests]).toEqual([[{ from: 'b', to: 'a' }], [], 2])
    const consistent = h.person.collect('a', parts, { consistent: true })
    await expect(consistent).rejects.toMatchObject({ code: 'read.consistent' })
  })

  it('a collection includes owned nodes in another order, under the same owner', async () => {
    const customer = node('customer', { shop: string(), no: integer() }, { id: ['shop', 'no'] })
    const order = node(
      'order',
      { no: string(), total: integer(), state: string() },
      { id: 'no', within: customer, by: { total: { order: ['total'], as: 'local' }, state: { in: ['state'] } } },
    )
    const orders = await open(graph('orders', [customer, order]), memory())
    const ann = { shop: 'x', no: 1 }
    await orders.customer.put(ann)
    for (const [i, total] of [30, 10, 20].entries())
      await orders.order.put({ customer: ann, no: `${i}`, total, state: 'new' })
    await orders.order.put({ customer: { shop: 'x', no: 2 }, no: '0', total: 5, state: 'new' })
    const found = await orders.customer.collect(
      ann,
      { all: orders.order.by.customer, least: customer => orders.order.by.total({ customer }).limit(2) },
      { consistent: true },
    )
    expect(found.node).toEqual(ann)
    expect(found.all.map(({ total }) => total)).toEqual([30, 10, 20])
    expect(found.least.map(({ total }) => total)).toEqual([10, 20])
    const refused = expect.objectContaining({ code: 'call.argument', message: expect.stringContaining('order.by') })
    const bob = { shop: 'x', no: 2 }
    await expect(orders.customer.collect(ann, { x: () => orders.order.by.total({ customer: bob }) })).rejects.toEqual(
      refused,
    )
    await expect(orders.customer.collect(ann, { x: () => orders.order.by.state({ state: 'new' }) })).rejects.toEqual(
      refused,
    )
  })

  it('pages continue after a self-loop, which is found from both ends and returned only the first time', async () => {
    const user = node('user', { id: string() }, { id: 'id' })
    for (const by of [{}, { one: { order: ['since'] } }, { one: { as: 'index' } }] as const) {
      const knows = edge('knows', { one: user, other: user }, { since: date() }, { undirected: true, by })
      const loops = await open(graph('loops', [user, knows]), memory())
      for (const other of ['a', 'b', 'c']) await loops.knows.put({ one: 'a', other, since: day(1) })
      for (const read of [loops.knows.by.one('a'), loops.knows.by.other('a')]) {
        const found: unknown[] = []
        let cursor: string | undefined
        for (let pages = 0; pages < 9; pages++) {
          const page = await read.page({ limit: 1, cursor })
          found.push(...page.items)
          cursor = page.cursor
          if (cursor === undefined) break
        }
        expect(cursor).toBeUndefined()
        expect(found).toHaveLength(3)
        expect(await read.limit(2).all()).toHaveLength(2)
      }
    }
  })
})

describe('the ends of an undirected edge', () => {
  const user = node('user', { id: string() }, { id: 'id' })

  it.each(['mirror', 'index'] as const)('where() applies to the ends from either side, stored as %s', async as => {
    const known = edge(
      'known',
      { one: user, other: user },
      { no: integer() },
      { undirected: true, by: { one: { as } } },
    )
    const met = edge(
      'met',
      { one: user, other: user },
      { no: integer() },
      { undirected: true, by: { one: { order: ['no'], as } } },
    )
    const g = await open(graph('peers', [user, known, met]), memory())
    const ids = ['a', 'b', 'd', 'e']
    for (const [no, other] of ids.entries())
      for (const edges of [g.known, g.met]) await edges.put({ one: 'c', other, no })
    const others = (rows: readonly { one: string; other: string }[]) => rows.map(({ one, other }) => one + other).sort()
    const from = g.known.by.one('c')
    expect(others(await from.where({ other: { from: 'b' } }).all())).toEqual(['cb', 'cd', 'ce'])
    for (const other of ids) expect(others(await from.where({ other }).all())).toEqual([`c${other}`])
    expect(
      others(
        await g.met.by
          .one('c')
          .where({ no: { from: 1, to: 2 } })
          .all(),
      ),
    ).toEqual(['cb', 'cd'])
    for (const [no, other] of ids.entries())
      expect(others(await g.met.by.one('c').where({ no }).all())).toEqual([`c${other}`])
  })
})
