import { boolean } from '../../../src/schema/attributes/boolean.js'
import { counter } from '../../../src/schema/attributes/counter.js'
import { date } from '../../../src/schema/attributes/date.js'
import { embedded } from '../../../src/schema/attributes/embedded.js'
import { integer } from '../../../src/schema/attributes/integer.js'
import { list } from '../../../src/schema/attributes/list.js'
import { map } from '../../../src/schema/attributes/map.js'
import { oneOf } from '../../../src/schema/attributes/one-of.js'
import { set } from '../../../src/schema/attributes/set.js'
import { string } from '../../../src/schema/attributes/string.js'
import { ulid } from '../../../src/schema/attributes/ulid.js'
import { edge } from '../../../src/schema/edge/edge.js'
import { graph } from '../../../src/schema/graph.js'
import { node } from '../../../src/schema/node.js'

const movie = node(
  'movie',
  {
    name: string(),
    year: integer(),
    tagline: string().optional(),
    added: date()
      .default(() => new Date())
      .immutable(),
    roles: counter(),
    minutes: counter(),
    genres: set(string()).optional(),
    takings: list(integer()).default([]),
    studio: map({ name: string(), city: string().optional() }).optional(),
  },
  { id: 'name', by: { year: { order: ['year', 'name'], shards: 4 } } },
)
const actor = node('actor', { name: string(), born: integer() }, { id: 'name' })
const role = edge(
  'role',
  { movie, actor },
  { character: string(), billing: integer().optional(), minutes: integer() },
  {
    key: ['character'],
    carry: { actorBorn: { from: 'actor.born', sync: 'eventual' }, added: 'movie.added' },
    count: { movie: 'roles' },
    sum: { movie: { into: 'minutes', of: 'minutes', by: 'stream' } },
    by: { actor: { order: ['movie', 'character'] } },
    onDelete: { movie: 'cascade' },
  },
)
const user = node(
  'user',
  { id: ulid(), email: string(), followers: counter(), friends: counter() },
  { id: 'id', unique: ['email'] },
)
const follow = edge(
  'follow',
  { follower: user, followee: user },
  { since: date() },
  { count: { followee: { into: 'followers', by: 'stream' } }, by: { followee: { order: ['since'], as: 'mirror' } } },
)
const friends = edge(
  'friends',
  { one: user, other: user },
  { since: date() },
  { undirected: true, count: { one: 'friends' } },
)
const shop = node(
  'shop',
  { country: string(), state: string(), city: string(), zip: integer(), open: boolean() },
  { id: ['country', 'zip'], by: { place: { in: ['country'], order: ['state', 'city', 'zip'] } } },
)
const course = node('course', { name: string(), students: embedded({ grade: oneOf('a', 'b') }) }, { id: 'name' })
const enrolled = edge(
  'enrolled',
  { user, course },
  { grade: oneOf('a', 'b') },
  { embed: { course: { into: 'students', max: 40 } } },
)
const order = node('order', { no: string(), total: integer() }, { id: 'no', within: user })

/** Every feature of a declaration, once. */
export const cinema = graph('cinema', [movie, actor, role, user, follow, friends, shop, course, enrolled, order])

/** A graph of tenants. */
export const shared = graph('shared', [node('note', { id: string() }, { id: 'id' })], { tenant: true })
