import { open } from 'edgewise'
import { memory } from 'edgewise/engine'
import { listener, show } from '../print.js'
import { people } from './graph.js'
import { rows } from './rows.js'

export { rows }
export const store = memory()
export const g = await open(people, store, { listener })
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
