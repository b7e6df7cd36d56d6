import type { OpenedOf } from '../../../src/graph/types/opened-graph.js'
import type { cinema } from '../types/cinema.js'

declare const g: OpenedOf<typeof cinema>
/** Compiles only where the two are the same type. */
declare function same<A, B>(
  proof: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never,
): void

// A hop reaches the node at the other end of the edge.
const coActors = await g.actor.from('Tom Hanks').hop(g.role.by.actor).hop(g.role.by.movie).nodes()
same<(typeof coActors)[number], { name: string; born: number }>(true)

// Ids are those of the reached node, edges those of the last step.
const billed = g.actor.from('Tom Hanks').hop(g.role.by.actor, roles => roles.filter(role => role.minutes.above(30)))
const [ids, edges] = [await billed.ids(), await billed.edges()]
same<(typeof ids)[number], string>(true)
same<(typeof edges)[number]['minutes'], number>(true)

// Owned nodes are reached from their owner, with ids of several parts.
const orders = await g.user.from('01J').hop(g.order.by.user).ids()
same<(typeof orders)[number], { user: string; no: string }>(true)

// A partial result says what is missing, and a traversal that is resumed is always partial.
const part = await g.user.from('01J', '02J').hop(g.friends.by.one).budget({ requests: 3, onBudget: 'partial' }).count()
same<(typeof part)['value'], number>(true)
const rest = await g.user.from('01J').hop(g.friends.by.one).resume(part.cursor).depths()
same<(typeof rest)['complete'], boolean>(true)

// A rank with its nodes has their rows.
const ranked = await g.user.from('01J').repeat(g.friends.by.other, { depth: 2 }).rank({ nodes: true, limit: 3 })
same<(typeof ranked)[number]['node']['email'], string>(true)

// Sums of a subtree are those that were asked for.
const [root] = await g.user
  .from('01J')
  .repeat(g.follow.by.follower, { depth: 2 })
  .subtree({ sum: ['followers'] })
same<NonNullable<typeof root>['sum'], { readonly followers: number }>(true)
