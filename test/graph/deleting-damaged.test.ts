import { describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { edge, graph, integer, layout, node, open, type Store, string, wrap } from '../../src/index.js'
import { repair } from '../../src/jobs/index.js'

const course = node('course', { id: string() }, { id: 'id' })
const pupil = node('pupil', { id: string() }, { id: 'id' })

/** A store that answers so many requests and no more. */
function tired(inner: Store, requests: number): Store {
  let left = requests
  return wrap(inner, async (_, request, call, send) => {
    if (left-- <= 0) throw new Error('more requests than it takes')
    return send(request, call)
  })
}

describe('deleting a node does not go on for ever', () => {
  it.each([undefined, ['seat']] as const)('where a mirror has lost its edge, sorted by %s', async order => {
    const by = { pupil: { as: 'mirror', ...(order && { order }) } } as const
    const sits = edge('sits', { course, pupil }, { seat: integer() }, { by, onDelete: { pupil: 'cascade' } })
    const school = graph('school', [course, pupil, sits])
    const store = memory()
    const g = await open(school, store)
    await g.pupil.create({ id: 'p' })
    for (const id of ['a', 'b', 'c']) {
      await g.course.create({ id })
      await g.sits.put({ course: id, pupil: 'p', seat: 1 })
    }
    // Others, or a restore, left the mirror alone.
    await store.deleteItem({ TableName: 'school', Key: g.sits.keyOf({ course: 'b', pupil: 'p' }) })
    const deleting = await open(school, tired(store, 40), { create: false })
    await deleting.pupil.delete('p')
    expect(await g.pupil.exists('p')).toBe(false)
    expect(await g.sits.by.course('a').count()).toBe(0)
    // Which is found, and goes as ever.
    expect(await repair(g)).toMatchObject({ mended: 1, faults: { 'mirror.orphan': 1 } })
    expect(await g.sits.by.pupil('p').count()).toBe(0)
  })

  it('where an item of others lies among its edges, which stays', async () => {
    const likes = edge('likes', { pupil, course }, {}, { onDelete: { pupil: 'cascade' } })
    const made = layout(graph('school', [course, pupil, likes]), {
      raw: true,
      keys: {
        pupil: { PK: 'P#{id}', SK: 'P' },
        course: { PK: 'C#{id}', SK: 'C' },
        likes: { PK: 'P#{pupil}', SK: 'L#{course}', GSI1PK: 'C#{course}', GSI1SK: 'L#{pupil}' },
      },
    })
    const store = memory()
    const g = await open(made, store)
    await g.pupil.create({ id: 'p' })
    const note = {
      PK: { S: 'P#p' },
      SK: { S: 'L#a#NOTE' },
      _type: { S: 'note' },
      pupil: { S: 'p' },
      course: { S: 'a' },
    }
    await store.putItem({ TableName: 'school', Item: note })
    const deleting = await open(made, tired(store, 40), { create: false })
    await deleting.pupil.delete('p')
    expect(await g.pupil.exists('p')).toBe(false)
    expect((await store.scan({ TableName: 'school' })).Items).toContainEqual(note)
  })
})
