import { describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { counter, date, edge, graph, integer, layout, node, open, string, wrap } from '../../src/index.js'
import { itemsOf } from '../../src/layout/items/items.js'
import { assertLayout } from '../../src/layout/proof/layout-proof.js'

const user = node('user', { id: string(), fans: counter() }, { id: 'id' })

describe('fixed defects', () => {
  it('the condition of a deletion applies to a missing row, even when other items share its partition', async () => {
    const likes = edge('likes', { from: user, to: user }, { weight: integer() }, { count: { to: 'fans' } })
    const g = await open(graph('social', [user, likes]), memory())
    const absent = { from: 'a', to: 'b' }
    await expect(g.likes.delete(absent).if(r => r.weight.above(0))).rejects.toMatchObject({ code: 'write.condition' })
    await g.likes.delete(absent).if(r => r.weight.missing())
    await g.likes.delete(absent)
  })

  it('an undefined member of a row counts as absent, even for a derived attribute', async () => {
    const g = await open(graph('social', [user]), memory())
    const row = { id: 'a', fans: undefined }
    await g.user.put(row as { id: string })
    await g.user.create({ ...row, id: 'b' } as { id: string })
    expect(await g.user.many(['a', 'b'])).toEqual(['a', 'b'].map(id => ({ id, fans: 0 })))
    await expect(g.user.put({ ...row, fans: 1 } as { id: string })).rejects.toMatchObject({ code: 'write.derived' })
  })

  it('an undirected edge with aggregates at both ends is deleted by a cascade', async () => {
    const friends = edge('friends', { one: user, other: user }, {}, { undirected: true, count: { one: 'fans' } })
    const g = await open(graph('social', [user, friends]), memory())
    await g.$batch([g.user.create({ id: 'a' }), g.user.create({ id: 'b' })])
    await g.friends.put({ one: 'b', other: 'a' })
    await g.user.delete('b', { edges: 'cascade' })
    expect(await g.user.get('a')).toEqual({ id: 'a', fans: 0 })
  })

  it('an undirected edge of a tenant is returned with the requested order of ends', async () => {
    const friends = edge('friends', { one: user, other: user }, {}, { undirected: true })
    const social = graph('social', [user, friends], { tenant: true })
    const g = (await open(social, memory())).$tenant('acme')
    expect(await g.friends.put({ one: 'b', other: 'a' }).returning('new')).toEqual({ one: 'b', other: 'a' })
  })

  it('a filter on a value that only the key of a mirror contains is rejected', async () => {
    const likes = edge(
      'likes',
      { from: user, to: user },
      { weight: integer() },
      { by: { to: { order: ['weight'], as: 'mirror' } } },
    )
    const g = await open(graph('social', [user, likes]), memory())
    expect(() => g.likes.by.to('x').filter(r => r.weight.above(1))).toThrow(
      expect.objectContaining({ code: 'condition.key' }),
    )
    expect(
      await g.likes.by
        .from('x')
        .filter(r => r.weight.above(1))
        .all(),
    ).toEqual([])
  })

  it('nodes of undirected edges are read from both ends under raw keys on a narrow index', async () => {
    const friends = edge('friends', { one: user, other: user }, {}, { undirected: true, by: { one: { as: 'index' } } })
    const made = layout(graph('social', [user, friends]), {
      raw: true,
      indexes: { GSI1: { keys: ['GSI1PK', 'GSI1SK'], project: ['one', 'other'] } },
      keys: {
        user: { PK: 'U#{id}', SK: 'U' },
        friends: { PK: 'U#{one}', SK: 'F#{other}', GSI1PK: 'U#{other}', GSI1SK: 'F#{one}' },
      },
    })
    const g = await open(made, memory())
    for (const id of ['a', 'b', 'c', 'd']) await g.user.create({ id })
    for (const other of ['a', 'b', 'c', 'd']) await g.friends.put({ one: 'b', other })
    for (const end of ['one', 'other'] as const) {
      expect((await g.friends.by[end]('b').nodes().all()).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
      const joined = await g.friends.by[end]('b').reverse().withNodes().all()
      expect(joined.map(({ node }) => node?.id)).toEqual(['d', 'c', 'b', 'a'])
    }
  })

  it('a filter on a value that one end of an undirected edge lacks is rejected from either end', async () => {
    const fields = { since: integer(), note: string() }
    const by = { one: { order: ['since'] } } as const
    const friends = edge('friends', { one: user, other: user }, fields, { undirected: true, by })
    const indexes = { GSI1: { keys: ['GSI1PK', 'GSI1SK'], project: 'keys' } } as const
    const social = graph('social', [user, friends])
    const g = await open(layout(social, { indexes }), memory())
    await g.friends.put({ one: 'a', other: 'b', since: 1, note: 'x' })
    for (const path of [g.friends.by.one, g.friends.by.other]) {
      expect(() => path('a').filter(r => r.note.is('x'))).toThrow(expect.objectContaining({ code: 'read.filter' }))
      expect(await path('a').only('since').all()).toEqual([{ since: 1 }])
      expect(await path('b').only('since').all()).toEqual([{ since: 1 }])
    }
    const whole = await open(social, memory())
    await whole.friends.put({ one: 'a', other: 'b', since: 1, note: 'x' })
    const { one } = whole.friends.by
    for (const id of ['a', 'b']) {
      expect(() => one(id).filter(r => r.since.is(1))).toThrow(expect.objectContaining({ code: 'condition.key' }))
      const noted = one(id).filter(r => r.note.is('x'))
      expect(await noted.count()).toBe(1)
    }
  })

  it('a deletion continues after its first response was lost, and returns no invented row', async () => {
    const likes = edge('likes', { from: user, to: user }, {}, { onDelete: { from: 'cascade' } })
    let isLosing = false
    const store = wrap(memory(), async (operation, request, options, send) => {
      const answer = await send(request, options)
      if (!isLosing || operation !== 'updateItem') return answer
      isLosing = false
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    })
    const g = await open(graph('social', [user, likes]), store, { create: true })
    await g.user.create({ id: 'a' })
    await g.user.create({ id: 'b' })
    await g.likes.put({ from: 'a', to: 'b' })
    isLosing = true
    await g.user.delete('a')
    expect(await g.likes.by.to('b').all()).toEqual([])
    expect((await store.scan({ TableName: 'social' })).Count).toBe(2)
    const plain = node('plain', { id: string(), n: integer() }, { id: 'id' })
    const p = await open(graph('plains', [plain]), store, { create: true })
    await p.plain.put({ id: 'x', n: 1 })
    isLosing = true
    await expect(p.plain.update('x', { n: 2 }).returning('old')).rejects.toMatchObject({ code: 'store.unknown' })
    expect((await p.plain.get('x'))?.n).toBe(2)
  })
})

describe('a node with at most one edge, whose custom key contains the other end', () => {
  const customer = node('customer', { id: string(), name: string().immutable() }, { id: 'id' })
  const invoice = node('invoice', { id: string() }, { id: 'id' })
  const billedTo = edge(
    'billedTo',
    { invoice, customer },
    {},
    { one: 'invoice', carry: { customerName: 'customer.name' }, by: { customer: { as: 'inverted' } } },
  )
  const billing = layout(graph('billing', [customer, invoice, billedTo]), {
    keys: {
      customer: { PK: 'C#{id}', SK: 'C#{id}' },
      invoice: { PK: 'I#{id}', SK: 'root' },
      billedTo: { PK: 'I#{invoice}', SK: 'C#{customer}' },
    },
    indexes: { GSI_1: { keys: ['SK'] } },
  })

  it('a sentinel keeps the edge the only one', async () => {
    assertLayout(billing)
    const store = memory()
    const g = await open(billing, store)
    await g.$batch([
      g.invoice.put({ id: '506' }),
      g.customer.put({ id: '1', name: 'A' }),
      g.customer.put({ id: '2', name: 'B' }),
    ])
    await g.billedTo.put({ invoice: '506', customer: '1' })
    await g.billedTo.put({ invoice: '506', customer: '1' })
    await expect(g.billedTo.put({ invoice: '506', customer: '2' })).rejects.toMatchObject({ code: 'edge.one' })
    expect(await g.invoice.collect('506', { customer: g.billedTo.by.invoice })).toEqual({
      node: { id: '506' },
      customer: [{ invoice: '506', customer: '1', customerName: 'A' }],
    })
    expect(await g.billedTo.by.customer('2').all()).toEqual([])
    await g.billedTo.delete({ invoice: '506', customer: '1' })
    await g.billedTo.create({ invoice: '506', customer: '2' })
    expect(await g.billedTo.by.customer('2').all()).toHaveLength(1)
    const expected = itemsOf(billing, {
      invoice: [{ id: '506' }],
      customer: [
        { id: '1', name: 'A' },
        { id: '2', name: 'B' },
      ],
      billedTo: [{ invoice: '506', customer: '2' }],
    })
    const { Items = [] } = await store.scan({ TableName: 'billing' })
    const stored = Items.filter(({ PK }) => !PK?.S?.startsWith('$')).map(({ _etag, ...item }) => item)
    expect(stored).toHaveLength(expected.length)
    expect(stored).toEqual(expect.arrayContaining(expected.map(({ item }) => item)))
  })
})

describe('a custom key that lacks the last part of an order', () => {
  const teacher = node('teacher', { id: string() }, { id: 'id' })
  const student = node('student', { id: string(), name: string() }, { id: 'id' })
  const takes = edge(
    'takes',
    { student, teacher },
    { class: string(), subject: string() },
    {
      key: ['class'],
      by: { student: { order: ['teacher', 'class'] }, teacher: { order: ['class', 'student'], as: 'index' } },
    },
  )
  const school = layout(graph('school', [student, teacher, takes]), {
    indexes: { GSI1: { keys: ['GSI1PK', 'GSI1SK'] } },
    keys: {
      student: { PK: 'STUDENT#{id}', SK: 'STUDENT#{id}' },
      takes: {
        PK: 'STUDENT#{student}',
        SK: 'TEACHER#{teacher}#CLASS#{class}',
        GSI1PK: 'TEACHER#{teacher}',
        GSI1SK: 'CLASS#{class}',
      },
    },
  })

  it('the key serves the order as far as its parts go, and pages skip no equal rows', async () => {
    const g = await open(school, memory())
    const ids = Array.from({ length: 12 }, (_, i) => `S${String(i).padStart(2, '0')}`)
    await g.$batch(
      ids.flatMap(id =>
        ['ART', 'MATH'].map(name => g.takes.put({ student: id, teacher: 'SIMON', class: name, subject: 'x' })),
      ),
    )
    expect(await g.takes.by.teacher('SIMON').where({ class: 'MATH' }).count()).toBe(12)
    const found: string[] = []
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await g.takes.by.teacher('SIMON').page({ limit: 5, cursor })
      found.push(...page.items.map(row => `${row.class} ${row.student}`))
      cursor = page.cursor
    }
    expect(new Set(found).size).toBe(24)
    expect(found.map(each => each.split(' ')[0])).toEqual([...Array(12).fill('ART'), ...Array(12).fill('MATH')])
    await expect(g.takes.by.teacher('SIMON').where({ class: 'MATH', student: 'S01' }).all()).rejects.toMatchObject({
      code: 'read.part',
    })
  })
})

it('undirected edges in an order of their own are read up to the limit, from either end', async () => {
  const user = node('user', { id: string() }, { id: 'id' })
  const talk = edge(
    'talk',
    { one: user, other: user },
    { at: date() },
    { undirected: true, by: { one: { order: ['at'] } } },
  )
  const g = await open(graph('talks', [user, talk]), memory())
  const rows = Array.from({ length: 600 }, (_, i) => ({ other: `u${i}`, at: new Date(i * 1000) }))
  await g.$batch(
    rows.map(({ other, at }, i) => g.talk.put(i % 2 ? { one: 'me', other, at } : { one: other, other: 'me', at })),
  )
  const latest = g.talk.by.one('me').reverse()
  const { value, consumed } = await latest.page({ limit: 20 }).run()
  expect(value.items).toEqual(
    rows
      .toReversed()
      .slice(0, 20)
      .map(row => ({ one: 'me', ...row })),
  )
  expect(consumed.read).toEqual({ GSI1: 0.5, table: 0.5 })
  const first = await latest.first().run()
  expect([first.value, first.consumed.total]).toEqual([{ one: 'me', ...rows.at(-1) }, 1])
  expect(await g.talk.by.one('me').all()).toEqual(rows.map(row => ({ one: 'me', ...row })))
})
