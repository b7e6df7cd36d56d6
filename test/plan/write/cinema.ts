import { memory } from '../../../src/engine/memory.js'
import { type Layout, layout } from '../../../src/layout/layout.js'
import type { Plan } from '../../../src/plan/plan.js'
import { list } from '../../../src/schema/attributes/list.js'
import { toCreateTableInput } from '../../../src/table/table-definition.js'
import { counter, edge, graph, integer, node, set, string } from '../../layout/declarations.js'
import { run } from './run-write.js'

export const environment = { now: () => 0, random: (bytes: number) => new Uint8Array(bytes).fill(7) }
export const options = { environment }
/** Randomness, so that each write has a distinct etag. */
export const fresh = {
  environment: { ...environment, random: (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)) },
}
export const ETAG = '070707070707070707'

export const movie = node(
  'movie',
  { name: string(), year: integer({ min: 1800, max: 2200 }), studio: string().optional() },
  {
    id: 'name',
    by: { year: { in: ['studio'], order: ['year'] } },
  },
)
export const actor = node(
  'actor',
  {
    name: string(),
    born: integer().immutable(),
    email: string().optional(),
    roles: counter(),
    tags: set(string()).optional(),
  },
  {
    id: 'name',
    unique: ['email'],
    by: { tag: { in: ['tags'], as: 'item' } },
  },
)
const role = edge(
  'role',
  { movie, actor },
  { character: string(), lines: list(string()).optional(), notes: set(string()).optional() },
)
const award = edge(
  'award',
  { movie, actor },
  { prize: string() },
  { count: { actor: 'roles' }, carry: { born: 'actor.born' } },
)
export const cinema = layout(graph('cinema', [movie, actor, role, award]))

export const requests = ({ steps }: Plan) => steps.map(({ request }) => request.operation)
export const last = ({ steps }: Plan) => steps.at(-1)!.request.input as Record<string, unknown>
export const toyStory = { name: 'Toy Story', year: 1995, studio: 'Pixar' }
export const woody = { movie: 'Toy Story', actor: 'Tom Hanks', character: 'Woody' }
export const wholeItem = {
  PK: { S: 'movie#Toy Story' },
  SK: { S: '#' },
  GSI1PK: { S: 'movie.year#Pixar' },
  GSI1SK: { S: '1995#Toy Story' },
  _type: { S: 'movie' },
  _etag: { S: ETAG },
  year: { N: '1995' },
  studio: { S: 'Pixar' },
}

/** A separate table, and the function that sends plans to it. */
export async function opened(made: Layout) {
  const store = memory()
  await store.createTable(toCreateTableInput(made.design))
  return { store, send: (plan: Plan, meanwhile?: () => Promise<void>) => run(store, made, plan, meanwhile) }
}
