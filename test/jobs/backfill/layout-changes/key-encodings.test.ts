import { describe, expect, it } from 'vitest'
import { memory } from '../../../../src/embedded.js'
import { counter, date, edge, graph, integer, layout, node, open, string } from '../../../../src/index.js'
import { backfill, deploy, verify } from '../../../../src/jobs/index.js'
import type { StandardSchema } from '../../../../src/schema/standard-schema.js'

describe('keys with another encoding', () => {
  const user = node('user', { id: string(), name: string() }, { id: 'id' })
  const book = node('book', { no: integer() }, { id: 'no' })
  const library = graph('library', [user, book, edge('reads', { user, book }, { pages: integer() })])
  const keys = { user: { PK: 'USER#{id}', SK: 'META' } } as const
  const encoded = layout(library)
  const raw = layout(library, { raw: { separator: '|' } })
  const given = layout(library, { raw: true, keys })

  it.each([
    ['encoded keys, which become raw', encoded, raw],
    ['raw keys, which become encoded', raw, encoded],
    ['encoded keys, which become raw and given', encoded, given],
    ['raw and given keys, which become encoded', given, encoded],
  ])('%s, are migrated with numbers in them', async (_, from, to) => {
    const store = memory()
    const g = await open(from, store)
    await g.user.put({ id: 'a', name: 'Ann' })
    await g.book.put({ no: 5 })
    await g.reads.put({ user: 'a', book: 5, pages: 1 })
    await deploy(to, store)
    await backfill(to, store, { from })
    const h = await open(to, store)
    expect(await h.user.get('a')).toEqual({ id: 'a', name: 'Ann' })
    expect(await h.book.get(5)).toEqual({ no: 5 })
    expect(await h.reads.by.book(5).all()).toEqual([{ user: 'a', book: 5, pages: 1 }])
    expect((await verify(h)).faults).toEqual({})
  })
})

it('the error of an item that cannot be migrated contains its numeric key', async () => {
  const made = (info: StandardSchema, options: object) => {
    const movie = node('movie', { year: integer(), title: string(), info }, {
      id: ['year', 'title'],
      ...options,
    } as never)
    return layout(
      graph('movies', [movie]) as never,
      {
        raw: true,
        table: { keys: ['year', 'title'] },
        keys: { movie: { year: '{year}', title: '{title}' } },
      } as never,
    )
  }
  const before = made(string(), {})
  const after = made(integer(), { by: { info: { order: ['info'] } } })
  const store = memory()
  const g = (await open(before, store)) as never as { movie: { put(row: object): PromiseLike<void> } }
  await g.movie.put({ year: 1995, title: 'Toy Story', info: 'long' })
  await deploy(after, store)
  await expect(backfill(after, store, { from: before })).rejects.toMatchObject({
    message: expect.stringContaining("item '1995 Toy Story': this item cannot be migrated"),
  })
})

describe('with another type attribute', () => {
  const another = { type: 'T' } as const

  it('undirected edges in another order are read once', async () => {
    const user = node('user', { id: string() }, { id: 'id' })
    const friends = (options: object) =>
      graph('friendly', [
        user,
        edge('friends', { one: user, other: user }, { since: date() }, { undirected: true, ...options }),
      ])
    const from = layout(friends({}))
    const to = layout(friends({ by: { one: { order: ['since'] } } }), another)
    const store = memory()
    const g = await open(from, store)
    for (const id of 'abcdefgh') await g.user.put({ id })
    const pairs = [...'abcdefgh'].flatMap((one, i, all) => all.slice(i + 1).map(other => ({ one, other })))
    for (const [i, pair] of pairs.entries())
      await g.friends.put({ ...pair, since: new Date(1000 * (pairs.length - i)) })
    await deploy(to, store)
    await backfill(to, store, { from })
    const h = await open(to, store)
    for (const id of 'abcdefgh') expect(await h.friends.by.one(id).all()).toHaveLength(7)
    expect((await verify(h)).faults).toEqual({})
  })

  it.each([true, false])('contributions of deleted edges are known (counted: %s)', async follow => {
    const user = node('user', { id: string(), likes: counter() }, { id: 'id' })
    const likes = edge('likes', { who: user, whom: user }, {}, { count: { whom: { into: 'likes', by: 'stream' } } })
    const [from, to] = [layout(graph('liked', [user, likes])), layout(graph('liked', [user, likes]), another)]
    const store = memory()
    const g = await open(from, store)
    for (const id of ['x', 'y', 'z']) await g.user.put({ id })
    for (const who of ['x', 'z']) await g.likes.put({ who, whom: 'y' })
    await g.$settled()
    await g.$close()
    const w = await open(from, store, { follow })
    await w.likes.delete({ who: 'x', whom: 'y' })
    if (follow) await w.$settled()
    await w.$close()
    await deploy(to, store)
    await backfill(to, store, { from })
    const h = await open(to, store)
    await h.$settled()
    expect(await h.user.get('y')).toMatchObject({ likes: 1 })
    expect((await verify(h)).faults).toEqual({})
    await h.$close()
  })
})

it('the error of an oversized item contains its key', async () => {
  const attributes = { id: string(), kind: string(), text: string() }
  const page = node('page', attributes, { id: 'id' })
  const found = node('page', attributes, { id: 'id', by: { kind: { in: ['kind'] } } })
  const store = memory()
  const g = await open(graph('pages', [page]), store)
  for (const id of ['a', 'full', 'z']) {
    const text = id === 'full' ? 'x'.repeat(400 * 1024 - 70) : ''
    await g.page.put({ id, kind: 'k', text })
  }
  const after = graph('pages', [found])
  const named = {
    code: 'write.size',
    message: expect.stringMatching(/^item 'page#full #': this item or one of its side items .*make it smaller\.$/),
  }
  await deploy(after, store)
  await expect(backfill(after, store)).rejects.toMatchObject(named)
  await g.page.update('full', { text: '' })
  expect(await backfill(after, store)).toMatchObject({ changed: 1 })
})
