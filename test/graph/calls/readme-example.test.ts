import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, integer, node, open, string } from '../../../src/index.js'

const movie = node('movie', { name: string(), year: integer() }, { id: 'name' })
const actor = node('actor', { name: string(), born: integer() }, { id: 'name' })
const role = edge('role', { movie, actor }, { character: string() })
const cinema = graph('cinema', [movie, actor, role])

async function opened() {
  const g = await open(cinema, memory())
  await g.movie.create({ name: 'Toy Story', year: 1995 })
  await g.actor.create({ name: 'Tom Hanks', born: 1956 })
  await g.role.put({ movie: 'Toy Story', actor: 'Tom Hanks', character: 'Woody' })
  return g
}

test('the first example of the README runs both ways', async () => {
  const g = await opened()
  const woody = { movie: 'Toy Story', actor: 'Tom Hanks', character: 'Woody' }
  expect(await g.movie.collect('Toy Story', { roles: g.role.by.movie })).toEqual({
    node: { name: 'Toy Story', year: 1995 },
    roles: [woody],
  })
  expect(await g.role.by.actor('Tom Hanks').all()).toEqual([woody])
  expect(await g.role.by.movie('Toy Story').withNodes().all()).toEqual([
    { edge: woody, node: { name: 'Tom Hanks', born: 1956 } },
  ])
  expect(g.role.by.actor('Tom Hanks').all().explain().toString()).toMatch(/Query on the index GSI1/)
})

test('a call reports its value, requests and units', async () => {
  const g = await opened()
  const { value, consumed, requests } = await g.movie.get('Toy Story').run()
  expect(value).toEqual({ name: 'Toy Story', year: 1995 })
  expect(requests).toBe(1)
  expect(consumed).toEqual({ total: 0.5, table: 0.5, indexes: {}, read: { table: 0.5 }, write: {} })
})
