import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import {
  add,
  counter,
  edge,
  type GraphError,
  graph,
  integer,
  metered,
  node,
  open,
  string,
  updated,
  wrap,
} from '../../../src/index.js'
import { openSchool, START } from '../school.js'

const since = new Date(START)

describe('$transact', () => {
  it('$transact is atomic, and its error names the refused call', async () => {
    const g = await openSchool()
    await g.student.create({ id: 's1', name: 'Tom' })
    const error: GraphError = await g
      .$transact([g.student.create({ id: 's2', name: 'Ann' }), g.student.create({ id: 's1', name: 'Tom' })])
      .then(() => expect.unreachable())
      .catch(failure => failure)
    expect(error).toMatchObject({ code: 'write.exists', details: { type: 'student', call: 1 } })
    expect(error.message).toBe("student 's1': this student already exists; use put() or update().")
    expect(await g.student.exists('s2')).toBe(false)
    await g.$transact([
      g.course.create({ id: 'math', title: 'Math' }),
      g.takes.create({ student: 's1', course: 'math', since, credits: 2 }),
    ])
    expect(await g.course.get('math')).toMatchObject({ seats: 1, points: 2, pupils: { s1: { name: 'Tom' } } })
  })

  it('$transact rejects a call that was awaited before, which would run twice', async () => {
    const g = await openSchool()
    await g.student.create({ id: 's1', name: 'Tom', level: 1 })
    const raise = g.student.update('s1', { level: add(1) })
    await raise
    const alreadyRun = expect.objectContaining({
      code: 'call.argument',
      message: expect.stringContaining('create a new call'),
    })
    expect(() => g.$transact([raise])).toThrow(alreadyRun)
    expect(() => g.$batch([raise])).toThrow(alreadyRun)
    expect((await g.student.get('s1'))?.level).toBe(2)
  })

  it('$transact rejects the same edge twice, also when one of the calls is a deletion of a missing row', async () => {
    const g = await openSchool()
    await g.student.create({ id: 's1', name: 'Tom' })
    await g.course.create({ id: 'math', title: 'Math' })
    const at = { student: 's1', course: 'math' }
    const calls = () => [g.takes.put({ ...at, since, credits: 1 }), g.takes.delete(at)] as const
    const told = {
      code: 'write.transaction',
      message: "takes 's1, math': this takes is written twice in one request; send the writes one after the other.",
    }
    const refused = { ...told, details: { call: 1 } }
    await expect(g.$transact([...calls()])).rejects.toMatchObject(refused)
    await expect(g.$transact([...calls()].reverse())).rejects.toMatchObject(refused)
    const batch = g.$batch([g.student.get('s1'), ...calls()])
    await expect(batch).rejects.toMatchObject({ ...told, details: { call: undefined } })
    expect(await g.takes.exists(at)).toBe(false)
  })

  it('$transact names the call with an invalid value or id', async () => {
    const g = await openSchool()
    const put = { id: 's1', name: 'Tom' }
    const refused = { code: 'value.type', details: { call: 1 } }
    const writes = () => [g.student.put(put), g.student.put({ ...put, id: 's2', name: 5 } as never)]
    const reads = () => [g.student.get('s1'), g.student.get(5 as never)]
    for (const calls of [writes, reads]) {
      await expect(g.$transact(calls())).rejects.toMatchObject(refused)
      await expect(g.$batch(calls())).rejects.toMatchObject(refused)
    }
    expect(await g.student.exists('s1')).toBe(false)
  })

  it('$transact reads a consistent snapshot of several rows', async () => {
    const g = await openSchool()
    await g.student.create({ id: 's1', name: 'Tom' })
    const { value, requests, consumed } = await g
      .$transact([g.student.get('s1'), g.student.get('s9'), g.course.exists('math')])
      .run()
    expect(value[0]).toMatchObject({ name: 'Tom' })
    expect([value[1], value[2]]).toEqual([undefined, false])
    expect(requests).toBe(1)
    expect(consumed.total).toBe(6)
  })

  it('$transact is idempotent under a token, and rejects the token for another request', async () => {
    const g = await openSchool()
    await g.student.create({ id: 's1', name: 'Tom', level: 1 })
    const raise = (by: number) => g.$transact([g.student.update('s1', { level: add(by) })], { token: 'raise-1' })
    await raise(2)
    await raise(2)
    expect((await g.student.get('s1'))?.level).toBe(3)
    await expect(raise(5)).rejects.toMatchObject({ code: 'write.token' })
    await g.student.update('s1', { level: add(1) }).run({ token: 'raise-2' })
    await g.student.update('s1', { level: add(1) }).run({ token: 'raise-2' })
    expect((await g.student.get('s1'))?.level).toBe(4)
  })

  it('$transact is idempotent under a token when updates generate values', async () => {
    let now = START
    const note = node('note', { id: string(), views: integer(), at: updated() }, { id: 'id' })
    const g = await open(graph('notes', [note]), memory(), { clock: () => now })
    await g.note.put({ id: 'a', views: 0 })
    const view = (by: number) => g.note.update('a', { views: add(by) }).run({ token: 'view-1' })
    await view(1)
    now += 5_000
    await view(1)
    expect(await g.note.get('a')).toEqual({ id: 'a', views: 1, at: new Date(START) })
    await expect(view(2)).rejects.toMatchObject({ code: 'write.token' })
    const dated = (at: Date) => g.note.update('a', { at }).run({ token: 'view-2' })
    await dated(new Date(now))
    await expect(dated(new Date(START))).rejects.toMatchObject({ code: 'write.token' })
  })

  it('$transact is refused when one of its deletions has a condition and another edge is in its place', async () => {
    const person = node('person', { id: string() }, { id: 'id' })
    const home = edge('home', { of: person, at: person }, { since: integer() }, { one: 'of' })
    const g = await open(graph('people', [person, home]), memory())
    await g.home.put({ of: 'a', at: 'x', since: 1 })
    const moved = (at: string) => g.home.delete({ of: 'a', at }).if(r => r.since.is(1))
    const parts = [g.person.put({ id: 'b' }), moved('y')] as const
    await expect(g.$transact(parts)).rejects.toMatchObject({ code: 'write.condition', details: { call: 1 } })
    await expect(moved('y')).rejects.toMatchObject({ code: 'write.condition' })
    expect(await g.person.exists('b')).toBe(false)
    await g.$transact([g.person.put({ id: 'b' }), g.home.delete({ of: 'a', at: 'y' })])
    expect(await g.home.by.of('a').all()).toEqual([{ of: 'a', at: 'x', since: 1 }])
    await g.$transact([g.person.put({ id: 'c' }), moved('x')])
    expect(await g.home.by.of('a').all()).toEqual([])
  })

  it.each([
    ['is not there', undefined],
    ['is another', 'z'],
  ])('$transact deletes a row that is created before the write, when it %s at the read', async (_, first) => {
    const person = node('person', { id: string(), homes: counter() }, { id: 'id' })
    const options = { one: 'of', count: { at: 'homes' } } as const
    const home = edge('home', { of: person, at: person }, { since: integer() }, options)
    const people = graph('people', [person, home])
    const store = memory()
    const peer = await open(people, store)
    for (const id of ['x', 'z']) await peer.person.put({ id })
    if (first) await peer.home.put({ of: 'a', at: first, since: 0 })
    let isMade = false
    const overtaken = wrap(store, async (operation, request, given, send) => {
      if (/(Write|update)Item/.test(operation) && !isMade) {
        isMade = true
        await peer.home.put({ of: 'a', at: 'x', since: 1 })
      }
      return send(request, given)
    })
    const g = await open(people, overtaken, { create: false })
    await g.$transact([g.person.put({ id: 'b' }), g.home.delete({ of: 'a', at: 'x' })])
    expect([await g.home.by.of('a').all(), await g.person.exists('b')]).toEqual([[], true])
    expect((await g.person.get('x'))?.homes).toBe(0)
    // A transaction without effect sends no request.
    const none = await g.$transact(['a', 'b'].map(of => g.home.delete({ of, at: 'x' }))).run()
    expect(none.requests).toBe(1)
  })

  it('$transact is idempotent under its token, also when the call has more options', async () => {
    const g = await openSchool()
    await g.student.create({ id: 's1', name: 'Tom', level: 1 })
    const raise = () => g.$transact([g.student.update('s1', { level: add(1) })], { token: 't' })
    await raise().run({ deadlineMs: 60_000 })
    await raise().run({ caps: { requests: 9 } })
    expect((await g.student.get('s1'))?.level).toBe(2)
  })

  it('$transact accepts a token of any length', async () => {
    const g = await openSchool()
    const token = 't'.repeat(3_000)
    const adding = () => g.$transact([g.student.create({ id: 'long', name: 'Ann' })], { token })
    await adding()
    await adding()
    await expect(g.$transact([g.course.create({ id: 'long', title: 'Long' })], { token })).rejects.toMatchObject({
      code: 'write.token',
    })
  })

  it('$transact rejects a token with half a surrogate pair, which the store would confuse with another', async () => {
    const g = await openSchool()
    await g.student.create({ id: 's1', name: 'Tom', level: 1 })
    const raise = (token: string) => g.$transact([g.student.update('s1', { level: add(1) })], { token })
    for (const token of ['t\ud800', 't\ud801'])
      await expect(raise(token)).rejects.toMatchObject({ code: 'call.argument' })
    expect((await g.student.get('s1'))?.level).toBe(1)
  })

  it('$transact is idempotent indefinitely with an infinite token lifetime', async () => {
    let now = START
    const g = await openSchool(memory(), { clock: () => now })
    await g.student.create({ id: 's1', name: 'Tom', level: 1 })
    const raise = () =>
      g.student.update('s1', { level: add(1) }).run({ token: 't', tokenTtlSeconds: Number.POSITIVE_INFINITY })
    await raise()
    now += 100 * 366 * 86_400_000
    await raise()
    expect((await g.student.get('s1'))?.level).toBe(2)
  })

  it('$transact forgets a token after its lifetime', async () => {
    let now = START
    const g = await openSchool(memory(), { clock: () => now })
    await g.student.create({ id: 's1', name: 'Tom', level: 1 })
    const raise = () => g.$transact([g.student.update('s1', { level: add(1) })], { token: 't', tokenTtlSeconds: 60 })
    await raise()
    now += 59_000
    await raise()
    expect((await g.student.get('s1'))?.level).toBe(2)
    now += 2_000
    await raise()
    expect((await g.student.get('s1'))?.level).toBe(3)
  })

  it('$transact returns no row for the deletion of a missing row, also under an expired token', async () => {
    let now = START
    const g = await openSchool(memory(), { clock: () => now })
    const leave = () =>
      g.lesson.delete({ course: 'c1', no: 1 }).returning('old').run({ token: 't', tokenTtlSeconds: 60 })
    expect((await leave()).value).toBeUndefined()
    now += 61_000
    expect((await leave()).value).toBeUndefined()
  })

  it('$transact applies a token for each tenant separately', async () => {
    const note = node('note', { id: string(), views: integer() }, { id: 'id' })
    const g = await open(graph('notes', [note], { tenant: true }), memory())
    for (const tenant of [g.$tenant('a'), g.$tenant('b')])
      for (let times = 0; times < 2; times++) {
        if (times === 0) await tenant.note.put({ id: 'x', views: 0 })
        await tenant.note.update('x', { views: add(1) }).run({ token: 'view' })
        expect(await tenant.note.get('x')).toEqual({ id: 'x', views: 1 })
      }
  })

  it('an empty $transact sends no request', async () => {
    const g = await openSchool()
    expect(await g.$transact([]).run()).toMatchObject({ value: [], requests: 0 })
    expect(g.$transact([]).explain().toString()).toBe('Total: no requests.')
  })

  it('$transact rejects more than 100 items, and unsuitable calls, before anything is sent', async () => {
    const { store, meter } = metered(memory())
    const g = await openSchool(store)
    meter.reset()
    const many = Array.from({ length: 101 }, (_, i) => g.student.create({ id: `s${i}`, name: 'x' }))
    await expect(g.$transact(many)).rejects.toMatchObject({ code: 'write.transaction' })
    expect(() => g.$transact([g.student.get('a'), g.student.create({ id: 'a', name: 'b' })])).toThrow(
      expect.objectContaining({ code: 'call.part' }),
    )
    expect(() => g.$transact([g.student.many(['a']) as never])).toThrow(expect.objectContaining({ code: 'call.part' }))
    expect(meter.snapshot().requests).toEqual({})
  })
})

describe('$batch', () => {
  it('$batch rejects a token, which could not make it idempotent', async () => {
    const g = await openSchool()
    await g.student.create({ id: 's1', name: 'Tom', level: 1 })
    const batch = g.$batch([g.student.update('s1', { level: add(1) })])
    await expect(batch.run({ token: 'once' })).rejects.toMatchObject({
      code: 'option.unknown',
      message: `$batch: there is no option 'token'; use only signal, deadlineMs, caps.`,
    })
    expect(await g.student.get('s1')).toMatchObject({ level: 1 })
  })

  it('$batch waits for its progress callback and rejects when the callback fails', async () => {
    const g = await openSchool(memory())
    const away = async () => {
      throw new Error('the log is away')
    }
    await expect(g.$batch([g.course.put({ id: 'c', title: 'C' })], { progress: away })).rejects.toThrow(
      'the log is away',
    )
  })

  it('$batch runs any number of calls in chunks and reports progress', async () => {
    const { store, meter } = metered(memory())
    const g = await openSchool(store)
    meter.reset()
    const told: number[] = []
    await g.$batch(
      Array.from({ length: 60 }, (_, i) => g.lesson.put({ course: 'math', no: i + 1, topic: 'x' })),
      { progress: done => told.push(done) },
    )
    expect(meter.snapshot().requests).toEqual({ batchWriteItem: 3 })
    expect(told.at(-1)).toBe(60)
    const answers = await g.$batch([
      g.lesson.get({ course: 'math', no: 3 }),
      g.lesson.exists({ course: 'math', no: 99 }),
    ])
    expect(answers).toEqual([{ course: 'math', no: 3, topic: 'x' }, false])
  })

  it('an explained $batch lists its reads, then its independent writes', async () => {
    const g = await openSchool()
    const lesson = { course: 'math', no: 1 }
    const { steps, total } = g.$batch([g.lesson.put({ ...lesson, topic: 'x' }), g.lesson.get(lesson)]).explain()
    expect(steps).toMatchObject([
      { operation: 'BatchGetItem', after: [] },
      { operation: 'BatchWriteItem', after: [] },
    ])
    expect(total).toEqual({ requests: 2, read: { table: 0.5 }, write: { table: 1 } })
  })

  it('$batch reports the failed calls and their errors', async () => {
    const g = await openSchool()
    await g.student.create({ id: 's1', name: 'Tom' })
    const error: GraphError = await g
      .$batch([
        g.lesson.put({ course: 'math', no: 1, topic: 'x' }),
        g.student.create({ id: 's1', name: 'Tom' }),
        g.student.create({ id: 's2', name: 'Ann' }),
      ])
      .then(() => expect.unreachable())
      .catch(failure => failure)
    expect(error.code).toBe('batch.failed')
    expect(error.details.failed).toMatchObject([{ call: 1, error: { code: 'write.exists' } }])
    expect(await g.student.exists('s2')).toBe(true)
    expect(await g.lesson.exists({ course: 'math', no: 1 })).toBe(true)
  })

  it('$batch reports the cap or deadline that ended it, and the calls that were not applied', async () => {
    const slow = wrap(memory(), async (_, request, options, send) => {
      await new Promise(resolve => setTimeout(resolve, 10))
      return send(request, options)
    })
    const g = await openSchool(slow)
    const puts = (length: number) =>
      Array.from({ length }, (_, i) => g.lesson.put({ course: 'math', no: i + 1, topic: 'x' }))
    const error: GraphError = await g
      .$batch(puts(60))
      .run({ caps: { requests: 2 } })
      .then(() => expect.unreachable())
      .catch(failure => failure)
    expect(error).toMatchObject({
      code: 'call.cap',
      message: expect.stringMatching(/^\$batch: 10 of 60 .*\(requests: 2\)/),
    })
    expect(error.details.failed).toHaveLength(10)
    expect(await g.lesson.by.course('math').count()).toBe(50)
    await expect(g.$batch(puts(250)).run({ deadlineMs: 5 })).rejects.toMatchObject({ code: 'call.deadline' })
  })

  it('$batch rejects with the reason of its signal', async () => {
    const g = await openSchool()
    const reason = new Error('enough')
    const batch = g.$batch([g.student.create({ id: 's1', name: 'Tom' })])
    await expect(batch.run({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('$batch rejects two edges of a node with at most one, because their order is undefined', async () => {
    const person = node('person', { id: string() }, { id: 'id' })
    const home = edge('home', { of: person, at: person }, {}, { one: 'of' })
    const g = await open(graph('homes', [person, home]), memory())
    const both = [g.home.put({ of: 'a', at: 'b' }), g.home.put({ of: 'a', at: 'c' })]
    await expect(g.$batch(both)).rejects.toMatchObject({ code: 'write.transaction' })
    expect(await g.home.by.of('a').all()).toEqual([])
  })
})

describe('calls of several tenants', () => {
  const note = node('note', { id: string() }, { id: 'id' })

  it('calls of several tenants cannot be combined, and each handle reaches its own tenant', async () => {
    const g = await open(graph('notes', [note], { tenant: true }), memory())
    const [a, b] = [g.$tenant('a'), g.$tenant('b')]
    await b.note.put({ id: 'x' })
    const refused = expect.objectContaining({ code: 'call.part', message: expect.stringContaining('graph and tenant') })
    expect(() => a.$transact([b.note.delete('x')], { token: 't' })).toThrow(refused)
    expect(() => a.$batch([a.note.get('x'), b.note.get('x')])).toThrow(refused)
    expect(await a.$batch([g.$tenant('a').note.get('x')])).toEqual([undefined])
    expect(await b.note.get('x')).toEqual({ id: 'x' })
  })
})
