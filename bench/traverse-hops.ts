import { memory } from '../src/embedded.js'
import { edge, graph, integer, node, open, string, wrap } from '../src/index.js'
import { DEGREE, type Embedded, followees, PEOPLE, person, sinceOf } from './graph-embedded.js'
import type { Work } from './measure.js'

const user = node('user', { name: string(), city: string(), level: integer() }, { id: 'name' })
const follow = edge('follow', { follower: user, followee: user }, { since: string(), weight: integer() })
const bench = graph('bench', [user, follow])

/** Traversals over a follow graph. */
export interface Hops {
  readonly twoHops: Work
  readonly rank: Work
  /** The number of requests before the first row of three hops, and the requests of its first two waves. */
  firstRow(): Promise<{ readonly sent: number; readonly twoWaves: number; readonly all: number }>
}

export async function hops(): Promise<Hops> {
  let queries = 0
  const store = memory()
  const counted = wrap(store, (operation, request, options, send) => {
    if (operation === 'query') queries++
    return send(request, options)
  })
  const g = await open(bench, store)
  for (let at = 0; at < PEOPLE; at++) {
    await g.user.put({ name: person(at), city: 'Atlanta', level: at })
    for (const [i, followee] of followees(at).entries())
      await g.follow.put({ follower: person(at), followee, since: sinceOf(at, i), weight: i })
  }
  const h = await open(bench, counted)
  const from = (at: number) => g.user.from(person(at)).hop(g.follow.by.follower).hop(g.follow.by.follower)
  return {
    twoHops: at => from(at).edges(),
    rank: at => from(at).except('visited').rank({ limit: 10 }),
    async firstRow() {
      queries = 0
      let sent = 0
      const three = h.user.from(person(1)).repeat(h.follow.by.follower, { depth: 3 }).budget({ requests: 5_000 })
      for await (const _ of three) sent ||= queries
      return { sent, twoWaves: 1 + DEGREE, all: queries }
    },
  }
}

/** Two hops over the same graph in graph and row stores. */
export const peerHops = (peers: readonly (Embedded | undefined)[]): { name: string; twoHops: Work }[] =>
  peers.flatMap(each => (each ? [{ name: each.name, twoHops: each.twoHops }] : []))
