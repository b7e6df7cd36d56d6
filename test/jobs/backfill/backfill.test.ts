import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import {
  counter,
  date,
  edge,
  graph,
  integer,
  layout,
  node,
  open,
  remove,
  type Store,
  string,
  wrap,
} from '../../../src/index.js'
import { backfill } from '../../../src/jobs/backfill/backfill.js'
import { deploy } from '../../../src/jobs/deploy/deploy.js'
import { itemsOf } from '../../../src/layout/items/items.js'
import { toCreateTableInput } from '../../../src/table/table-definition.js'

const bare = node('movie', { name: string(), year: integer(), kind: string() }, { id: 'name' })
const actorBefore = node('actor', { name: string().immutable(), born: integer().immutable() }, { id: 'name' })
const roleBefore = edge('role', { movie: bare, actor: actorBefore }, { character: string() })
const before = graph('cinema', [bare, actorBefore, roleBefore])

const movie = node(
  'movie',
  { name: string(), year: integer(), kind: string(), cast: counter() },
  { id: 'name', unique: ['year'], by: { kind: { in: ['kind'], order: ['year'], as: 'item' } } },
)
const actor = node('actor', { name: string().immutable(), born: integer().immutable() }, { id: 'name' })
const role = edge(
  'role',
  { movie, actor },
  { character: string() },
  { carry: { born: 'actor.born' }, count: { movie: 'cast' }, by: { actor: { order: ['character'], as: 'mirror' } } },
)
const after = graph('cinema', [movie, actor, role])

const rows = {
  movie: Array.from({ length: 30 }, (_, i) => ({ name: `M${i}`, year: 1990 + i, kind: i % 2 ? 'fun' : 'sad' })),
  actor: [1, 2, 3].map(i => ({ name: `A${i}`, born: 1950 + i })),
  role: Array.from({ length: 60 }, (_, i) => ({
    movie: `M${i % 30}`,
    actor: `A${1 + ((i + Math.floor(i / 30)) % 3)}`,
    character: `C${i}`,
  })),
}

/** A table with the union of both designs, written under the first layout. */
async function written(): Promise<Store> {
  const store = memory()
  await store.createTable(toCreateTableInput(layout(after).design))
  await store.deleteTable({ TableName: 'cinema' })
  const indexes = [...layout(before).design.indexes, ...layout(after).design.indexes]
  const names = [...new Map(indexes.map(index => [index.name, index])).values()]
  const attributes = { ...layout(before).design.attributes, ...layout(after).design.attributes }
  await store.createTable(toCreateTableInput({ ...layout(after).design, indexes: names, attributes }))
  const g = await open(before, store)
  await g.$batch([
    ...rows.movie.map(row => g.movie.put(row)),
    ...rows.actor.map(row => g.actor.put(row)),
    ...rows.role.map(row => g.role.put(row)),
  ])
  return store
}

async function physical(store: Store) {
  const { Items = [] } = await store.scan({ TableName: 'cinema' })
  return Items.filter(({ PK }) => !PK?.S?.startsWith('$'))
    .map(({ _etag, ...item }) => item)
    .sort((a, b) => (`${a.PK?.S}\n${a.SK?.S}` < `${b.PK?.S}\n${b.SK?.S}` ? -1 : 1))
}

const expected = () =>
  itemsOf(layout(after), rows)
    .map(({ item }) => item)
    .sort((a, b) => (`${a.PK?.S}\n${a.SK?.S}` < `${b.PK?.S}\n${b.SK?.S}` ? -1 : 1))

describe('backfill', () => {
  it('writes a few items concurrently and stops after a failure', async () => {
    const store = await written()
    let underWay = 0
    let most = 0
    let writes = 0
    let failsAt = 40
    const slow = wrap(store, async (operation, request, options, send) => {
      if (operation !== 'transactWriteItems') return send(request, options)
      most = Math.max(most, ++underWay)
      await new Promise(resolve => setTimeout(resolve, 1))
      underWay--
      if (++writes === failsAt) throw new Error('the line is cut')
      return send(request, options)
    })
    await expect(backfill(after, slow, { from: before })).rejects.toThrow('the line is cut')
    expect(underWay).toBe(0)
    const until = writes
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(writes).toBe(until)
    expect(most).toBe(8)

    failsAt = 0
    await backfill(after, slow, { from: before })
    expect(await physical(store)).toEqual(expected())
  })

  it('migrates a table to a layout: facets, sentinels, mirrors, copies and counters', async () => {
    const store = await written()
    await expect(open(after, store)).rejects.toMatchObject({ code: 'layout.drift' })
    const told: number[] = []
    const { read, changed } = await backfill(after, store, { from: before, progress: ({ read }) => told.push(read) })
    expect(read).toBeGreaterThan(90)
    expect(changed).toBeGreaterThan(90)
    expect(told.length).toBeGreaterThan(1)
    expect(await physical(store)).toEqual(expected())
    const g = await open(after, store)
    expect(await g.movie.by.kind({ kind: 'fun' }).count()).toBe(15)
    expect((await g.role.by.actor('A1').consistent().first())?.born).toBe(1951)
  })

  it('resumes after a crash at the stored position', async () => {
    const store = await written()
    let left = 40
    const dying = wrap(store, async (_, request, options, send) => {
      if (left-- <= 0) throw new Error('crashed')
      return send(request, options)
    })
    await expect(backfill(after, dying, { from: before })).rejects.toThrow('crashed')
    left = 75
    await expect(backfill(after, dying, { from: before })).rejects.toThrow('crashed')
    await backfill(after, store, { from: before })
    expect(await physical(store)).toEqual(expected())
  })

  it('loses no concurrent write with the new layout', async () => {
    const store = await written()
    const g = await open(after, store, { drift: 'allow' })
    let turn = 0
    const busy = wrap(store, async (operation, request, options, send) => {
      if (operation === 'transactWriteItems' && turn < 30) {
        await g.movie.update(`M${turn++}`, { kind: 'new' })
      }
      return send(request, options)
    })
    await backfill(after, busy, { from: before })
    const done = await open(after, store)
    expect(await done.movie.by.kind({ kind: 'new' }).count()).toBe(30)
    expect(await done.movie.by.kind({ kind: 'fun' }).count()).toBe(0)
  })
})

describe('a write with the new layout of an item that was read before its migration', () => {
  const attributes = { id: string(), kind: string(), rank: integer().optional(), until: date().optional() }
  const kind = { in: ['kind'], order: ['id'], as: 'item' } as const
  const old = graph('notes', [node('note', attributes, { id: 'id', by: { kind } })])
  const note = node('note', attributes, { id: 'id', expires: 'until', by: { kind, rank: { order: ['rank'] } } })
  const now = graph('notes', [note])
  const given = { id: 'a', kind: 'x', rank: 1, until: new Date(Date.UTC(2100, 0)) }

  it.each([
    ['a put', false],
    ['an update', true],
  ])('leaves no index key and no time to live of a removed value: %s', async (_, isUpdate) => {
    const store = memory()
    const first = await open(old, store)
    await first.note.put(given)
    await deploy(layout(now), store)
    let isSlow = false
    const slow = wrap(store, async (operation, request, options, send) => {
      const answer = await send(request, options)
      if (isSlow && operation === 'getItem') {
        isSlow = false
        await backfill(now, store, { from: old })
      }
      return answer
    })
    const g = await open(now, store, { drift: 'allow' })
    const late = await open(now, slow, { drift: 'allow' })
    isSlow = true
    if (isUpdate) await late.note.update('a', { kind: 'y', rank: remove(), until: remove() })
    else await late.note.put({ id: 'a', kind: 'y' })
    expect(isSlow).toBe(false)
    expect(await g.note.by.rank().all()).toEqual([])
    expect(await g.note.get('a')).toEqual({ id: 'a', kind: 'y' })
    const { Item } = await store.getItem({ TableName: 'notes', Key: g.note.keyOf('a') })
    expect(Object.keys(Item!).sort()).toEqual(['PK', 'SK', '_etag', '_type', 'kind'])
  })
})

describe('backfill after an unfinished one', () => {
  const at = (head: string) =>
    layout(before, {
      keys: { movie: { PK: `${head}#{name}`, SK: 'A' }, role: { PK: `${head}#{movie}`, SK: 'R#{actor}' } },
    })

  function cutting(store: Store): Store {
    let left = 12
    return wrap(store, async (operation, request, options, send) => {
      if (operation === 'transactWriteItems' && left-- <= 0) throw new Error('the line is cut')
      return send(request, options)
    })
  }

  it('a backfill is rejected if an unfinished one moves items', async () => {
    const store = await written()
    const mortal = cutting(store)
    await expect(backfill(at('FILM'), mortal, { from: before })).rejects.toThrow('the line is cut')
    const refused = { code: 'layout.drift', message: expect.stringContaining('finish that backfill') }
    await expect(backfill(at('MOVIE'), store, { from: before })).rejects.toMatchObject(refused)
    await expect(backfill(before, store, { from: at('FILM') })).rejects.toMatchObject(refused)
    await backfill(at('FILM'), store, { from: before })
    await backfill(at('MOVIE'), store, { from: at('FILM') })
    const keys = (await physical(store)).map(({ PK }) => PK!.S!.split('#')[0])
    expect([...new Set(keys)].sort()).toEqual(['MOVIE', 'actor'])
    const g = await open(at('MOVIE'), store)
    expect(await g.role.by.movie('M3').all()).toHaveLength(2)
  })

  it('continues if the unfinished one only adds attributes', async () => {
    const store = await written()
    const mortal = cutting(store)
    const by = { kind: { in: ['kind'], order: ['year'], as: 'item' } } as const
    const other = node('movie', { name: string(), year: integer(), kind: string() }, { id: 'name', by })
    const others = graph('cinema', [other, actor, edge('role', { movie: other, actor }, { character: string() })])
    await expect(backfill(others, mortal)).rejects.toThrow('the line is cut')
    await backfill(after, store)
    expect(await physical(store)).toEqual(expected())
  })
})

describe('backfill with a rejected transaction', () => {
  const attributes = { id: string(), mail: string() }
  const plain = graph('users', [node('user', attributes, { id: 'id' })])
  const unique = graph('users', [node('user', attributes, { id: 'id', unique: ['mail'] })])

  it('rethrows store errors that are not conflicts', async () => {
    const store = memory()
    await (await open(plain, store)).user.put({ id: 'a', mail: 'm' })
    const CancellationReasons = [{ Code: 'TransactionConflict' }]
    const busy = wrap(store, (operation, request, options, send) =>
      operation === 'transactWriteItems'
        ? Promise.reject(
            Object.assign(new Error('busy'), { name: 'TransactionCanceledException', CancellationReasons }),
          )
        : send(request, options),
    )
    const { code } = await backfill(unique, busy, { retry: { attempts: 1 } }).then(
      () => expect.fail('it was done'),
      (error: { code?: string }) => error,
    )
    expect(code).not.toBe('unique.taken')
    await backfill(unique, store)
  })

  it('continues if another node has a unique value only temporarily', async () => {
    const store = memory()
    await (await open(plain, store)).user.put({ id: 'a', mail: 'm' })
    const g = await open(unique, store, { drift: 'allow' })
    let times = 0
    const busy = wrap(store, async (operation, request, options, send) => {
      const isFirst = operation === 'transactWriteItems' && times++ === 0
      if (isFirst) await g.user.create({ id: 'b', mail: 'm' })
      try {
        return await send(request, options)
      } finally {
        if (isFirst) await g.user.delete('b')
      }
    })
    await backfill(unique, busy)
    expect(times).toBe(2)
    expect(await g.user.by.mail('m')).toEqual({ id: 'a', mail: 'm' })
  })
})

describe('backfill of stream-derived data', () => {
  const user = node('user', { id: string(), likes: counter() }, { id: 'id' })
  const page = (by: object) => node('page', { id: string(), likes: counter() }, { id: 'id', by } as never)
  const graphOf = (by: object, order: readonly string[]) => {
    const target = page(by)
    const count = { page: { into: 'likes', by: 'stream' } }
    const options = { count, by: { page: { order, as: 'mirror' } } }
    return graph('liked', [
      user,
      target,
      edge('likes', { user, page: target }, { note: string(), no: integer() }, options as never),
    ])
  }
  const counted = { M: { life: { S: 'l' }, tag: { S: 't' }, of: { M: { likes: { N: '1' } } } } }

  it('keeps counted contributions and ranks nodes by existing and missing counters', async () => {
    const [from, to] = [graphOf({}, ['no', 'user']), graphOf({ best: { order: ['likes'] } }, ['no', 'user'])]
    const store = memory()
    await store.createTable(toCreateTableInput(layout(to).design))
    const g = await open(from, store, { follow: false })
    for (const id of ['p', 'q']) await g.page.put({ id } as never)
    await g.likes.put({ user: 'a', page: 'p', note: 'x', no: 1 } as never)
    const TableName = 'liked'
    const { Items = [] } = await store.scan({ TableName })
    const sides = Items.filter(item => item._type?.S?.startsWith('likes'))
    const set = (Key: object, name: string, value: object) =>
      store.updateItem({
        TableName,
        Key: Key as never,
        UpdateExpression: 'SET #n = :v',
        ExpressionAttributeNames: { '#n': name },
        ExpressionAttributeValues: { ':v': value as never },
      })
    for (const { PK, SK } of sides) await set({ PK, SK }, '_counted', counted)
    await set({ PK: { S: 'page#p' }, SK: { S: '#' } }, 'likes', { N: '1' })
    await backfill(to, store, { from })
    const after = await open(to, store, { follow: false })
    const best = (
      after as unknown as { page: { by: { best: () => { all: () => Promise<unknown[]> } } } }
    ).page.by.best()
    expect(await best.all()).toMatchObject([
      { id: 'q', likes: 0 },
      { id: 'p', likes: 1 },
    ])
    const { PK, SK } = sides.find(item => item._type?.S === 'likes.page')!
    expect((await store.getItem({ TableName, Key: { PK: PK!, SK: SK! } })).Item).toMatchObject({
      _counted: counted,
      note: { S: 'x' },
    })
  })

  it('rewrites a mirror in place without dropping its counted contribution', async () => {
    const [from, to] = [graphOf({}, ['no', 'user']), graphOf({}, ['no', 'user'])]
    const keys = {
      likes: {
        mirror: { PK: 'page#{page}', SK: 'likes.page#{no}#{user}', GSI1PK: 'n#{note}', GSI1SK: '{user}#{page}' },
      },
    }
    const indexed = layout(to, { keys } as never)
    const store = memory()
    await store.createTable(toCreateTableInput(indexed.design))
    const g = await open(from, store, { follow: false })
    await g.page.put({ id: 'p' } as never)
    await g.likes.put({ user: 'a', page: 'p', note: 'x', no: 1 } as never)
    const { Items = [] } = await store.scan({ TableName: 'liked' })
    const { PK, SK } = Items.find(item => item._type?.S === 'likes.page')!
    await store.updateItem({
      TableName: 'liked',
      Key: { PK: PK!, SK: SK! },
      UpdateExpression: 'SET #n = :v',
      ExpressionAttributeNames: { '#n': '_counted' },
      ExpressionAttributeValues: { ':v': counted },
    })
    await backfill(indexed, store, { from })
    expect((await store.getItem({ TableName: 'liked', Key: { PK: PK!, SK: SK! } })).Item).toMatchObject({
      _counted: counted,
      GSI1PK: { S: 'n#x' },
    })
  })
})

describe('a foreign table without type marks', () => {
  const owner = node('owner', { name: string() }, { id: 'name' })
  const dog = node('dog', { name: string(), age: integer() }, { id: 'name', within: owner })
  const likes = edge('likes', { owner, dog })
  const item = (PK: string, SK: string, more: object) => ({ PK: { S: PK }, SK: { S: SK }, ...more })
  const written = [
    item('OWNER#Ann', 'OWNER', { name: { S: 'Ann' } }),
    item('OWNER#Ann', 'DOG#Rex', { owner: { S: 'Ann' }, name: { S: 'Rex' }, age: { N: '3' } }),
    // A foreign application uses the attribute for its own purpose.
    item('OWNER#Ann', 'DOG#', { license: { S: '7' } }),
    item('CONFIG', 'DOG#Rex', { size: { N: '1' } }),
  ]

  it.each([true, false])('has type marks after a backfill, with raw keys: %s', async raw => {
    const store = memory()
    const keys = {
      owner: { PK: 'OWNER#{name}', SK: 'OWNER' },
      dog: { PK: 'OWNER#{owner}', SK: 'DOG#{name}' },
      likes: { PK: 'OWNER#{owner}', SK: 'LIKES#{dog.owner}#{dog.name}' },
    } as const
    const kennel = layout(graph('kennel', [owner, dog, likes]), { raw, keys })
    await store.createTable(toCreateTableInput(kennel.design))
    for (const Item of written) await store.putItem({ TableName: 'kennel', Item })
    const g = await open(kennel, store, { create: false })
    expect(await g.dog.scan().all()).toEqual([])
    expect(await backfill(kennel, store)).toMatchObject({ changed: 2 })
    const rex = { owner: 'Ann', name: 'Rex', age: 3 }
    expect(await g.dog.scan().all()).toEqual([rex])
    expect(await g.owner.scan().all()).toEqual([{ name: 'Ann' }])
    const { Items = [] } = await store.scan({ TableName: 'kennel' })
    for (const untouched of written.slice(2)) expect(Items).toContainEqual(untouched)
  })
})
