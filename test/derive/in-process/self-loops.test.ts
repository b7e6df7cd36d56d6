import { expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { counter, edge, graph, layout, node, open, string } from '../../../src/index.js'
import { verify } from '../../../src/jobs/index.js'

it('a self-loop can be deleted, although both its items have the same sort key', async () => {
  const user = node('user', { id: string(), followers: counter(), following: counter() }, { id: 'id' })
  const count = {
    follower: { into: 'following', by: 'stream' },
    followee: { into: 'followers', by: 'stream' },
  } as const
  const follow = edge('follow', { follower: user, followee: user }, {}, { count })
  const social = layout(graph('social', [user, follow]), {
    keys: {
      follow: {
        PK: 'FOLLOWING#{follower}',
        SK: 'USER#{followee}',
        mirror: { PK: 'FOLLOWERS#{followee}', SK: 'USER#{follower}' },
      },
    },
  })
  const g = await open(social, memory())
  const ann = { follower: 'ann', followee: 'ann' }
  await g.follow.put(ann)
  await g.user.put({ id: 'ann' })
  await g.$settled()
  expect(await g.user.get('ann')).toEqual({ id: 'ann', followers: 1, following: 1 })
  await g.follow.delete(ann)
  await g.$settled()
  expect(await g.user.get('ann')).toEqual({ id: 'ann', followers: 0, following: 0 })
  expect((await verify(g)).faults).toEqual({})
  await g.$close()
})
