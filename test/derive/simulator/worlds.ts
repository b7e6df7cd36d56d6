import { counter, date, edge, embedded, type Graph, graph, integer, node, string, summary } from '../../../src/index.js'
import type { AnyType } from '../../../src/schema/graph.js'
import type { Random } from './random.js'

type Row = Record<string, unknown>

/** An edge type of a world, and the generator of its edges. */
export interface EdgeOfWorld {
  readonly name: string
  readonly ends: readonly (readonly [end: string, node: string])[]
  /** The attributes that distinguish parallel edges. */
  key?(random: Random): Row
  attributes(random: Random, nowMs: number): Row
}

export interface NodeOfWorld {
  readonly name: string
  /** The end whose partition holds the edge. */
  readonly within?: string
  attributes(random: Random, nowMs: number): Row
}

/** A random graph with every kind of stream-derived data. */
export interface World {
  readonly graph: Graph<AnyType, boolean>
  readonly nodes: readonly NodeOfWorld[]
  readonly edges: readonly EdgeOfWorld[]
}

const NAMES = ['Ann', 'Bob']
const LEAST_MS = 60_000

const movie = node(
  'movie',
  {
    id: string(),
    title: string(),
    year: integer(),
    roles: counter(),
    leads: counter(),
    pay: counter(),
    places: counter(),
    fame: summary(integer()),
  },
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
    close: counter(),
    fans: counter(),
    idols: counter(),
    fame: summary(integer()),
  },
  { id: 'id' },
)
const course = node(
  'course',
  { id: string(), title: string(), size: counter(), pupils: embedded({ name: string().optional() }) },
  { id: 'id' },
)

/** A part of a world: a declaration with the generator of its rows. */
interface Made extends EdgeOfWorld {
  readonly declared: object
  /** The closure of a tree, which only the consumer writes. */
  readonly closure?: object
}

/** A tree with its closure, which has mirrors in some worlds. */
function manages(random: Random): Made {
  const ends = { worker: actor, boss: actor }
  const tree = edge('manages', ends, {}, { one: 'worker', tree: true })
  const by = random.chance(0.5) ? { boss: { as: 'mirror' as const, order: ['depth', 'worker'] as const } } : {}
  return {
    declared: tree,
    closure: edge('above', ends, { depth: integer(), path: string() }, { closureOf: tree, by }),
    name: 'manages',
    ends: [
      ['worker', 'actor'],
      ['boss', 'actor'],
    ],
    attributes: () => ({}),
  }
}

/** Edges in the partition of an actor. In some worlds they expire. */
const prize = (expires: boolean) =>
  node(
    'prize',
    {
      id: string(),
      name: string(),
      until: date().optional(),
      votes: counter(),
      weight: counter(),
      rivals: counter(),
      ages: counter(),
    },
    { id: 'id', within: actor, by: { best: { order: ['votes'] } }, ...(expires && { expires: 'until' }) },
  )

export function worldOf(random: Random): World {
  const deleted = random.chance(0.8) ? 'remove' : 'keep'
  const prizeExpires = random.chance(0.4)
  const owned = prize(prizeExpires)
  const all = [
    admires(random),
    befriends(),
    takes(random, deleted),
    votes(random, deleted, owned),
    rivals(random, owned),
    manages(random),
  ]
  const others = all.filter(() => random.chance(0.5))
  const edges = [role(random, deleted), ...others]
  const hasCourses = others.some(({ name }) => name === 'takes')
  const hasPrizes = others.some(({ name }) => name === 'votes' || name === 'rivals')
  const types = [
    movie,
    actor,
    ...(hasCourses ? [course] : []),
    ...(hasPrizes ? [owned] : []),
    ...edges.flatMap(({ declared, closure }) => [declared, ...(closure ? [closure] : [])]),
  ]
  return {
    graph: graph('world', types as never, { tenant: random.chance(0.2) } as never),
    nodes: [
      { name: 'movie', attributes: chance => ({ title: chance.pick(NAMES), year: chance.below(3) }) },
      { name: 'actor', attributes: chance => ({ name: chance.pick(NAMES), note: chance.below(3) }) },
      ...(hasCourses ? [{ name: 'course', attributes: (chance: Random) => ({ title: chance.pick(NAMES) }) }] : []),
      ...(hasPrizes ? [{ name: 'prize', within: 'actor', attributes: prizeAttributes(prizeExpires) }] : []),
    ],
    edges,
  }
}

/**
 * Edges with counters and sums at both ends, several at one end, copies of both ends, and a mirror that moves. In some
 * worlds they expire.
 */
function role(random: Random, deleted: 'remove' | 'keep'): Made {
  const yes = (share = 0.8) => random.chance(share)
  const onDelete = () => (yes(0.3) ? 'cascade' : 'leave')
  const expires = yes(0.4)
  const declared = edge(
    'role',
    { movie, actor },
    { pay: integer(), place: integer(), until: date().optional(), share: summary(integer()) },
    {
      carry: {
        ...(yes() && { title: { from: 'movie.title' as const, sync: 'eventual' as const, deleted } }),
        ...(yes() && { actorName: { from: 'actor.name' as const, sync: 'mirror' as const, deleted } }),
      },
      count: {
        movie: [
          { into: 'roles', by: 'stream' },
          { into: 'leads', by: 'stream', where: { place: [0, 1] } },
        ],
        ...(yes() && { actor: { into: 'parts', by: 'stream' } }),
      },
      sum: {
        movie: [
          { into: 'pay', of: 'pay', by: 'stream' },
          { into: 'places', of: 'place', by: 'stream', where: { pay: [1, 2] } },
        ],
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

/** Edges between nodes of one type, so that self-loops occur. */
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
  const close = { into: 'close', by: 'stream', where: { degree: [1, 2] } } as const
  const options = { undirected: true, count: { one: [{ into: 'friends', by: 'stream' }, close] } } as const
  return {
    declared: edge('befriends', { one: actor, other: actor }, { degree: integer() }, options),
    name: 'befriends',
    ends: [
      ['one', 'actor'],
      ['other', 'actor'],
    ],
    attributes: chance => ({ degree: chance.below(4) }),
  }
}

/** Edges with a copy that is also in the entries of a node. In some worlds each pupil has at most one. */
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

const prizeAttributes = (expires: boolean) => (chance: Random, nowMs: number) => ({
  name: chance.pick(NAMES),
  ...(expires && chance.chance(0.2) && { until: new Date(nowMs + LEAST_MS + chance.below(1e6)) }),
})

/** Parallel edges to an owned node, in several shards, with counters. */
function votes(random: Random, deleted: 'remove' | 'keep', owned: ReturnType<typeof prize>): Made {
  const yes = (share = 0.5) => random.chance(share)
  const where = yes() && { where: { weight: [1, 2] } }
  const expires = yes(0.3)
  const one = yes(0.2)
  const options = {
    key: ['lap'],
    ...(one && { one: 'voter' }),
    carry: {
      ...(yes() && { prizeName: { from: 'prize.name', sync: 'eventual', deleted } }),
      ...(yes() && { note: { from: 'voter.note', sync: 'eventual', deleted } }),
    },
    count: { prize: { into: 'votes', by: 'stream', ...where } },
    sum: { prize: { into: 'weight', of: yes() ? 'weight' : 'lap', by: 'stream', ...(yes() && where) } },
    by: {
      voter: { ...(yes() && { shards: 2 }) },
      prize: { as: 'mirror', ...(yes() && { shards: 3 }), ...(yes() && { order: ['weight', 'lap', 'voter'] }) },
    },
    onDelete: { prize: yes(0.3) ? 'cascade' : 'leave', voter: yes(0.3) ? 'cascade' : 'leave' },
    ...(expires && { expires: 'until' }),
  }
  const attributes = { lap: integer(), weight: integer(), until: date().optional() }
  return {
    declared: edge('votes', { voter: actor, prize: owned }, attributes, options as never),
    name: 'votes',
    ends: [
      ['voter', 'actor'],
      ['prize', 'prize'],
    ],
    key: chance => ({ lap: chance.below(2) }),
    attributes: (chance, nowMs) => ({
      weight: chance.below(4),
      ...(expires && chance.chance(0.2) && { until: new Date(nowMs + LEAST_MS + chance.below(1e6)) }),
    }),
  }
}

/** Edges between owned nodes, with a mirror in another order. */
function rivals(random: Random, owned: ReturnType<typeof prize>): Made {
  const yes = (share = 0.5) => random.chance(share)
  const options = {
    undirected: true,
    count: { one: [{ into: 'rivals', by: 'stream', ...(yes() && { where: { since: [0, 1] } }) }] },
    sum: { one: [{ into: 'ages', of: 'since', by: 'stream' }] },
    by: { one: { ...(yes() && { shards: 2 }) } },
    onDelete: { one: yes(0.3) ? 'cascade' : 'leave' },
  }
  return {
    declared: edge('rivals', { one: owned, other: owned }, { since: integer() }, options as never),
    name: 'rivals',
    ends: [
      ['one', 'prize'],
      ['other', 'prize'],
    ],
    attributes: chance => ({ since: chance.below(3) }),
  }
}
