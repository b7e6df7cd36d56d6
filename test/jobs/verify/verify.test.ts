import { beforeEach, describe, expect, it } from 'vitest'
import { consumer } from '../../../src/derive/settle/consumer.js'
import type { Item } from '../../../src/dynamodb/index.js'
import { memory } from '../../../src/engine/index.js'
import { counter, edge, embedded, graph, integer, node, open, set, string, wrap } from '../../../src/index.js'
import { type FAULTS, repair, verify } from '../../../src/jobs/index.js'
import { faultOf, itemsIn } from '../../derive/simulator/check-table.js'
import { Tap } from '../../derive/simulator/stream.js'

const pupil = node(
  'pupil',
  { id: string(), name: string(), email: string(), skills: set(string()).optional(), courses: counter() },
  {
    id: 'id',
    unique: ['email'],
    by: { skill: { in: ['skills'], as: 'item' } },
  },
)
const course = node(
  'course',
  {
    id: string(),
    title: string(),
    size: counter(),
    credits: counter(),
    seats: counter(),
    list: embedded({ name: string() }),
  },
  { id: 'id', by: { title: { in: ['title'] } } },
)
const takes = edge(
  'takes',
  { course, pupil },
  { credits: integer() },
  {
    carry: { name: { from: 'pupil.name', sync: 'eventual' } },
    count: { course: { into: 'size', by: 'stream' }, pupil: { into: 'courses', by: 'stream' } },
    sum: { course: { into: 'credits', of: 'credits', by: 'stream' } },
  },
)
const sits = edge(
  'sits',
  { course, pupil },
  { seat: integer() },
  {
    count: { course: 'seats' },
    by: { pupil: { as: 'mirror', order: ['seat'] } },
  },
)
const lists = edge('lists', { course, pupil }, { name: string() }, { embed: { course: { into: 'list', max: 9 } } })
const school = graph('school', [pupil, course, takes, sits, lists])

async function setUp() {
  const store = memory()
  const g = await open(school, store, { follow: false })
  for (const id of ['ann', 'bob']) await g.pupil.create({ id, name: id, email: `${id}@x`, skills: new Set(['go']) })
  await g.course.create({ id: 'c', title: 'Maths' })
  for (const who of ['ann', 'bob']) {
    await g.takes.put({ course: 'c', pupil: who, credits: 3 })
    await g.sits.put({ course: 'c', pupil: who, seat: 1 })
    await g.lists.put({ course: 'c', pupil: who, name: who })
  }
  const { Table } = await store.describeTable({ TableName: 'school' })
  const tap = new Tap(store, Table!.LatestStreamArn!)
  const derive = consumer(school, store)
  const catchUp = async () => {
    for (let records = await tap.poll(); records.length > 0; records = await tap.poll())
      expect((await derive.handle(records)).failures).toEqual([])
  }
  await catchUp()
  const faults = async () => (await verify(g)).faults
  const at = async (PK: string, SK: string) => (await store.getItem({ TableName: 'school', Key: key(PK, SK) })).Item
  const put = (Item: Item) => store.putItem({ TableName: 'school', Item })
  const drop = (PK: string, SK: string) => store.deleteItem({ TableName: 'school', Key: key(PK, SK) })
  const change = async (PK: string, SK: string, patch: Item) => put({ ...(await at(PK, SK)), ...patch })
  const unnote = async (PK: string, SK: string) => {
    const { _counted, ...rest } = (await at(PK, SK))!
    await put(rest)
  }
  return { store, g, catchUp, faults, at, put, drop, change, unnote }
}

const key = (PK: string, SK: string) => ({ PK: { S: PK }, SK: { S: SK } })

describe('verify and repair', () => {
  let t: Awaited<ReturnType<typeof setUp>>
  beforeEach(async () => {
    t = await setUp()
  })

  const isWhole = async () => expect(faultOf(t.g.$layout as never, await itemsIn(t.store, 'school'))).toBeUndefined()

  it('find no faults in a correct table', async () => {
    const { read, faults } = await verify(t.g)
    expect(faults).toEqual({})
    expect(read).toBeGreaterThan(15)
  })

  it.each<[keyof typeof FAULTS, (t: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>]>([
    ['copy.stale', ({ change }) => change('course#c', 'takes#ann', { name: { S: 'Zed' } })],
    ['counter.behind', async ({ g }) => g.takes.put({ course: 'c', pupil: 'ann', credits: 5 })],
    ['counter.drift', ({ change }) => change('course#c', '#', { size: { N: '7' } })],
    ['counter.drift', ({ change }) => change('course#c', '#', { seats: { N: '7' } })],
    ['counter.unnoted', ({ change }) => change('course#c', '#', { _life: { S: 'another' } })],
    ['counter.unnoted', ({ change }) => change('course#c', '#', { _life: { NULL: true } })],
    ['counter.unnoted', ({ unnote }) => unnote('course#c', 'takes#ann')],
    ['mark.missing', ({ change }) => change('course#c', '#', { _type: { N: '5' } })],
    ['mark.missing', ({ change }) => change('course#c', 'takes#ann', { _type: { NULL: true } })],
    ['entry.drift', ({ change }) => change('course#c', '#', { list: { M: {} } })],
    ['facet.missing', ({ drop }) => drop('pupil#ann', 'pupil.skill#go')],
    ['index.stale', ({ change }) => change('course#c', '#', { GSI1PK: { S: 'course.title#Other' } })],
    ['index.stale', ({ change }) => change('course#c', '#', { _expires: { N: '1000' } })],
    ['index.stale', ({ change }) => change('course#c', 'takes#ann', { _expires: { N: '1000' } })],
    ['mirror.missing', ({ drop }) => drop('pupil#ann', 'sits.pupil#a1#c')],
    ['mirror.missing', ({ drop }) => drop('pupil#ann', 'takes.pupil#c')],
    ['mirror.orphan', ({ drop }) => drop('course#c', 'takes#ann')],
    ['sentinel.missing', ({ drop }) => drop('pupil.email#ann@x', '#')],
  ])('%s is found and repaired', async (code, damage) => {
    await damage(t)
    expect(Object.keys(await t.faults())).toContain(code)
    const { faults, repaired } = await repair(t.g)
    expect(Object.keys(faults)).toContain(code)
    expect(repaired).toBeGreaterThan(0)
    expect(await t.faults()).toEqual({})
    await t.catchUp()
    expect(await t.faults()).toEqual({})
    await isWhole()
  })

  it('find and repair facets of several values of one node', async () => {
    await t.g.pupil.update('ann', { skills: new Set(['go', 'java', 'sql']) })
    for (const skill of ['go', 'java', 'sql']) await t.drop('pupil#ann', `pupil.skill#${skill}`)
    expect(await t.faults()).toEqual({ 'facet.missing': 3 })
    expect((await repair(t.g)).repaired).toBe(3)
    expect(await t.faults()).toEqual({})
    await isWhole()
  })

  it('find and delete a facet and a sentinel without an owner', async () => {
    await t.put({
      ...key('pupil#eve', 'pupil.skill#go'),
      GSI1PK: { S: 'pupil.skill#go' },
      GSI1SK: { S: 'eve' },
      _type: { S: 'pupil.skill' },
    })
    await t.put({ ...key('pupil.email#eve@x', '#'), id: { S: 'eve' }, _type: { S: 'pupil.email' } })
    expect(await t.faults()).toEqual({ 'facet.orphan': 1, 'sentinel.orphan': 1 })
    expect((await repair(t.g)).repaired).toBe(2)
    expect(await t.faults()).toEqual({})
  })

  it('find and spend an unspent tombstone', async () => {
    await t.g.takes.delete({ course: 'c', pupil: 'ann' })
    expect((await t.faults())['tombstone.unspent']).toBe(2)
    await repair(t.g)
    expect(await t.faults()).toEqual({})
    expect((await t.g.course.get('c'))?.size).toBe(1)
  })

  it('report and leave faults that a person must decide', async () => {
    await t.g.pupil.delete('bob')
    await t.put({ ...key('who', 'knows'), _type: { S: 'nobody' } })
    const found: string[] = []
    const { faults, repaired } = await repair(t.g, {
      onFault: ({ code, repaired: done }) => found.push(`${code} ${done}`),
    })
    expect(faults).toEqual({ 'edge.dangling': 3, 'item.unknown': 1 })
    expect(repaired).toBe(0)
    expect(new Set(found)).toEqual(new Set(['edge.dangling false', 'item.unknown false']))
  })

  it.each([
    ['a node', 'pupil#ann', '#', { name: { N: '1' }, email: { N: '1' } }],
    ['an edge that the stream counts', 'course#c', 'takes#ann', { credits: { S: 'three' } }],
    ['an edge that writers count', 'course#c', 'sits#ann', { seat: { S: 'one' } }],
  ] as const)('report %s that cannot be read and inspect the others', async (_, partition, sort, values) => {
    await t.change('pupil#bob', '#', { email: { S: 'other@x' } })
    const others = { 'sentinel.missing': 1, 'sentinel.orphan': 1 }
    expect(await t.faults()).toEqual(others)
    await t.change(partition, sort, values)
    expect(await t.faults()).toMatchObject({ ...others, 'item.unreadable': 1 })
    const found: object[] = []
    await repair(t.g, { onFault: fault => found.push(fault) })
    const name = expect.stringMatching(/^\w+\.(name|credits|seat)$/)
    const told = { code: 'item.unreadable', row: { PK: partition, SK: sort }, name, repaired: false }
    expect(found).toContainEqual(expect.objectContaining(told))
    expect(await t.faults()).toEqual({ 'item.unreadable': 1 })
  })

  it('inspect one type, or one node with its edges', async () => {
    await t.change('course#c', 'takes#ann', { name: { S: 'Zed' } })
    await t.drop('pupil.email#bob@x', '#')
    expect((await verify(t.g, { type: 'pupil' })).faults).toEqual({ 'sentinel.missing': 1 })
    expect((await verify(t.g, { type: 'takes' })).faults).toEqual({ 'copy.stale': 1 })
    expect((await verify(t.g, { type: 'pupil', id: 'ann' })).faults).toEqual({ 'copy.stale': 1 })
    expect((await verify(t.g, { type: 'pupil', id: 'bob' })).faults).toEqual({ 'sentinel.missing': 1 })
    expect((await verify(t.g, { type: 'course', id: 'c' })).faults).toEqual({ 'copy.stale': 1 })
  })

  it('resume at a cursor', async () => {
    for (let i = 0; i < 300; i++) await t.g.pupil.create({ id: `p${i}`, name: 'x', email: `p${i}@x` })
    const cursors: (string | undefined)[] = []
    const whole = await verify(t.g, { progress: ({ cursor }) => void cursors.push(cursor) })
    expect(cursors.length).toBeGreaterThan(2)
    expect(cursors.at(-1)).toBeUndefined()
    const rest = await verify(t.g, { cursor: cursors[0]! })
    expect(rest.read).toBe(whole.read - 200)
    await expect(repair(t.g, { cursor: cursors[0]! })).rejects.toMatchObject({ code: 'cursor.invalid' })
    await expect(verify(t.g, { cursor: 'nonsense' })).rejects.toMatchObject({ code: 'cursor.invalid' })
  })

  it.each(['null', '5', '{}', '{"pass":"all"}', '{"pass":"all","key":null}', '{"pass":"all","key":{"PK":{"S":"a"}}}'])(
    'reject the invalid cursor %s instead of starting again',
    async place => {
      const told = expect(verify(t.g, { cursor: btoa(place) })).rejects
      await told.toMatchObject({
        code: 'cursor.invalid',
        message: expect.stringContaining('cursor: it is not a cursor of this job; leave it out to start again.'),
      })
    },
  )

  it('reject a cursor with an id instead of ignoring it', async () => {
    const cursor = btoa('{"pass":"all","key":{"PK":{"S":"pupil#p1"},"SK":{"S":"#"}}}')
    expect((await verify(t.g, { cursor })).faults).toEqual({})
    for (const job of [verify, repair])
      await expect(job(t.g, { type: 'pupil', id: 'p1', cursor })).rejects.toMatchObject({ code: 'call.argument' })
  })

  it('require a tenant with an id, and reject one without instead of ignoring it', async () => {
    const shared = await open(graph('shared', [pupil, course, takes], { tenant: true }), memory(), { follow: false })
    await shared.$tenant('acme').course.put({ id: 'c', title: 'Maths' })
    const one = { type: 'course', id: 'c' }
    expect(await verify(shared, { ...one, tenant: 'acme' })).toMatchObject({ read: 1 })
    const refused = {
      code: 'call.argument',
      message: expect.stringMatching(/^id: the graph has tenants, but 'tenant' is missing; |leave it out\.$/),
    }
    await expect(verify(shared, one)).rejects.toMatchObject(refused)
    await expect(repair(shared, { tenant: 'acme' })).rejects.toMatchObject(refused)
    const plain = await open(school, memory(), { follow: false })
    await expect(verify(plain, { ...one, tenant: 'acme' })).rejects.toMatchObject(refused)
  })

  it('report the tenant of a fault, because tenants may have the same ids', async () => {
    const store = memory()
    const shared = await open(graph('shared', [pupil, course, takes], { tenant: true }), store, { follow: false })
    for (const tenant of ['acme', 'o#ther']) await shared.$tenant(tenant).course.put({ id: 'c', title: 'Maths' })
    const Key = { PK: { S: 'o$#ther#course#c' }, SK: { S: '#' } }
    const told: unknown[] = []
    for (const title of [{ S: 'Art' }, { N: '5' }]) {
      const change = { UpdateExpression: 'SET title = :t', ExpressionAttributeValues: { ':t': title } }
      await store.updateItem({ TableName: 'shared', Key, ...change })
      for (const job of [verify, repair])
        await job(shared, { onFault: ({ code, tenant }) => told.push([code, tenant]) })
    }
    const codes = ['index.stale', 'index.stale', 'item.unreadable', 'item.unreadable']
    expect(told).toEqual(codes.map(code => [code, 'o#ther']))
  })

  it('report no fault for concurrent changes', async () => {
    const { store, g: writer } = await setUp()
    let changes = 0
    const busy = wrap(store, async (operation, request, options, send) => {
      const answer = await send(request, options)
      // The item changes between the first read and the others.
      if (/^(query|getItem|batchGetItem)$/.test(operation) && changes < 30) {
        changes++
        await writer.sits.put({ course: 'c', pupil: 'ann', seat: changes })
        if (changes % 2) await writer.sits.delete({ course: 'c', pupil: 'bob' })
        else await writer.sits.put({ course: 'c', pupil: 'bob', seat: 1 })
        await writer.pupil.update('ann', { skills: new Set([`s${changes}`]) })
      }
      return answer
    })
    const watched = await open(school, busy, { follow: false })
    const { faults: ofCourse } = await verify(watched, { type: 'course', id: 'c' })
    const { faults: ofPupil } = await verify(watched, { type: 'pupil', id: 'ann' })
    expect(changes).toBe(30)
    expect([ofCourse, ofPupil]).toEqual([{}, {}])
  })

  it('report no fault for an edge that appears and disappears during each read', async () => {
    const { store, g: writer } = await setUp()
    let reads = 0
    const busy = wrap(store, async (operation, request, options, send) => {
      const isOfSeats = operation === 'query' && JSON.stringify(request).includes('sits')
      if (!isOfSeats || ++reads > 4) return send(request, options)
      await writer.sits.put({ course: 'c', pupil: 'eve', seat: 7 })
      const answer = await send(request, options)
      await writer.sits.delete({ course: 'c', pupil: 'eve' })
      return answer
    })
    const watched = await open(school, busy, { follow: false })
    expect((await verify(watched, { type: 'course' })).faults).toEqual({})
    expect(reads).toBe(5)
  })
})

it('an index key is not repaired with the values from before a concurrent change', async () => {
  const course = node('course', { id: string(), title: string() }, { id: 'id', by: { title: { in: ['title'] } } })
  const store = memory()
  const plain = await open(graph('raced', [course]), store)
  await plain.course.put({ id: 'c', title: 'Go' })
  await store.updateItem({
    TableName: 'raced',
    Key: { PK: { S: 'course#c' }, SK: { S: '#' } },
    UpdateExpression: 'SET GSI1PK = :other',
    ExpressionAttributeValues: { ':other': { S: 'course.title#Other' } },
  })
  let isChanged = false
  const raced = wrap(store, async (operation, request, options, send) => {
    if (operation === 'transactWriteItems' && !isChanged) {
      isChanged = true
      await plain.course.put({ id: 'c', title: 'Chess' })
    }
    return send(request, options)
  })
  await repair(await open(graph('raced', [course]), raced))
  expect(isChanged).toBe(true)
  expect(await plain.course.by.title({ title: 'Chess' }).count()).toBe(1)
  expect((await verify(plain)).faults).toEqual({})
})

it('a sentinel is not deleted if another node took its value after a second repair deleted it', async () => {
  const user = node('user', { id: string(), mail: string() }, { id: 'id', unique: ['mail'] })
  const made = graph('users', [user])
  const store = memory()
  const g = await open(made, store)
  await g.user.put({ id: 'ann', mail: 'a@x' })
  await store.deleteItem({ TableName: 'users', Key: { PK: { S: 'user#ann' }, SK: { S: '#' } } })
  let isMeanwhile = true
  const busy = wrap(store, async (operation, request, options, send) => {
    if (operation === 'transactWriteItems' && isMeanwhile) {
      isMeanwhile = false
      await repair(g)
      await g.user.create({ id: 'bob', mail: 'a@x' })
    }
    return send(request, options)
  })
  await repair(await open(made, busy))
  expect(isMeanwhile).toBe(false)
  expect((await verify(g)).faults).toEqual({})
  expect(await g.user.by.mail('a@x')).toEqual({ id: 'bob', mail: 'a@x' })
})
