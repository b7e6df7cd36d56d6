import { edge, graph, integer, layout, node, open, string } from 'edgewise'
import { memory } from 'edgewise/engine'
import { listener, show } from '../print.js'

const movie = node('movie', { name: string(), year: integer() }, { id: 'name' })
const actor = node('actor', { name: string(), born: integer() }, { id: 'name' })
const role = edge('role', { movie, actor }, { character: string() }, { by: { actor: { as: 'inverted' } } })

const cinema = layout(graph('cinema', [movie, actor, role]), {
  keys: {
    movie: { PK: 'MOVIE#{name}', SK: 'MOVIE#{name}' },
    actor: { PK: 'ACTOR#{name}', SK: 'ACTOR#{name}' },
    role: { PK: 'MOVIE#{movie}', SK: 'ACTOR#{actor}' },
  },
})

export const rows = {
  movie: [
    { name: 'Cast Away', year: 2000 },
    { name: 'Toy Story', year: 1995 },
  ],
  actor: [
    { name: 'Tim Allen', born: 1953 },
    { name: 'Tom Hanks', born: 1956 },
  ],
  role: [
    { movie: 'Toy Story', actor: 'Tom Hanks', character: 'Woody' },
    { movie: 'Toy Story', actor: 'Tim Allen', character: 'Buzz' },
    { movie: 'Cast Away', actor: 'Tom Hanks', character: 'Chuck' },
  ],
}

export const store = memory()
export const g = await open(cinema, store, { listener })
await g.$batch(rows.movie.map(each => g.movie.put(each)))
await g.$batch(rows.actor.map(each => g.actor.put(each)))
await g.$batch(rows.role.map(each => g.role.put(each)))

export const asked = await show({
  title: 'Movies, actors, and the roles that they play',
  graph: g,
  store,
  rows,
  patterns: {
    'A movie with its roles': () => g.movie.collect('Toy Story', { roles: g.role.by.movie }),
    'An actor with his roles': () => g.actor.collect('Tom Hanks', { roles: g.role.by.actor }),
    'The roles of a movie, with whole actors': () => g.role.by.movie('Toy Story').withNodes().all(),
    'One role': () => g.role.get({ movie: 'Toy Story', actor: 'Tom Hanks' }),
  },
})
