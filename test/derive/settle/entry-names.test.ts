import { expect, test } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { edge, embedded, graph, layout, node, open, string } from '../../../src/index.js'
import { backfill, verify } from '../../../src/jobs/index.js'

/** Names of members that every object inherits. */
const NAMES = ['toString', 'constructor', '__proto__']

const pupil = node('pupil', { id: string(), nick: string() }, { id: 'id' })
const course = node('course', { id: string(), pupils: embedded({ nick: string() }) }, { id: 'id' })
const carry = { nick: { from: 'pupil.nick', sync: 'eventual' } } as const

test.each(NAMES)('the entry %s of a deleted edge is removed once', async id => {
  const takes = edge('takes', { pupil, course }, {}, { carry, embed: { course: { into: 'pupils', max: 4 } } })
  const g = await open(graph('school', [pupil, course, takes]), memory())
  await g.course.put({ id: 'math' })
  await g.pupil.put({ id, nick: 'a' })
  await g.takes.put({ pupil: id, course: 'math' })
  await g.takes.delete({ pupil: id, course: 'math' })
  await g.$settled()
  expect(await g.course.get('math')).toEqual({ id: 'math', pupils: {} })
  expect((await verify(g)).faults).toEqual({})
})

test.each(NAMES)('the entry named %s is removed when another edge replaces its edge', async id => {
  const leads = edge(
    'leads',
    { pupil, course },
    { nick: string() },
    {
      one: 'course',
      embed: { course: { into: 'pupils', max: 4 } },
    },
  )
  const g = await open(graph('school', [pupil, course, leads]), memory())
  await g.course.put({ id: 'math' })
  for (const each of [id, 'bob']) await g.pupil.put({ id: each, nick: 'x' })
  await g.leads.put({ pupil: id, course: 'math', nick: 'a' })
  await g.leads.put({ pupil: 'bob', course: 'math', nick: 'b' })
  expect(await g.course.get('math')).toEqual({ id: 'math', pupils: { bob: { nick: 'b' } } })
  await g.leads.put({ pupil: id, course: 'math', nick: 'c' })
  expect(Object.entries((await g.course.get('math'))!.pupils)).toEqual([[id, { nick: 'c' }]])
  expect((await verify(g)).faults).toEqual({})
})

test.each([...NAMES, 'bob'])('the entry named %s is migrated when its node moves to other keys', async id => {
  const takes = edge(
    'takes',
    { pupil, course },
    { nick: string() },
    {
      embed: { course: { into: 'pupils', max: 4 } },
      by: { course: { as: 'none' } },
    },
  )
  const school = graph('school', [pupil, course, takes])
  const moved = layout(school, { keys: { course: { PK: 'C#{id}', SK: 'C' } } })
  const store = memory()
  const g = await open(school, store)
  for (const each of [id, 'ann']) await g.pupil.put({ id: each, nick: 'x' })
  await g.course.put({ id: 'math' })
  await g.takes.put({ pupil: id, course: 'math', nick: 'a' })
  const early = await open(moved, store, { drift: 'allow' })
  await early.course.put({ id: 'math' })
  await early.takes.put({ pupil: 'ann', course: 'math', nick: 'b' })
  await backfill(moved, store, { from: school })
  const h = await open(moved, store)
  const { pupils } = (await h.course.get('math'))!
  expect(Object.keys(pupils).sort()).toEqual([id, 'ann'].sort())
})
