import { counter, created, date, edge, graph, node, type OpenedOf, string, ulid } from 'edgewise'
import { lettersUpTo, matching } from './checks.js'

const handle = string().check(matching(/^[a-z0-9_]{2,30}$/, '2 to 30 small letters, digits and underscores'))
const email = string().check(matching(/^[^@\s]+@[^@\s]+$/, 'an address of mail'))

const user = node(
  'user',
  {
    handle,
    email,
    name: string().check(lettersUpTo(50)),
    joined: created(),
    followers: counter(),
    following: counter(),
    posts: counter(),
  },
  { id: 'handle', unique: ['email'] },
)

/** Its id is a ULID that the client makes: it sorts by time, and a request that is sent again is the same post. */
const post = node(
  'post',
  { id: ulid(), author: string().immutable(), text: string().immutable().check(lettersUpTo(500)), likes: counter() },
  { id: 'id' },
)

const wrote = edge(
  'wrote',
  { author: user, post },
  {},
  {
    one: 'post',
    count: { author: 'posts' },
    onDelete: { post: 'cascade' },
  },
)

/**
 * Some users have very many followers, so their counter is kept by the stream: one write for many follows. The names of
 * both are copied, so that a list of follows is one Query, and follow when a user takes another name.
 */
const follow = edge(
  'follow',
  { follower: user, followee: user },
  { since: created() },
  {
    count: { follower: { into: 'following', by: 'stream' }, followee: { into: 'followers', by: 'stream' } },
    carry: {
      followerName: { from: 'follower.name', sync: 'eventual' },
      followeeName: { from: 'followee.name', sync: 'eventual' },
    },
    by: { followee: { order: ['since'], as: 'mirror' } },
    onDelete: { follower: 'cascade', followee: 'cascade' },
  },
)

const like = edge(
  'like',
  { user, post },
  { at: created() },
  {
    count: { post: { into: 'likes', by: 'stream' } },
    by: { post: { order: ['at'], as: 'mirror' } },
    onDelete: { user: 'cascade', post: 'cascade' },
  },
)

/** The feed of a reader: a post adds one entry for each follower, and entries expire. */
const feed = edge(
  'feed',
  { reader: user, post },
  { until: date() },
  {
    by: { post: { as: 'none' } },
    expires: 'until',
  },
)

export const social = graph('social', [user, post, wrote, follow, like, feed])

export type Social = OpenedOf<typeof social>
