import { counter, date, edge, graph, layout, node, open, string } from 'edgewise'
import { memory } from 'edgewise/engine'
import { listener, show } from '../print.js'

const user = node('user', { name: string(), display: string(), followers: counter() }, { id: 'name' })
const follow = edge(
  'follow',
  { follower: user, followee: user },
  { since: date() },
  { count: { followee: 'followers' }, by: { followee: { order: ['since'] } } },
)

const social = layout(graph('social', [user, follow]), {
  keys: {
    user: { PK: 'USER#{name}', SK: 'USER#{name}' },
    follow: { PK: 'USER#{follower}', SK: 'FOLLOWING#{followee}' },
  },
})

const others = Array.from({ length: 12 }, (_, i) => `user${String(i + 1).padStart(2, '0')}`)

export const rows = {
  user: ['Harsha', ...others].map(name => ({ name, display: name.toUpperCase() })),
  follow: [
    ...others.map((followee, i) => ({ follower: 'Harsha', followee, since: new Date(Date.UTC(2026, 0, i + 1)) })),
    { follower: 'user02', followee: 'Harsha', since: new Date('2026-02-01') },
    { follower: 'user01', followee: 'Harsha', since: new Date('2026-02-02') },
  ],
}

export const store = memory()
export const g = await open(social, store, { listener })
await g.$batch(rows.user.map(each => g.user.put(each)))
await g.$batch(rows.follow.map(each => g.follow.put(each)))

export const asked = await show({
  title: 'Users and whom they follow: normalisation and several requests',
  graph: g,
  store,
  rows,
  patterns: {
    'A user with the last ten of those followed, whole': () =>
      g.user.collect('Harsha', { following: id => g.follow.by.follower(id).reverse().limit(10).withNodes() }),
    'A user with the first ten of those followed, whole': () =>
      g.user.collect('Harsha', { following: id => g.follow.by.follower(id).limit(10).withNodes() }),
    'Whom a user follows': () => g.follow.by.follower('Harsha').all(),
    'The latest followers of a user': () => g.follow.by.followee('Harsha').reverse().limit(10).all(),
    'How many follow a user': () => g.user.get('Harsha'),
    'Whom a user may know: those whom the followed follow': () =>
      g.user.from('user01').hop(g.follow.by.follower).hop(g.follow.by.follower).except('visited').rank({ limit: 3 }),
  },
})
