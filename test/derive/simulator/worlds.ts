import { counter, date, edge, embedded, type Graph, graph, integer, node, string } from '../../../src/index.js'
import type { AnyType } from '../../../src/schema/graph.js'
import type { Random } from './random.js'

type Row = Record<string, unknown>

/** An edge of a world, and how one of it is made up. */
export interface EdgeOfWorld {
  readonly name: string
  readonly ends: readonly (readonly [end: string, node: string])[]
  attributes(random: Random, nowMs: number): Row
}

/** A random graph with everything that streams keep. */
export interface World {
  readonly graph: Graph<AnyType, boolean>
  readonly nodes: readonly { readonly name: string; attributes(random: Random): Row }[]
  readonly edges: readonly EdgeOfWorld[]
}

const NAMES = ['Ann', 'Bob']
const LEAST_MS = 60_000

const movie = node(
  'movie',
  { id: string(), title: string(), year: integer(), roles: counter(), pay: counter() },
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

/** A part of a world: a declaration, and how its rows are made up. */
interface Made extends EdgeOfWorld {
  readonly declared: object
}

export function worldOf(random: Random): World {
  const deleted = random.chance(0.8) ? 'remove' : 'keep'
  const others = [admires(random), befriends(), takes(random, deleted)].filter(() => random.chance(0.5))
  const edges = [role(random, deleted), ...others]
  const hasCourses = others.some(({ name }) => name === 'takes')
  const types = [movie, actor, ...(hasCourses ? [course] : []), ...edges.map(({ declared }) => declared)]
  return {
    graph: graph('world', types as never, { tenant: random.chance(0.2) } as never),
    nodes: [
      { name: 'movie', attributes: chance => ({ title: chance.pick(NAMES), year: chance.below(3) }) },
      { name: 'actor', attributes: chance => ({ name: chance.pick(NAMES), note: chance.below(3) }) },
      ...(hasCourses ? [{ name: 'course', attributes: (chance: Random) => ({ title: chance.pick(NAMES) }) }] : []),
    ],
    edges,
  }
}

/** Counted and summed at both ends, with copies of both, with a mirror that moves, and in some worlds with an end. */
function role(random: Random, deleted: 'remove' | 'keep'): Made {
  const yes = (share = 0.8) => random.chance(share)
  const onDelete = () => (yes(0.3) ? 'cascade' : 'leave')
  const expires = yes(0.4)
  const declared = edge(
    'role',
    { movie, actor },
    { pay: integer(), place: integer(), until: date().optional() },
    {
      carry: {
        ...(yes() && { title: { from: 'movie.title' as const, sync: 'eventual' as const, deleted } }),
        ...(yes() && { actorName: { from: 'actor.name' as const, sync: 'mirror' as const, deleted } }),
      },
      count: { movie: { into: 'roles', by: 'stream' }, ...(yes() && { actor: { into: 'parts', by: 'stream' } }) },
      sum: {
        movie: { into: 'pay', of: 'pay', by: 'stream' },
        ...(yes() && { actor: { into: 'paid', of: 'pay', by: 'stream' } }),
      },
      by: { actor: { as: 'mirror', ...(yes(0.5) && { order: ['place', 'movie'] }) } },
      ...(expires && { expires: 'until' }),
      onDelete: { movie: onDelete(), actor: onDelete() },
    },
  )
  return {
    declared,
    name: 'role',
    ends: [
      ['movie', 'movie'],
      ['actor', 'actor'],
    ],
    attributes: (chance, nowMs) => ({
      pay: chance.below(4),
      place: chance.below(3),
      ...(expires && chance.chance(0.2) && { until: new Date(nowMs + LEAST_MS + chance.below(1e6)) }),
    }),
  }
}

/** Between nodes of one type, so that there are loops. */
function admires(random: Random): Made {
  const declared = edge(
    'admires',
    { fan: actor, idol: actor },
    { degree: integer() },
    {
      count: {
        fan: { into: 'idols', by: 'stream' },
        idol: { into: 'fans', by: 'stream', ...(random.chance(0.5) && { where: { degree: [1, 2] } }) },
      },
    },
  )
  return {
    declared,
    name: 'admires',
    ends: [
      ['fan', 'actor'],
      ['idol', 'actor'],
    ],
    attributes: chance => ({ degree: chance.below(4) }),
  }
}

function befriends(): Made {
  const options = { undirected: true, count: { one: { into: 'friends', by: 'stream' } } } as const
  return {
    declared: edge('befriends', { one: actor, other: actor }, {}, options),
    name: 'befriends',
    ends: [
      ['one', 'actor'],
      ['other', 'actor'],
    ],
    attributes: () => ({}),
  }
}

/** With a copy that is also in the entries of a node, and in some worlds at most one of each pupil. */
function takes(random: Random, deleted: 'remove' | 'keep'): Made {
  const options = {
    ...(random.chance(0.5) && { one: 'pupil' }),
    carry: { name: { from: 'pupil.name', sync: 'eventual', deleted } },
    count: { course: { into: 'size', by: 'stream' } },
    ...(random.chance(0.5) && { embed: { course: { into: 'pupils', max: 40 } } }),
  }
  return {
    declared: edge('takes', { pupil: actor, course }, {}, options as never),
    name: 'takes',
    ends: [
      ['pupil', 'actor'],
      ['course', 'course'],
    ],
    attributes: () => ({}),
  }
}
