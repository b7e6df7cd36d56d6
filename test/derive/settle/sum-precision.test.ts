import { describe, expect, it } from 'vitest'
import { counter, edge, graph, node, number, string } from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/index.js'
import { derived } from './derived-graph.js'

const pupil = node('pupil', { id: string() }, { id: 'id' })
const course = node('course', { id: string(), size: counter(), hours: counter() }, { id: 'id' })
const takes = edge(
  'takes',
  { course, pupil },
  { hours: number() },
  { count: { course: { into: 'size', by: 'stream' } }, sum: { course: { into: 'hours', of: 'hours', by: 'stream' } } },
)
const school = graph('school', [pupil, course, takes])

/** A number that has 39 digits with 0.5 added or 0.25 subtracted: one digit more than DynamoDB allows. */
const MANY_DIGITS = 1e37

/** A course whose pupils take these hours. */
async function setUp(hours: Readonly<Record<string, number>>) {
  const t = await derived(school)
  await t.g.course.put({ id: 'go' })
  for (const id of Object.keys(hours)) {
    await t.g.pupil.put({ id })
    await t.g.takes.put({ course: 'go', pupil: id, hours: hours[id] })
  }
  const counted = () => t.g.course.get('go')
  return { ...t, counted }
}

describe('a sum that exceeds 38 digits', () => {
  it('does not prevent other edges of its batch from being counted', async () => {
    const t = await setUp({ ann: 0.5, bob: 1, cid: 1, dan: MANY_DIGITS, eve: 1 })
    const { failures } = await t.handle(await t.tap.poll())
    expect(failures.length).toBeGreaterThan(0)
    expect(await t.counted()).toMatchObject({ size: 4, hours: 3.5 })
    await t.g.takes.update({ course: 'go', pupil: 'dan' }, { hours: 1 })
    await t.isWhole()
    expect(await t.counted()).toMatchObject({ size: 5, hours: 4.5 })
  })

  it('between the old and the new value of an edge is avoided by subtracting the old value first', async () => {
    const t = await setUp({ ann: MANY_DIGITS, bob: 0 })
    await t.isWhole()
    await t.g.takes.update({ course: 'go', pupil: 'ann' }, { hours: 0.25 })
    await t.isWhole()
    expect(await t.counted()).toMatchObject({ size: 2, hours: 0.25 })
  })

  it('between the old and the new value of an edge does not stop a repair', async () => {
    const t = await setUp({ ann: MANY_DIGITS, bob: 0 })
    await t.isWhole()
    await t.g.takes.update({ course: 'go', pupil: 'ann' }, { hours: 0.25 })
    expect(await repair(t.g)).toMatchObject({ repaired: 1, faults: { 'counter.behind': 1 } })
    expect(await t.counted()).toMatchObject({ size: 2, hours: 0.25 })
    expect((await verify(t.g)).faults).toEqual({})
  })

  it('in one order of edges only does not stop verify and repair', async () => {
    const t = await setUp({ zed: -MANY_DIGITS })
    await t.catchUp()
    for (const [id, hours] of Object.entries({ ann: MANY_DIGITS, bob: 0.5 })) {
      await t.g.pupil.put({ id })
      await t.g.takes.put({ course: 'go', pupil: id, hours })
      await t.catchUp()
    }
    expect(await t.counted()).toMatchObject({ size: 3, hours: 0.5 })
    expect(await verify(t.g).catch(String)).toMatchObject({ faults: {} })
    expect(await repair(t.g).catch(String)).toMatchObject({ repaired: 0 })
    expect(await t.counted()).toMatchObject({ size: 3, hours: 0.5 })
    // Both edges are deleted before either is subtracted.
    for (const id of ['bob', 'ann']) await t.g.takes.delete({ course: 'go', pupil: id })
    await t.catchUp()
    expect(await t.counted()).toMatchObject({ size: 1, hours: -MANY_DIGITS })
    await t.isWhole()
  })
})
