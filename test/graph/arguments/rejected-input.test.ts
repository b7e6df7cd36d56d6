import { describe, expect, it } from 'vitest'
import type { TableDescription } from '../../../src/dynamodb/index.js'
import { memory } from '../../../src/engine/memory.js'
import {
  add,
  append,
  etagOf,
  graph,
  include,
  integer,
  layout,
  node,
  open,
  remove,
  string,
  within,
  wrap,
} from '../../../src/index.js'
import { deploy } from '../../../src/jobs/deploy/deploy.js'
import { openSchool, school } from '../school.js'

type School = Awaited<ReturnType<typeof openSchool>>
/** Handles without types, for input that a compiler would reject. */
type Loose = { [type: string]: { [verb: string]: (...given: unknown[]) => PromiseLike<unknown> & Loose['x'] } }

const since = new Date('2026-01-01T00:00:00.000Z')
const row = { id: 'x', name: 'X' }

const CASES: readonly (readonly [what: string, code: string, call: (g: School & Loose) => PromiseLike<unknown>])[] = [
  ['a row without a value that must be there', 'write.missing', g => g.student.put({ id: 'x' } as never)],
  ['a row without its id', 'write.missing', g => g.student.create({ name: 'X' } as never)],
  ['an attribute that is not declared', 'write.unknown', g => g.student.put({ ...row, age: 3 } as never)],
  ['a counter that is given', 'write.derived', g => g.student.put({ ...row, friends: 3 } as never)],
  ['a value of another kind', 'value.type', g => g.student.put({ ...row, level: 'high' } as never)],
  ['a number out of its range', 'value.range', g => g.student.put({ ...row, level: 100 })],
  ['a number that is no integer', 'value.type', g => g.student.put({ ...row, level: 1.5 })],
  ['half a surrogate pair', 'value.text', g => g.student.put({ id: 'x', name: '\ud800' })],
  ['an empty set', 'value.set', g => g.student.put({ ...row, skills: new Set<string>() })],
  [
    'a map with a member too many',
    'value.member',
    g => g.student.put({ ...row, address: { city: 'A', x: 1 } as never }),
  ],
  ['an item that is too large', 'write.size', g => g.student.put({ id: 'x', name: 'n'.repeat(410_000) })],
  ['a key that is too long', 'key.long', g => g.student.put({ id: 'i'.repeat(3_000), name: 'X' })],
  ['an update of nothing', 'write.empty', g => g.student.update('s1', {})],
  ['an update of an id', 'write.key', g => g.student.update('s1', { id: 'y' } as never)],
  ['an update of what is immutable', 'write.immutable', g => g.student.update('s1', { name: 'Y' } as never)],
  ['an update of a counter', 'write.derived', g => g.student.update('s1', { friends: add(1) } as never)],
  ['an update of what is not there', 'write.absent', g => g.student.update('s9', { level: 3 })],
  [
    'an unread update of what is not there',
    'write.absent',
    g => g.lesson.update({ course: 'm', no: 1 }, { topic: 'x' }),
  ],
  ['a name with a dot', 'write.unknown', g => g.student.update('s1', { 'address.city': 'B' } as never)],
  ['taking away what must be there', 'write.missing', g => g.student.update('s1', { level: remove() } as never)],
  ['adding to a text', 'write.operation', g => g.student.update('s1', { email: add(1) } as never)],
  ['appending to a set', 'write.operation', g => g.student.update('s1', { skills: append('x') } as never)],
  ['including into a number', 'write.operation', g => g.student.update('s1', { level: include(1) } as never)],
  ['reaching into a text', 'write.operation', g => g.student.update('s1', { email: within({ a: 1 }) } as never)],
  ['adding beyond the range', 'value.range', g => g.student.update('s1', { level: add(200) })],
  ['an edge without an end', 'write.missing', g => g.takes.put({ student: 's1', since, credits: 1 } as never)],
  [
    'an edge with what it carries',
    'write.derived',
    g => g.takes.put({ student: 's1', course: 'm', since, credits: 1, name: 'X' } as never),
  ],
  [
    'an edge that carries from nowhere',
    'edge.carry.absent',
    g => g.takes.put({ student: 's9', course: 'math', since, credits: 1 }),
  ],
  [
    'an invalid date',
    'value.date',
    g => g.takes.put({ student: 's1', course: 'math', since: new Date(Number.NaN), credits: 1 }),
  ],
  [
    'a path with a hole',
    'read.part',
    g =>
      g.student.by
        .skill({ skills: 'go' })
        .where({ id: 'x' } as never)
        .all(),
  ],
  ['a limit of nothing', 'read.limit', g => g.student.by.level().limit(0).all()],
  ['the first of nothing', 'read.limit', g => g.student.by.level().limit(0).first()],
  [
    'a page of no number',
    'read.limit',
    g =>
      g.student.by
        .level()
        .limit(3)
        .page({ limit: 'x' as never }),
  ],
  ['a cursor that is none', 'cursor.invalid', g => g.student.by.level().page({ cursor: 'nonsense' })],
  ['an index read consistently', 'read.consistent', g => g.student.by.level().consistent().all()],
  [
    'only what is not there',
    'read.part',
    g =>
      g.student.by
        .level()
        .only('age' as never)
        .all(),
  ],
  [
    'a value in nothing',
    'condition.invalid',
    g =>
      g.student
        .scan()
        .filter(r => r.level.in())
        .all(),
  ],
  [
    'a second filter',
    'condition.invalid',
    g =>
      g.student
        .scan()
        .filter(r => r.level.is(1))
        .filter(r => r.level.is(2))
        .all(),
  ],
  ['a part that is no read', 'read.path', g => g.student.collect('s1', { x: (() => 1) as never })],
  ['a part of another node', 'read.path', g => g.student.collect('s1', { x: g.lesson.by.course as never })],
]

describe('invalid input is rejected with its code, and nothing is written', async () => {
  const store = memory()
  const g = await openSchool(store)
  await g.student.create({ id: 's1', name: 'Tom', address: { city: 'A' } })
  await g.course.create({ id: 'math', title: 'Math' })
  const all = async () => JSON.stringify((await store.scan({ TableName: 'school' })).Items)
  const before = await all()

  it.each(CASES)('%s: %s', async (_, code, call) => {
    const refused = await (async () => call(g as School & Loose))().then(
      () => undefined,
      error => error,
    )
    expect(refused).toMatchObject({ name: 'GraphError', code })
    expect(await all()).toBe(before)
  })
})

describe('a message has advice', async () => {
  const g = (await openSchool(memory())) as School & Loose
  await g.student.create({ id: 's1', name: 'Tom', email: 'tom@x' })
  await g.course.create({ id: 'math', title: 'Math' })

  it.each([
    [
      'an unknown attribute is reported with the known attributes',
      () => g.takes.put({ studnet: 's1', course: 'math', since, credits: 1 } as never),
      'takes.studnet: the attribute is not declared; use one of student, course, since, credits, name.',
    ],
    [
      'an unknown member of only() is reported with the known members',
      () =>
        g.takes.by
          .student('s1')
          .only('snce' as never)
          .all(),
      "takes: 'snce' is not part of its rows; use one of student, course, since, credits, name.",
    ],
    [
      'a missing end of an edge is named',
      () => g.takes.get('s1' as never),
      'takes.student: a value is missing; give it.',
    ],
    [
      'a missing node of an edge is named',
      () => g.takes.put({ student: 's9', course: 'math', since, credits: 1 }),
      "student 's9': this student does not exist, but an edge carries an attribute from it; create it first.",
    ],
    [
      'an attribute whose value is taken is named',
      () => g.student.create({ id: 's2', name: 'Tim', email: 'tom@x' }),
      "student 's2': this email is already taken; give another value.",
    ],
    [
      'a text in the place of a number is shown',
      () =>
        g.student.by
          .level()
          .limit('3' as never)
          .all(),
      "limit: '3' is not a limit; give a whole number from 1.",
    ],
    [
      'an invalid date is distinguished from other values',
      () => g.takes.put({ student: 's1', course: 'math', since: new Date(Number.NaN), credits: 1 }),
      'takes.since: Invalid Date is not accepted; give a Date of the years 0000 to 9999.',
    ],
  ])('%s', async (_, call, message) => {
    await expect((async () => call())()).rejects.toMatchObject({ name: 'GraphError', message })
  })
})

describe('open', () => {
  it('open() rejects a value that is not a store, and a missing table', async () => {
    await expect(open(school, {} as never)).rejects.toMatchObject({ code: 'open.store' })
    await expect(open(school, memory(), { create: false })).rejects.toMatchObject({ code: 'table.absent' })
  })

  it.each(['g', 'ab', 'größe'])(
    'open() rejects a graph named %s, which is not a table name, unless it gets another table name',
    async name => {
      const person = node('person', { id: string() }, { id: 'id' })
      const words = `table: '${name}' is not a valid name; give 'table' 3 or more letters, digits, _ and -.`
      await expect(open(graph(name, [person]), memory())).rejects.toMatchObject({
        code: 'name.invalid',
        message: words,
      })
      await expect(deploy(graph(name, [person]), memory())).rejects.toMatchObject({ code: 'name.invalid' })
      const g = await open(graph(name, [person]), memory(), { table: 'people' })
      await g.person.put({ id: 'ann' })
      expect(await g.person.exists('ann')).toBe(true)
    },
  )

  it('open() rejects a table without an index or with another layout, and the message names the difference', async () => {
    const store = memory()
    const user = node('user', { id: string(), city: string() }, { id: 'id', by: { city: { in: ['city'] } } })
    await open(graph('people', [node('user', { id: string(), city: string() }, { id: 'id' })]), store)
    await expect(open(graph('people', [user]), store)).rejects.toMatchObject({
      code: 'table.mismatch',
      message: expect.stringContaining('no index GSI1 on GSI1PK,GSI1SK'),
    })
    const plain = graph('people', [node('user', { id: string(), city: string() }, { id: 'id' })])
    const other = layout(plain, { keys: { user: { PK: 'U#{id}', SK: 'U' } } })
    await expect(open(other, store)).rejects.toMatchObject({
      code: 'layout.drift',
      message: expect.stringMatching(/type 'user': key 'PK' was "user#\{id\} .*", is "U#\{id\}/),
    })
    await expect(open(other, store, { drift: 'allow' })).resolves.toBeDefined()
  })

  it.each(['keys', ['city']] as const)(
    'open() rejects a table whose index projects %s, when reads expect all attributes',
    async project => {
      const store = memory()
      const by = { city: { in: ['city'] } } as const
      const people = graph('people', [node('user', { id: string(), city: string(), age: integer() }, { id: 'id', by })])
      const narrow = await open(layout(people, { indexes: { GSI1: { keys: ['GSI1PK', 'GSI1SK'], project } } }), store)
      const ann = { id: 'ann', city: 'Rome', age: 30 }
      await narrow.user.put(ann)
      await expect(open(people, store)).rejects.toMatchObject({
        code: 'table.mismatch',
        message: expect.stringContaining('lacks attributes that the layout'),
      })
      expect(await narrow.user.by.city({ city: 'Rome' }).all()).toEqual([ann])
    },
  )

  it('open() accepts a table whose description lacks the projection of its indexes', async () => {
    const store = memory()
    const untold = wrap(store, async (_, request, options, send) => {
      const answer = (await send(request, options)) as { Table?: TableDescription }
      const indexes = answer.Table?.GlobalSecondaryIndexes?.map(({ Projection: _, ...index }) => index)
      return (indexes ? { ...answer, Table: { ...answer.Table, GlobalSecondaryIndexes: indexes } } : answer) as never
    })
    const by = { city: { in: ['city'] } } as const
    const people = graph('people', [node('user', { id: string(), city: string() }, { id: 'id', by })])
    const g = await open(people, untold, { create: true })
    await g.user.put({ id: 'ann', city: 'Rome' })
    expect(await g.user.by.city({ city: 'Rome' }).count()).toBe(1)
  })

  it('open() does not let a program with fewer shards miss rows in additional shards', async () => {
    const store = memory()
    const sharded = (shards: number) =>
      graph('ranks', [
        node('user', { id: string(), rank: integer() }, { id: 'id', by: { rank: { order: ['rank'], shards } } }),
      ])
    const few = await open(sharded(2), store)
    const many = await open(sharded(5), store)
    for (let rank = 0; rank < 10; rank++) await few.user.put({ id: `few${rank}`, rank })
    for (let rank = 0; rank < 10; rank++) await many.user.put({ id: `many${rank}`, rank })
    expect(await many.user.by.rank().count()).toBe(20)
    for (const shards of [2, 3])
      await expect(open(sharded(shards), store)).rejects.toMatchObject({
        code: 'layout.drift',
        message: expect.stringContaining(`was 5, is ${shards}`),
      })
    const again = await open(sharded(5), store)
    expect(await again.user.by.rank().count()).toBe(20)
    await expect(open(sharded(6), store)).resolves.toBeDefined()
  })

  it('a closed graph rejects calls', async () => {
    const g = await openSchool()
    {
      await using held = g
      expect(await held.student.exists('x')).toBe(false)
    }
    await expect(g.student.exists('x')).rejects.toMatchObject({ code: 'call.closed' })
  })
})

describe('untyped input', async () => {
  const g = await openSchool()
  const other = await openSchool()
  // biome-ignore lint/suspicious/noExplicitAny: what is tried here does not compile
  const loose = g as any
  const open_ = open as (...given: unknown[]) => Promise<unknown>
  const calls: readonly (readonly [string, () => unknown])[] = [
    ['a graph that is none', () => open_({}, memory())],
    ['no graph', () => open_(undefined, memory())],
    ['no row', () => loose.student.put()],
    ['a row that is null', () => loose.student.put(null)],
    ['no patch', () => loose.student.update('x')],
    ['ids that are no list', () => loose.student.many('x')],
    ['no parts', () => loose.student.collect('x')],
    ['a part that is no read', () => loose.student.collect('x', { a: 1 })],
    ['a condition that is none', () => loose.student.put(row).if('x')],
    ['calls that are no list', () => loose.$transact('x')],
    ['a call of another graph', () => loose.$transact([other.student.put(row)])],
    ['a deadline before it begins', () => g.student.get('x').run({ deadlineMs: -1 })],
    ['a cap that is no number', () => loose.student.get('x').run({ caps: { requests: 'x' } })],
    ['edges that are none of the three', () => loose.student.delete('x', { edges: 'junk' })],
    ['a return that is neither', () => loose.student.put(row).returning('junk')],
    ['an empty token', () => g.student.put(row).run({ token: '' })],
    ['a token that is kept for no time', () => g.student.put(row).run({ token: 't', tokenTtlSeconds: 0 })],
    ['a token that is no text', () => loose.student.put(row).run({ token: 5 })],
    ['a maximum that is no number', () => loose.student.scan().all({ max: 'x' })],
    ['options of a page that are null', () => loose.student.by.level().page(null)],
    ['options of all that are a number', () => loose.student.by.level().all(5)],
    ['options of a get that are null', () => loose.student.get('x', null)],
    ['options of a deletion that are null', () => loose.student.delete('x', null)],
    ['options of a transaction that are null', () => loose.$transact([g.student.put(row)], null)],
    ['options of a batch that are a function', () => loose.$batch([g.student.put(row)], () => 1)],
    ['options of a run that are a list', () => loose.student.put(row).run([])],
    ['options of an opening that are null', () => open_(school, memory(), null)],
    ['progress that is no function', () => loose.$batch([g.student.put(row)], { progress: 5 })],
    ['progress of a call that is no function', () => loose.student.put(row).run({ progress: {} })],
    ['a test joined with none', () => g.student.put(row).if(r => r.level.is(1).and(undefined as never))],
    ['a test joined with what is none', () => g.student.put(row).if(r => r.level.is(1).or({} as never))],
    ['the etag of no row', () => etagOf(undefined as never)],
    ['a clock that is no function', () => open_(school, memory(), { clock: 5 })],
    ['randomness that is no function', () => open_(school, memory(), { random: 'x' })],
    ['a listener that is no function', () => open_(school, memory(), { listener: {} })],
    ['a cap of an opening that is no number', () => open_(school, memory(), { caps: { units: 'x' } })],
  ]

  it.each(calls)('untyped input is rejected with a GraphError: %s', async (_, call) => {
    const refused = await (async () => call())().then(
      () => undefined,
      error => error,
    )
    expect(refused?.name).toBe('GraphError')
    expect(await g.student.exists('x')).toBe(false)
  })

  const parts = { taken: g.takes.by.student }
  const slips: readonly (readonly [subject: string, option: string, known: string, call: () => unknown])[] = [
    ['student', 'limt', 'limit, cursor', () => loose.student.by.level().page({ limt: 5 })],
    ['student', 'mx', 'max', () => loose.student.scan().all({ mx: 5 })],
    ['student', 'consistant', 'consistent', () => loose.student.get('x', { consistant: true })],
    ['student', 'tenant', 'consistent', () => loose.student.exists('x', { tenant: 'other' })],
    ['takes', 'limit', 'consistent', () => loose.takes.many([], { limit: 5 })],
    ['student', 'max', 'consistent', () => loose.student.collect('x', parts, { max: 1 })],
    ['student', 'edge', 'edges', () => loose.student.delete('x', { edge: 'cascade' })],
    [
      'student.put',
      'tokn',
      'signal, deadlineMs, token, tokenTtlSeconds, caps, progress',
      () => loose.student.put(row).run({ tokn: 'once' }),
    ],
    [
      '$transact',
      'tokens',
      'signal, deadlineMs, token, tokenTtlSeconds, caps, progress',
      () => loose.$transact([g.student.put(row)], { tokens: 'once' }),
    ],
    ['student.put', 'bytes', 'items, itemBytes, existing', () => loose.student.put(row).explain({ bytes: 5 })],
    ['$batch', 'token', 'progress', () => loose.$batch([g.student.put(row)], { token: 'once' })],
    ['caps', 'request', 'requests, units', () => loose.student.put(row).run({ caps: { request: 0 } })],
    ['caps', 'request', 'requests, units', () => open_(school, memory(), { caps: { request: 0 } })],
    [
      'open',
      'tabel',
      'table, create, drift, caps, retry, listener, follow, cursorKey, clock, random',
      () => open_(school, memory(), { tabel: 'x' }),
    ],
  ]

  it.each(slips)('an unknown option of %s is reported: %s', async (subject, option, known, call) => {
    const message = `${subject}: there is no option '${option}'; use only ${known}.`
    await expect((async () => call())()).rejects.toMatchObject({ name: 'GraphError', code: 'option.unknown', message })
    expect(await g.student.exists('x')).toBe(false)
  })
})
