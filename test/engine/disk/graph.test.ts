import { expect, it } from 'vitest'
import { disk } from '../../../src/engine/index.js'
import { edge, graph, node, open, string } from '../../../src/index.js'
import { temporaryFolder } from './temporary-folder.js'

const movie = node('movie', { name: string() }, { id: 'name' })
const actor = node('actor', { name: string() }, { id: 'name' })
const role = edge('role', { movie, actor }, { character: string() })
const cinema = graph('cinema', [movie, actor, role])

it('a graph creates its table on disk automatically and finds it when reopened', async () => {
  const path = temporaryFolder()
  const store = disk(path)
  const g = await open(cinema, store)
  await g.movie.create({ name: 'Toy Story' })
  await g.actor.create({ name: 'Tom Hanks' })
  await g.role.put({ movie: 'Toy Story', actor: 'Tom Hanks', character: 'Woody' })
  await store.close()
  const again = disk(path)
  const { role: roles } = await open(cinema, again)
  expect(await roles.by.actor('Tom Hanks').all()).toEqual([
    { movie: 'Toy Story', actor: 'Tom Hanks', character: 'Woody' },
  ])
  await again.close()
})
