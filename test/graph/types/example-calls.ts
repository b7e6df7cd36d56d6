import { changes } from '../../../src/derive/change-feed.js'
import type { ChangeRecord } from '../../../src/dynamodb/operation-types.js'
import { memory } from '../../../src/embedded.js'
import {
  append,
  counter,
  created,
  date,
  edge,
  embedded,
  graph,
  include,
  integer,
  json,
  list,
  map,
  node,
  oneOf,
  open,
  remove,
  set,
  string,
  within,
} from '../../../src/index.js'
import { computed } from '../../../src/schema/transformed/index.js'

const code = string().optional()

const person = node(
  'person',
  {
    name: string(),
    born: integer().immutable(),
    nick: string().optional(),
    city: string(),
    friends: counter(),
    films: counter(),
    posts: embedded({ mood: string().optional() }),
    made: created(),
  },
  { id: ['name'], by: { city: { in: ['city'], order: ['born'] } } },
)
const film = node(
  'film',
  {
    year: integer(),
    no: integer(),
    title: string(),
    code,
    tags: set(oneOf('long', 'short')).optional(),
    slug: computed(string().optional(), { code }, row => row.code?.toLowerCase()),
  },
  { id: ['year', 'no'], unique: ['code'], by: { tag: { in: ['tags'], as: 'item' } } },
)
const scene = node(
  'scene',
  {
    no: integer(),
    kind: oneOf('day', 'night').default('day'),
    notes: list(map({ text: string(), at: date().optional(), tags: list(oneOf('a', 'b')).optional() })).optional(),
    extra: json().optional(),
    until: date().optional(),
  },
  { id: 'no', within: film, expires: 'until' },
)
const plays = edge(
  'plays',
  { person, film },
  { part: string(), mood: string().optional() },
  {
    key: ['part'],
    carry: {
      born: 'person.born',
      title: { from: 'film.title', sync: 'eventual' },
      code: { from: 'film.code', sync: 'eventual' },
      city: { from: 'person.city', sync: 'eventual', deleted: 'remove' },
    },
    count: { person: { into: 'films', by: 'stream' } },
  },
)
const posts = edge(
  'posts',
  { person, film },
  { mood: string().optional() },
  { embed: { person: { into: 'posts', max: 5 } } },
)
const knows = edge(
  'knows',
  { one: person, other: person },
  { since: integer() },
  { undirected: true, count: { one: 'friends' }, by: { one: { order: ['since'] } } },
)

const all = graph('answers', [person, film, scene, plays, posts, knows])
const store = memory()
const g = await open(all, store)
const first = { year: 1995, no: 1 }
const bare = { year: 1995, no: 2 }

/** Reads all records of the stream. */
async function records(): Promise<readonly ChangeRecord[]> {
  const StreamArn = (await store.describeTable({ TableName: 'answers' })).Table!.LatestStreamArn!
  const { StreamDescription } = await store.describeStream({ StreamArn })
  const { ShardId } = StreamDescription!.Shards![0]!
  const { ShardIterator } = await store.getShardIterator({
    StreamArn,
    ShardId: ShardId!,
    ShardIteratorType: 'TRIM_HORIZON',
  })
  return (await store.getRecords({ ShardIterator: ShardIterator! })).Records!
}

/** Calls in execution order. Each must resolve to a value of its inferred type. */
export const calls = {
  person: () => g.person.create({ name: 'Ann', born: 1980, nick: 'A', city: 'Ulm' }).returning('new'),
  'person without': () => g.person.put({ name: 'Bob', born: 1990, city: 'Ulm' }).returning('new'),
  'person before': () => g.person.put({ name: 'Bob', born: 1990, city: 'Ulm' }).returning('old'),
  'no person before': () => g.person.put({ name: 'Cid', born: 1970, city: 'Rom' }).returning('old'),
  film: () => g.film.put({ ...first, title: 'One', code: 'X1', tags: new Set(['long']) }).returning('new'),
  'film without': () => g.film.put({ ...bare, title: 'Two' }).returning('new'),
  scene: () =>
    g.scene.put({ film: first, no: 1, notes: [{ text: 'a', tags: ['b'] }], extra: { a: [null] } }).returning('new'),
  'scene within': () =>
    g.scene.update({ film: first, no: 1 }, { notes: within({ 0: within({ tags: append('a') }) }) }).returning('new'),
  'scene with a date': () => g.scene.put({ film: first, no: 2, until: new Date(4e12) }).returning('new'),
  'scene that is over': () => g.scene.put({ film: first, no: 3, until: new Date(0) }),
  'get what is over': () => g.scene.get({ film: first, no: 3 }),
  plays: () => g.plays.put({ person: 'Ann', film: first, part: 'P', mood: 'm' }).returning('new'),
  'plays without': () => g.plays.put({ person: 'Bob', film: bare, part: 'Q' }).returning('new'),
  posts: () => g.posts.put({ person: 'Ann', film: first, mood: 'good' }),
  'posts without': () => g.posts.put({ person: 'Ann', film: { year: 1, no: 1 } }),
  knows: () => g.knows.put({ one: 'Bob', other: 'Ann', since: 3 }).returning('new'),
  settled: () => g.$settled(),
  'all persons': () => g.person.scan().all(),
  'all films': () => g.film.scan().all(),
  'all scenes': () => g.scene.scan().all(),
  'all plays': () => g.plays.scan().all(),
  'all posts': () => g.posts.scan().all(),
  'all knows': () => g.knows.scan().all(),
  get: () => g.person.get('Ann'),
  'get one that is not there': () => g.person.get('Eve'),
  exists: () => g.person.exists('Ann'),
  many: () => g.person.many(['Ann', 'Bob', 'Eve']),
  'many edges': () => g.plays.many([{ person: 'Bob', film: bare, part: 'Q' }]),
  'persons by city': () =>
    g.person.by
      .city({ city: 'Ulm' })
      .where({ born: { from: 1985 } })
      .all(),
  'film by code': () => g.film.by.code('X1'),
  'no film by code': () => g.film.by.code('X2'),
  'films by tag': () => g.film.by.tag({ tags: 'long' }).all(),
  'scenes of a film': () => g.scene.by.film(first).where({ no: 2 }).page(),
  'films of a person': () => g.plays.by.person('Ann').where({ film: first, part: 'P' }).all(),
  'films themselves': () => g.plays.by.person('Ann').nodes().all(),
  'films with a person': () => g.plays.by.film(bare).withNodes().all(),
  'those one knows': () => g.knows.by.one('Ann').where({ since: 3 }).all(),
  'those who know one': () =>
    g.knows.by
      .other('Ann')
      .where({ since: { from: 1 } })
      .withNodes()
      .all(),
  'the first': () => g.plays.by.person('Ann').reverse().limit(1).first(),
  'no first': () => g.plays.by.person('Eve').first(),
  page: () => g.person.scan().page({ limit: 1 }),
  count: () => g.plays.by.person('Ann').count(),
  only: () => g.person.scan().only('nick', 'films', 'posts').all(),
  'only of an edge': () => g.plays.by.film(bare).only('code', 'city', 'film').all(),
  'only nothing': () => g.person.scan().only().all(),
  collect: () =>
    g.person.collect('Ann', {
      plays: g.plays.by.person,
      pairs: id => g.plays.by.person(id).withNodes(),
      films: id => g.plays.by.person(id).limit(1).nodes(),
    }),
  'collect where nothing is': () => g.film.collect({ year: 1, no: 9 }, { scenes: g.scene.by.film }),
  transaction: () => g.$transact([g.person.get('Ann'), g.film.exists(first), g.person.get('Eve')]),
  batch: () => g.$batch([g.film.get(first), g.person.exists('Eve'), g.posts.delete({ person: 'Bob', film: first })]),
  run: () => g.person.get('Eve').run(),
  update: () => g.film.update(first, { code: remove(), tags: include('short') }).returning('new'),
  'update before': () => g.film.update(bare, { title: 'Three' }).returning('old'),
  'update under a token': () => g.film.update(first, { title: 'Four' }).returning('new').run({ token: 't' }),
  'update that was done': () => g.film.update(first, { title: 'Four' }).returning('new').run({ token: 't' }),
  'person that goes': () => g.person.delete('Cid').returning('old'),
  'person that is gone': () => g.person.delete('Cid').returning('old'),
  'an edge that goes': () => g.knows.delete({ one: 'Ann', other: 'Bob' }).returning('old'),
  'a person with a film goes': () => g.person.delete('Bob'),
  'settled again': () => g.$settled(),
  'plays without what went': () => g.plays.by.film(bare).withNodes().all(),
  changes: async () => changes(all, await records()),
}
