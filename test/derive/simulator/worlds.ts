import { counter, date, edge, embedded, type Graph, graph, integer, node, string } from '../../../src/index.js'
import type { AnyType } from '../../../src/schema/graph.js'
import type { Random } from './random.js'

type Row = Record<string, unknown>

/** An edge of a world, and how one of it is made up. */
export interface EdgeOfWorld {
  readonly name: string
  readonly ends: readonly [end: string, node: string][]
  /** whether it can expire */
  readonly expires: boolean
  attributes(random: Random, nowMs: number): Row
}

/** A random graph with everything that streams keep. */
export interface World {
  readonly graph: Graph<AnyType, boolean>
  readonly nodes: readonly { readonly name: string; attributes(random: Random): Row }[]
  readonly edges: readonly EdgeOfWorld[]
}

const NAMES = ['Ann', 'Bob', 'Cid']
const LEAST_MS = 60_000

export function worldOf(random: Random): World {
  const yes = (share = 0.5) => random.chance(share)
  const onDelete = () => (yes(0.3) ? 'cascade' : 'leave')
  const deleted = yes(0.8) ? ('remove' as const) : ('keep' as const)
  const movie = node(
    'movie',
    { id: string(), title: string(), year: integer(), roles: counter(), pay: counter(), stars: counter() },
    { id: 'id' },
  )
  const actor = node(
    'actor',
    {
      id: string(),
      name: string(),
      note: integer().optional(),
      parts: counter(),
      paid: counter(),
      friends: counter(),
      fans: counter(),
      idols: counter(),
    },
    { id: 'id' },
  )
  const course = node(
    'course',
    { id: string(), title: string(), size: counter(), pupils: embedded({ name: string().optional() }) },
    { id: 'id' },
  )
  const ordered = yes()
  const expires = yes(0.4)
  const role = edge(
    'role',
    { movie, actor },
    { pay: integer(), place: integer(), until: date().optional() },
    {
      carry: {
        ...(yes(0.8) && { title: { from: 'movie.title' as const, sync: 'eventual' as const, deleted } }),
        ...(yes(0.8) && { actorName: { from: 'actor.name' as const, sync: 'mirror' as const, deleted } }),
      },
      count: { movie: { into: 'roles', by: 'stream' }, ...(yes(0.8) && { actor: { into: 'parts', by: 'stream' } }) },
      sum: {
        movie: { into: 'pay', of: 'pay', by: 'stream' },
        ...(yes(0.8) && { actor: { into: 'paid', of: 'pay', by: 'stream' } }),
      },
      by: { actor: { as: 'mirror', ...(ordered && { order: ['place', 'movie'] }) } },
      ...(expires && { expires: 'until' }),
      onDelete: { movie: onDelete(), actor: onDelete() },
    },
  )
  const admires = edge(
    'admires',
    { fan: actor, idol: actor },
    { degree: integer() },
    {
      count: {
        fan: { into: 'idols', by: 'stream' },
        idol: { into: 'fans', by: 'stream', ...(yes() && { where: { degree: [1, 2] } }) },
      },
    },
  )
  const befriends = edge(
    'befriends',
    { one: actor, other: actor },
    {},
    { undirected: true, count: { one: { into: 'friends', by: 'stream' } } },
  )
  const takes = edge('takes', { pupil: actor, course }, {}, {
    one: yes() ? 'pupil' : undefined,
    carry: { name: { from: 'pupil.name', sync: 'eventual', deleted } },
    count: { course: { into: 'size', by: 'stream' } },
    ...(yes() && { embed: { course: { into: 'pupils', max: 40 } } }),
  } as never)
  const rest = [...(yes() ? [admires] : []), ...(yes() ? [befriends] : []), ...(yes() ? [takes] : [])]
  return {
    graph: graph(
      'world',
      [movie, actor, ...(rest.includes(takes) ? [course] : []), role, ...rest] as never,
      {
        tenant: yes(0.2),
      } as never,
    ),
    nodes: [
      { name: 'movie', attributes: chance => ({ title: chance.pick(NAMES), year: chance.below(3) }) },
      { name: 'actor', attributes: chance => ({ name: chance.pick(NAMES), note: chance.below(3) }) },
      ...(rest.includes(takes)
        ? [{ name: 'course', attributes: (chance: Random) => ({ title: chance.pick(NAMES) }) }]
        : []),
    ],
    edges: [
      {
        name: 'role',
        ends: [
          ['movie', 'movie'],
          ['actor', 'actor'],
        ],
        expires,
        attributes: (chance, nowMs) => ({
          pay: chance.below(4),
          place: chance.below(3),
          ...(expires && chance.chance(0.2) && { until: new Date(nowMs + LEAST_MS + chance.below(1e6)) }),
        }),
      },
      ...(rest.includes(admires)
        ? [
            {
              name: 'admires',
              ends: [
                ['fan', 'actor'],
                ['idol', 'actor'],
              ],
              expires: false,
              attributes: (chance: Random) => ({ degree: chance.below(4) }),
            } as EdgeOfWorld,
          ]
        : []),
      ...(rest.includes(befriends)
        ? [
            {
              name: 'befriends',
              ends: [
                ['one', 'actor'],
                ['other', 'actor'],
              ],
              expires: false,
              attributes: () => ({}),
            } as EdgeOfWorld,
          ]
        : []),
      ...(rest.includes(takes)
        ? [
            {
              name: 'takes',
              ends: [
                ['pupil', 'actor'],
                ['course', 'course'],
              ],
              expires: false,
              attributes: () => ({}),
            } as EdgeOfWorld,
          ]
        : []),
    ],
  }
}
