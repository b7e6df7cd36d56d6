import { date, edge, graph, node, set, string, summary } from 'edgewise'

const person = node(
  'person',
  {
    id: string(),
    name: string(),
    born: date(),
    country: string(),
    city: string(),
    skills: set(string()),
    rank: summary(),
  },
  {
    id: 'id',
    by: {
      born: { order: ['born'], as: 'item', shards: 8 },
      name: { order: ['name'], as: 'item', shards: 4 },
      place: { in: ['country'], order: ['city'], as: 'item' },
      skill: { in: ['skills'], order: ['name'], as: 'item', shards: 4 },
      rank: { order: ['rank'] },
    },
  },
)
const knows = edge('knows', { from: person, to: person })

export const people = graph('people', [person, knows])
