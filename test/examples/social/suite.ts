import type { Store } from 'edgewise'
import type { StreamFollower } from 'edgewise/derive'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { Client } from './client.js'
import { type Door, throughLambda, throughServer } from './entry-points.js'
import { testLikes, testPosts } from './posts.js'
import { testRefusals } from './refusals.js'
import { testUsers } from './users.js'

const STARTED_MS = 60_000

/** Tests the API on a store through each entry point. A store without an automatic follower needs `follow`. */
export function describeSocial<S extends Store>(
  makeStore: () => S,
  follow?: (store: S) => Promise<StreamFollower>,
): void {
  describe.each([
    ['as a function of Lambda', throughLambda],
    ['on a server of its own', throughServer],
  ])('the social network %s', (_, enter) => {
    let door: Door
    let following: StreamFollower | undefined
    const client = new Client(() => door)

    beforeAll(async () => {
      const store = makeStore()
      door = await enter(store)
      for (const handle of ['ann', 'bob', 'eve']) expect((await client.signUp(handle)).status).toBe(201)
      following = await follow?.(store)
    }, STARTED_MS)
    afterAll(async () => {
      await following?.stop()
      await door.close()
    }, STARTED_MS)

    testUsers(client)
    testPosts(client)
    testLikes(client)
    testRefusals(client)
  })
}
