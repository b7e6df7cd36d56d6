import { date, edge, graph, node, open, set, string } from 'edgewise'
import { memory } from 'edgewise/engine'
import { listener, show } from '../print.js'

const person = node(
  'person',
  { id: string(), name: string(), born: date(), country: string(), city: string(), skills: set(string()) },
  {
    id: 'id',
    by: {
      born: { order: ['born'], as: 'item', shards: 8 },
      name: { order: ['name'], as: 'item', shards: 4 },
      place: { in: ['country'], order: ['city'], as: 'item' },
      skill: { in: ['skills'], order: ['name'], as: 'item', shards: 4 },
    },
  },
)
const knows = edge('knows', { from: person, to: person })

export const rows = {
  person: [
    {
      id: 'p1',
      name: 'Jane',
      born: new Date('1980-05-01'),
      country: 'USA',
      city: 'Boston',
      skills: new Set(['java', 'sql']),
    },
    {
      id: 'p2',
      name: 'John',
      born: new Date('1975-11-12'),
      country: 'USA',
      city: 'Austin',
      skills: new Set(['java']),
    },
    {
      id: 'p3',
      name: 'Mia',
      born: new Date('1990-02-28'),
      country: 'Italy',
      city: 'Rome',
      skills: new Set(['sql']),
    },
  ],
  knows: [
    { from: 'p2', to: 'p1' },
    { from: 'p3', to: 'p1' },
  ],
}

export const store = memory()
export const g = await open(graph('people', [person, knows]), store, { listener })
await g.$batch(rows.person.map(each => g.person.put(each)))
await g.$batch(rows.knows.map(each => g.knows.put(each)))

export const asked = await show({
  title: 'People by dates, names, places and skills, on one overloaded, sharded index',
  graph: g,
  store,
  rows,
  patterns: {
    'Who was born in a decade, in order': () =>
      g.person.by
        .born()
        .where({ born: { from: new Date('1975-01-01'), to: new Date('1985-01-01') } })
        .all(),
    'A page of those who have a skill': () => g.person.by.skill({ skills: 'java' }).page({ limit: 25 }),
    'The first whose name begins with J': () =>
      g.person.by
        .name()
        .where({ name: { startsWith: 'J' } })
        .first(),
    'Who lives in a country, by city': () => g.person.by.place({ country: 'USA' }).all(),
    'How many live in a country': () => g.person.by.place({ country: 'USA' }).count(),
    'The people who know someone': () => g.knows.by.to('p1').nodes().all(),
  },
})
