import { describe, expect, it } from 'vitest'
import { deadLetters, follow } from '../../../src/derive/index.js'
import { ItemSizeError } from '../../../src/derive/settle/item-size-error.js'
import { counter, edge, graph, node, string } from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/index.js'
import { derived } from './derived-graph.js'

const pupil = node('pupil', { id: string(), name: string() }, { id: 'id' })
const course = node('course', { id: string(), size: counter() }, { id: 'id' })
const takes = edge(
  'takes',
  { course, pupil },
  { essay: string() },
  {
    count: { course: { into: 'size', by: 'stream' } },
    carry: { name: { from: 'pupil.name', sync: 'eventual' } },
  },
)
const school = graph('school', [pupil, course, takes])

/** The remaining bytes of the 400 KB are the etag, the type mark and the attribute names. */
const LARGE = 'x'.repeat(400 * 1024 - 110)

/** Two courses with three pupils each. One edge of each course has no room for further attributes. */
async function setUp() {
  const t = await derived(school)
  await t.g.course.put({ id: 'c' })
  for (const id of ['ann', 'bob', 'cid']) {
    await t.g.pupil.put({ id, name: id })
    await t.g.takes.put({ course: 'c', pupil: id, essay: id === 'bob' ? LARGE : 'short' })
  }
  return t
}

describe('an edge that would exceed the item size with its counted contribution', () => {
  it("an edge that its counted contribution would make too large is reported by its key, and its node's other edges are counted", async () => {
    const t = await setUp()
    const { failures } = await t.handle(await t.tap.poll())
    expect(await t.g.course.get('c')).toMatchObject({ size: 2 })
    expect(failures.length).toBeGreaterThan(0)
    for (const { error } of failures)
      expect(error).toMatchObject({ code: 'write.size', message: expect.stringContaining('course#c takes#bob') })
  })

  it('becomes a dead letter, and other records do not', async () => {
    const t = await setUp()
    const follower = await follow(school, t.store, { attempts: 2, sleep: async () => {}, listener: () => {} })
    await follower.settled()
    await follower.stop()
    const keys: unknown[] = []
    for await (const { record } of deadLetters(school, t.store)) keys.push(record.dynamodb?.Keys?.SK?.S)
    // A new course counts all of its edges.
    expect(keys).toEqual(['#', 'takes#bob'])
    expect(await t.g.course.get('c')).toMatchObject({ size: 2 })
  })

  it('does not stop verify or repair', async () => {
    const t = await setUp()
    await t.handle(await t.tap.poll())
    expect(await verify(t.g)).toMatchObject({ faults: { 'counter.behind': 1 } })
    expect(await repair(t.g)).toMatchObject({ repaired: 0, faults: { 'counter.behind': 1 } })
    await t.g.takes.update({ course: 'c', pupil: 'bob' }, { essay: 'short' })
    await t.isWhole()
    expect(await t.g.course.get('c')).toMatchObject({ size: 3 })
  })

  it('does not prevent the copies on other edges from following their source', async () => {
    const t = await derived(school)
    await t.g.pupil.put({ id: 'ann', name: 'A' })
    for (const [at, id] of ['a', 'b', 'c'].entries()) {
      await t.g.course.put({ id })
      await t.g.takes.put({ course: id, pupil: 'ann', essay: at === 1 ? LARGE : 'short' })
    }
    await t.handle(await t.tap.poll())
    await t.g.pupil.update('ann', {
      name: 'Ann the longest name of all, which needs more room than there is'.repeat(5),
    })
    const { failures } = await t.handle(await t.tap.poll())
    const copies = (await t.g.takes.by.pupil('ann').all()) as { name?: string }[]
    expect(copies.map(({ name }) => `${name}`.length > 1)).toEqual([true, false, true])
    expect(failures.map(({ record }) => record.dynamodb?.Keys?.PK?.S)).toEqual(['pupil#ann'])
    expect(failures[0]?.error).toMatchObject({ code: 'write.size' })
  })
})

it('the error of an oversized item contains its key, even if the key is a number', () => {
  const { message } = new ItemSizeError([{ pk: { N: '7' }, sk: { S: 'a' } }], undefined)
  expect(message).toContain("item '7 a': this item has no room")
})
