import { layout } from '../../../src/layout/layout.js'
import { counter } from '../../../src/schema/attributes/counter.js'
import { string } from '../../../src/schema/attributes/string.js'
import { edge } from '../../../src/schema/edge/edge.js'
import { graph } from '../../../src/schema/graph.js'
import { node } from '../../../src/schema/node.js'

const movie = node(
  'movie',
  { name: string(), title: string().immutable(), liked: counter(), loved: counter() },
  { id: 'name', unique: ['title'] },
)
const shop = node('shop', { zip: string(), no: string(), tag: string() }, { id: ['zip', 'no'] })
const shelf = node('shelf', { at: string() }, { id: 'at', within: shop, by: { place: { order: ['at'], as: 'item' } } })
const sold = edge('sold', { movie, shop }, { on: string() }, { carry: { title: 'movie.title' } })
const stands = edge('stands', { movie, shelf }, {}, { by: { shelf: { as: 'mirror' } } })
const count = { movie: ['loved', { into: 'liked', by: 'stream' }] } as const
const likes = edge('likes', { shop, movie }, {}, { count })
const shops = graph('shops', [movie, shop, shelf, sold, stands, likes])

// The valid keys use every kind of slot and of item, and a literal brace.

layout(shops)
layout(shops, { keys: {} })
layout(shops, {
  keys: {
    movie: { PK: 'M#{name}', SK: '{{x}}#{name}', 'unique.title': { PK: 'T#{title}', SK: '{name}' } },
    shop: { PK: 'S#{zip}#{no}#{shard}' },
    shelf: { PK: 'S#{shop.zip}#{shop.no}', SK: 'F#{at}', 'by.place': { GSI1PK: 'P', GSI1SK: '{at}#{shop.no}' } },
    sold: { PK: '{tenant}#M#{movie}', SK: '{shop.zip}#{shop.no}#{on}#{title}' },
    stands: { PK: 'M#{movie}', mirror: { PK: '{shelf.shop.zip}', SK: '{shelf.at}#{movie}' } },
    likes: { mirror: { PK: 'L#{movie}', SK: '{shop.zip}#{shop.no}' } },
  },
})
declare const text: string
layout(shops, { keys: { movie: { PK: text } } })

// Each mistake is on the line after its comment.

// @ts-expect-error an unknown slot
layout(shops, { keys: { movie: { PK: 'MOVIE#{nmae}', SK: 'x' } } })
// @ts-expect-error an unknown slot after one that is there
layout(shops, { keys: { sold: { PK: 'M#{movie}', SK: '{on}#{shop}' } } })
// @ts-expect-error an attribute of an end that is not in its id
layout(shops, { keys: { sold: { PK: 'M#{movie}', SK: '{shop.tag}' } } })
// @ts-expect-error an unknown type
layout(shops, { keys: { film: { PK: 'x' } } })
// @ts-expect-error a mirror of an edge that has none
layout(shops, { keys: { sold: { mirror: { PK: 'x' } } } })
// @ts-expect-error an unknown facet
layout(shops, { keys: { shelf: { 'by.plcae': { PK: 'x' } } } })
// @ts-expect-error an attribute that is not unique
layout(shops, { keys: { movie: { 'unique.name': { PK: 'x' } } } })
// @ts-expect-error an unknown slot of a mirror
layout(shops, { keys: { stands: { mirror: { PK: '{shelf}', SK: '{movie}' } } } })
// @ts-expect-error an option that does not exist
layout(shops, { key: { movie: { PK: 'x' } } })
