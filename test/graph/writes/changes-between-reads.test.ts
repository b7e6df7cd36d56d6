import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { edge, embedded, graph, node, open, type Store, string, wrap } from '../../../src/index.js'

const entry = embedded({ name: string() })
const pupil = node('pupil', { id: string(), attended: entry, taken: entry }, { id: 'id' })
const course = node('course', { id: string() }, { id: 'id' })
const attends = edge(
  'attends',
  { pupil, course },
  { name: string() },
  { one: 'pupil', embed: { pupil: { into: 'attended', max: 2 } } },
)
const takes = edge('takes', { pupil, course }, { name: string() }, { embed: { pupil: { into: 'taken', max: 2 } } })

/**
 * A store that reads nodes before edges, because a DynamoDB batch is not a snapshot, and lets other calls write in
 * between.
 */
function torn(store: Store) {
  const isNode = (SK: string) => SK === '#'
  let between: (() => Promise<unknown>) | undefined
  const seen = wrap(store, async (operation, request, options, send) => {
    const others = between
    if (operation !== 'batchGetItem' || !others) return send(request, options)
    between = undefined
    const { RequestItems } = request as { RequestItems: Record<string, { Keys: Record<string, { S: string }>[] }> }
    const [[table, { Keys }]] = Object.entries(RequestItems) as [[string, { Keys: Record<string, { S: string }>[] }]]
    const read = async (Key: Record<string, { S: string }>) =>
      (await store.getItem({ TableName: table, Key, ConsistentRead: true })).Item ?? []
    const first = await Promise.all(Keys.filter(({ SK }) => isNode(SK!.S)).map(read))
    await others()
    const second = await Promise.all(Keys.filter(({ SK }) => !isNode(SK!.S)).map(read))
    return { Responses: { [table]: [...first, ...second].flat() }, UnprocessedKeys: {} } as never
  })
  return { seen, next: (others: () => Promise<unknown>) => (between = others) }
}

async function school() {
  const store = memory()
  const { seen, next } = torn(store)
  const declared = graph('school', [pupil, course, attends, takes])
  const g = await open(declared, seen, { create: true })
  const other = await open(declared, store)
  await g.pupil.create({ id: 'ann' })
  for (const id of ['art', 'law', 'math']) await g.course.create({ id })
  return { g, other, next }
}

it('an entry created between the reads of its node and its edge is deleted with its edge', async () => {
  const { g, other, next } = await school()
  await g.attends.put({ pupil: 'ann', course: 'art', name: 'Art' })
  next(async () => other.attends.put({ pupil: 'ann', course: 'law', name: 'Law' }))
  await g.attends.put({ pupil: 'ann', course: 'math', name: 'Math' })
  expect((await g.pupil.get('ann'))?.attended).toEqual({ math: { name: 'Math' } })
})

it('the first entry of a node created between the reads is deleted with its edge', async () => {
  const { g, other, next } = await school()
  next(async () => other.takes.put({ pupil: 'ann', course: 'art', name: 'Art' }))
  await g.takes.delete({ pupil: 'ann', course: 'art' })
  expect((await g.pupil.get('ann'))?.taken).toEqual({})
})

it('an edge deleted between the reads is put only if its node still has room', async () => {
  const { g, other, next } = await school()
  await g.takes.put({ pupil: 'ann', course: 'art', name: 'Art' })
  next(async () => {
    await other.takes.delete({ pupil: 'ann', course: 'art' })
    await other.takes.put({ pupil: 'ann', course: 'law', name: 'Law' })
    await other.takes.put({ pupil: 'ann', course: 'math', name: 'Math' })
  })
  await expect(g.takes.put({ pupil: 'ann', course: 'art', name: 'Art' })).rejects.toMatchObject({
    code: 'edge.embed.full',
  })
  expect((await g.pupil.get('ann'))?.taken).toEqual({ law: { name: 'Law' }, math: { name: 'Math' } })
})
