import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import {
  add,
  created,
  decimal,
  etagOf,
  exclude,
  graph,
  include,
  integer,
  node,
  open,
  remove,
  string,
  ulid,
  updated,
  within,
  wrap,
} from '../../../src/index.js'
import type { StandardSchema } from '../../../src/schema/standard-schema.js'
import { validator } from '../../schema/validator.js'
import { VirtualClock } from '../../store/scripted-store.js'
import { openSchool } from '../school.js'

const tom = { id: 's1', name: 'Tom' }

describe('a node', () => {
  it('a node is created only the first time, and put any number of times', async () => {
    const g = await openSchool()
    await g.student.create(tom)
    await expect(g.student.create(tom)).rejects.toMatchObject({ code: 'write.exists', details: { type: 'student' } })
    await g.student.put({ ...tom, level: 7 })
    expect(await g.student.get('s1')).toEqual({ ...tom, level: 7, friends: 0 })
  })

  it('many() has undefined in the place of a missing id', async () => {
    const g = await openSchool()
    await g.student.create(tom)
    expect(await g.student.get('s9')).toBeUndefined()
    expect(await g.student.exists('s9')).toBe(false)
    expect(await g.student.exists('s1', { consistent: true })).toBe(true)
    const many = await g.student.many(['s9', 's1', 's9', 's1'])
    expect(many.map(row => row?.name)).toEqual([undefined, 'Tom', undefined, 'Tom'])
  })

  it('a patch leaves other attributes unchanged', async () => {
    const g = await openSchool()
    await g.student.create({ ...tom, email: 'tom@x.org', address: { city: 'Atlanta' } })
    await g.student.update('s1', { level: add(4), skills: new Set(['go']) })
    await g.student.update('s1', { skills: include('java', 'rust'), address: within({ zip: '30329' }) })
    await g.student.update('s1', { skills: exclude('go'), email: remove() })
    expect(await g.student.get('s1')).toEqual({
      ...tom,
      level: 5,
      friends: 0,
      skills: new Set(['java', 'rust']),
      address: { city: 'Atlanta', zip: '30329' },
    })
  })

  it('a node is written only when its condition holds', async () => {
    const g = await openSchool()
    await g.student.create({ ...tom, level: 3 })
    const raise = () => g.student.update('s1', { level: 9 })
    await expect(raise().if(r => r.level.above(5))).rejects.toMatchObject({ code: 'write.condition' })
    await raise().if(r => r.level.below(5).and(r.email.missing()))
    await expect(
      raise()
        .if(r => r.level.is(9))
        .if(r => r.name.is('Tim')),
    ).rejects.toMatchObject({ code: 'write.condition' })
    const both = (level: number) =>
      raise()
        .if(r => r.level.is(level))
        .if(r => r.name.is('Tom'))
    await expect(both(8)).rejects.toMatchObject({ code: 'write.condition' })
    await both(9)
    await g.student.delete('s1').if(r => r.level.between(8, 9).or(r.friends.is(0)).negated().negated())
    expect(await g.student.exists('s1')).toBe(false)
  })

  it('a node is locked by the etag that was read', async () => {
    const g = await openSchool()
    await g.student.create(tom)
    const row = (await g.student.get('s1'))!
    await g.student.update('s1', { level: 2 }).ifEtag(etagOf(row))
    await expect(g.student.update('s1', { level: 3 }).ifEtag(etagOf(row))).rejects.toMatchObject({
      code: 'write.condition',
    })
    expect((await g.student.get('s1'))?.level).toBe(2)
    expect(() => etagOf({})).toThrow(expect.objectContaining({ code: 'read.etag' }))
  })

  it('a condition is evaluated at the write and not at the preceding read', async () => {
    const store = memory()
    const user = node('user', { id: string(), mail: string(), size: integer() }, { id: 'id', unique: ['mail'] })
    const made = graph('users', [user])
    const other = await open(made, store)
    let isFirst = true
    const busy = wrap(store, async (operation, request, options, send) => {
      if (operation === 'transactWriteItems' && isFirst) {
        isFirst = false
        await other.user.put({ id: 'a', mail: 'a', size: 5 })
      }
      return send(request, options)
    })
    const g = await open(made, busy)
    await g.user.put({ id: 'a', mail: 'b', size: 12 }).if(row => row.size.is(12).negated())
    expect(await g.user.get('a')).toEqual({ id: 'a', mail: 'b', size: 12 })
    isFirst = true
    await g.user.delete('a')
    await expect(g.user.put({ id: 'a', mail: 'b', size: 1 }).if(row => row.size.above(5))).rejects.toMatchObject({
      code: 'write.condition',
    })
  })

  it('a write is retried a limited number of times when other calls change the row after each read', async () => {
    const store = memory()
    const other = await openSchool(store)
    await other.student.create({ ...tom, email: 'a' })
    let reads = 0
    const busy = wrap(store, async (operation, request, options, send) => {
      const answer = await send(request, options)
      if (operation === 'getItem' && reads++ > 0) await other.student.update('s1', { level: reads })
      return answer
    })
    const g = await openSchool(busy, { retry: { clock: new VirtualClock() } })
    await expect(g.student.update('s1', { email: 'b' })).rejects.toMatchObject({ code: 'write.contended' })
    expect(await other.student.get('s1')).toMatchObject({ email: 'a', level: reads })
  })

  it('a tenant with an empty name is rejected', async () => {
    const note = node('note', { id: string() }, { id: 'id' })
    const g = await open(graph('notes', [note], { tenant: true }), memory())
    for (const tenant of ['', undefined as never])
      expect(() => g.$tenant(tenant)).toThrow(expect.objectContaining({ code: 'call.tenant' }))
    await g.$tenant('a').note.put({ id: 'x' })
    expect([await g.$tenant('a').note.exists('x'), await g.$tenant('b').note.exists('x')]).toEqual([true, false])
  })

  it('several etags of a write must all match', async () => {
    const g = await openSchool()
    await g.student.put({ id: 'e', name: 'Ann' })
    const etag = etagOf((await g.student.get('e'))!)!
    const update = () => g.student.update('e', { level: 2 })
    await expect(update().ifEtag('other').ifEtag(etag)).rejects.toMatchObject({ code: 'write.condition' })
    await update().ifEtag(etag).ifEtag(etag)
  })

  it('a write returns the row before or after', async () => {
    const g = await openSchool()
    expect(await g.student.create(tom).returning('new')).toMatchObject({ level: 1 })
    expect(await g.student.update('s1', { level: add(1) }).returning('new')).toMatchObject({ level: 2 })
    expect(await g.student.update('s1', { level: 8, email: 'a@b.c' }).returning('old')).toMatchObject({ level: 2 })
    expect(await g.student.put({ ...tom, level: 9 }).returning('old')).toMatchObject({ level: 8, email: 'a@b.c' })
    expect(await g.student.delete('s1').returning('old')).toMatchObject({ level: 9 })
    expect(await g.student.delete('s1').returning('old')).toBeUndefined()
  })

  it('timestamps are set when they are declared', async () => {
    let now = Date.UTC(2026, 0, 1)
    const note = node(
      'note',
      { id: ulid(), text: string(), made: created(), changed: updated() },
      { id: 'id', by: { recent: { order: ['changed'] } } },
    )
    const g = await open(graph('notes', [note], { tenant: true }), memory(), { clock: () => now }).then(t =>
      t.$tenant('acme'),
    )
    const { id } = await g.note.create({ text: 'a' }).returning('new')
    now += 1000
    await g.note.update(id, { text: 'b' })
    expect(await g.note.by.recent().first()).toEqual({
      id,
      text: 'b',
      made: new Date('2026-01-01T00:00:00.000Z'),
      changed: new Date('2026-01-01T00:00:01.000Z'),
    })
    await expect(g.note.update(id, {})).rejects.toMatchObject({ code: 'write.empty' })
  })

  it('a validator supplies a default, which is not validated again', async () => {
    const length = validator<number>(value =>
      typeof value === 'number' ? { issues: [{ message: 'no text' }] } : { value: String(value ?? '').length },
    ) as StandardSchema<unknown, number> as StandardSchema<string | undefined, number>
    const word = node('word', { id: string(), length }, { id: 'id' })
    const g = await open(graph('words', [word]), memory())
    expect(await g.word.create({ id: 'a' } as never).returning('new')).toEqual({ id: 'a', length: 0 })
    await g.word.put({ id: 'b', length: 'four' })
    expect(await g.word.get('b')).toEqual({ id: 'b', length: 4 })
    await expect(g.word.put({ id: 'c', length: 4 as never })).rejects.toMatchObject({ code: 'value.check' })
  })

  it('add() on a decimal is exact for a text, a number or a bigint', async () => {
    const account = node('account', { id: string(), balance: decimal() }, { id: 'id' })
    const g = await open(graph('bank', [account]), memory())
    await g.account.put({ id: 'a', balance: '12345678901234567890.05' })
    for (const by of ['-0.10', 1, 1n]) await g.account.update('a', { balance: add(by) })
    expect(await g.account.get('a')).toEqual({ id: 'a', balance: '12345678901234567891.95' })
  })

  it('unique values appear and disappear with their node', async () => {
    const g = await openSchool()
    await g.student.create({ ...tom, email: 'tom@x.org' })
    await expect(g.student.create({ id: 's2', name: 'Tim', email: 'tom@x.org' })).rejects.toMatchObject({
      code: 'unique.taken',
      details: { type: 'student', name: 'email' },
    })
    expect(await g.student.by.email('tom@x.org')).toMatchObject({ id: 's1' })
    await g.student.update('s1', { email: 'tom@y.org' })
    await g.student.create({ id: 's2', name: 'Tim', email: 'tom@x.org' })
    expect(await g.student.by.email('tom@x.org')).toMatchObject({ id: 's2' })
    await g.student.delete('s1')
    await g.student.update('s2', { email: 'tom@y.org' })
    expect(await g.student.by.email('tom@x.org')).toBeUndefined()
  })
})
