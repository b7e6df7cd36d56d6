import { integer } from '../../src/schema/attributes/integer.js'
import { string } from '../../src/schema/attributes/string.js'
import { edge } from '../../src/schema/edge/edge.js'
import { node } from '../../src/schema/node.js'
import type { EdgeRow, OrderOf } from '../../src/schema/types/edge-types.js'

/** Compiles only if the two types are identical. */
declare function same<A, B>(
  proof: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never,
): void

const a = node(
  'a',
  { id: string(), born: integer().immutable(), nick: string().optional(), city: string() },
  { id: 'id' },
)
const b = node('b', { id: string() }, { id: ['id'] })

// A copy is optional if its source is optional or if the deletion of the source removes it.
const carrying = edge(
  'carrying',
  { a, b },
  {},
  {
    carry: {
      born: 'a.born',
      id: 'b.id',
      nick: { from: 'a.nick', sync: 'eventual' },
      city: { from: 'a.city', sync: 'eventual' },
      gone: { from: 'a.city', sync: 'eventual', deleted: 'remove' },
    },
  },
)
same<
  EdgeRow<typeof carrying>,
  { a: string; b: string; born: number; id: string; city: string; nick?: string; gone?: string }
>(true)
const plain = edge('plain', { a, b }, {}, { carry: { born: 'a.born' } })
same<EdgeRow<typeof plain>, { a: string; b: string; born: number }>(true)

// The options of an undirected edge's first end apply to both ends, with the ends swapped.
const both = edge(
  'both',
  { one: a, other: a },
  { since: integer() },
  { undirected: true, by: { one: { order: ['since', 'other'] } } },
)
same<OrderOf<(typeof both)['options'], 'one', 'other'>, readonly ['since', 'other']>(true)
same<OrderOf<(typeof both)['options'], 'other', 'one'>, readonly ['since', 'one']>(true)
const unsaid = edge('unsaid', { one: a, other: a }, { since: integer() }, { undirected: true, key: ['since'] })
same<OrderOf<(typeof unsaid)['options'], 'other', 'one'>, readonly ['one', 'since']>(true)
