import type { OpenedOf } from '../../../src/graph/types/opened-graph.js'
import { counter } from '../../../src/schema/attributes/counter.js'
import { embedded } from '../../../src/schema/attributes/embedded.js'
import { integer } from '../../../src/schema/attributes/integer.js'
import { list } from '../../../src/schema/attributes/list.js'
import { string } from '../../../src/schema/attributes/string.js'
import { edge } from '../../../src/schema/edge/edge.js'
import { type AnyType, graph } from '../../../src/schema/graph.js'
import { node } from '../../../src/schema/node.js'
import { add, append, remove } from '../../../src/schema/patch-operations.js'
import type { StandardSchema } from '../../../src/schema/standard-schema.js'
import type { cinema } from './cinema.js'

declare const g: OpenedOf<typeof cinema>
const a = node('a', { id: string(), n: counter(), m: string(), p: embedded({ m: string() }) }, { id: 'id' })
const b = node('b', { id: string() }, { id: 'id' })
const owned = node('c', { id: string() }, { id: 'id', within: b, by: { size: { order: ['id'], as: 'local' } } })
const leaf = node('d', { id: string(), m: string() }, { id: 'id', within: owned, by: { m: { in: ['c', 'm'] } } })
const pair = node('pair', { x: string(), y: string() }, { id: ['x', 'y'] })
const joins = edge('joins', { a, pair })
const unread = edge('unread', { a, b }, {}, { by: { b: { as: 'none' } } })
const apart = edge('apart', { one: a, other: a }, {}, { undirected: true, by: { one: { as: 'none' } } })
const single = edge('single', { a, b }, {}, { one: 'a' })
declare const ways: OpenedOf<
  ReturnType<
    typeof graph<typeof a | typeof b | typeof pair | typeof joins | typeof unread | typeof apart | typeof single>
  >
>
ways.joins.by.a('1').where({ pair: { x: '1', y: '2' } })
ways.unread.by.a('1')
ways.single.by.b('1').where({ a: { startsWith: '1' } })
declare const local: OpenedOf<ReturnType<typeof graph<typeof b | typeof owned>>>['c']
declare const leaves: OpenedOf<ReturnType<typeof graph<typeof b | typeof owned | typeof leaf>>>['d']
leaves.by.m({ c: { b: '1', id: '2' }, m: '3' })

// Values known only at run time are checked at run time.
declare const ends: Readonly<Record<string, typeof a>>
declare const types: AnyType[]
declare const said: { readonly one?: 'a' | 'b'; readonly by?: { readonly a: { readonly as: 'index' } } }
edge('e', ends)
edge('e', { a, b }, {}, said)
graph('g', types)
declare const moment: StandardSchema<Date>
declare const movie: NonNullable<Awaited<ReturnType<typeof g.movie.get>>>
declare const role: NonNullable<Awaited<ReturnType<typeof g.role.get>>>

// Declarations. Each mistake stands on the line after its comment.

// @ts-expect-error an id that is not an attribute
node('c', { id: string() }, { id: 'nope' })
// @ts-expect-error a node without an id
node('c', { id: string() }, {})
// @ts-expect-error a value that is not an attribute
node('c', { id: 'string' }, { id: 'id' })
// @ts-expect-error a validator of a type that JSON lacks
node('c', { id: string(), at: moment }, { id: 'id' })
// @ts-expect-error a validator of a type that JSON lacks, on an edge
edge('e', { a, b }, { at: moment })
// @ts-expect-error a list of a type that JSON lacks
list(moment)
// @ts-expect-error a path by an unknown attribute
node('c', { id: string() }, { id: 'id', by: { place: { order: ['nope'] } } })
// @ts-expect-error a path by an owner that is not its own
node('c', { id: string() }, { id: 'id', within: b, by: { place: { in: ['a'] } } })
// @ts-expect-error a path by an owner of a node without an owner
node('c', { id: string() }, { id: 'id', by: { place: { in: ['b'] } } })
// @ts-expect-error an id that is the owner
node('c', { id: string() }, { id: 'b', within: b })
// @ts-expect-error a kind of path that does not exist
node('c', { id: string() }, { id: 'id', by: { place: { order: ['id'], as: 'idnex' } } })
// @ts-expect-error an owner that is not a node
node('c', { id: string() }, { id: 'id', within: 'a' })
// @ts-expect-error an end that is not a node
edge('e', { a, b: 'b' })
// @ts-expect-error an attribute with the name of an end
edge('e', { a, b }, { a: integer() })
// @ts-expect-error a key of an unknown attribute
edge('e', { a, b }, { q: string() }, { key: ['z'] })
// @ts-expect-error an only edge of an unknown end
edge('e', { a, b }, { q: string() }, { one: 'c' })
// @ts-expect-error a carried attribute that the end does not have
edge('e', { a, b }, {}, { carry: { x: 'a.nope' } })
// @ts-expect-error a carried attribute that can change
edge('e', { a, b }, {}, { carry: { x: 'a.m' } })
// @ts-expect-error a carried attribute that can change, without its sync
edge('e', { a, b }, {}, { carry: { x: { from: 'a.m' } } })
// @ts-expect-error a count into an attribute that is not a counter
edge('e', { a, b }, {}, { count: { a: 'id' } })
// @ts-expect-error a mode of counting that does not exist
edge('e', { a, b }, {}, { count: { a: { into: 'n', by: 'hand' } } })
// @ts-expect-error a sum of an attribute that is not a number
edge('e', { a, b }, { q: string() }, { sum: { a: { into: 'n', of: 'q' } } })
// @ts-expect-error one of several counts into an attribute that is not a counter
edge('e', { a, b }, {}, { count: { a: ['n', 'id'] } })
// @ts-expect-error one of several counts into an attribute that is not a counter, by its options
edge('e', { a, b }, {}, { count: { a: ['n', { into: 'id' }] } })
// @ts-expect-error one of several counts of a value that no edge has
edge('e', { a, b }, { w: integer() }, { count: { a: ['n', { into: 'n', where: { w: 'x' } }] } })
// @ts-expect-error one of several counts by an attribute that the edge does not have
edge('e', { a, b }, { w: integer() }, { count: { a: ['n', { into: 'n', where: { q: 'x' } }] } })
// @ts-expect-error one of several sums of an unknown number
edge('e', { a, b }, { w: integer() }, { sum: { a: [{ into: 'n', of: 'q' }] } })
// @ts-expect-error a mode that does not exist, of one of several sums
edge('e', { a, b }, { w: integer() }, { sum: { a: [{ into: 'n', of: 'w', by: 'hand' }] } })
// @ts-expect-error an embed without its bound
edge('e', { a, b }, { m: string() }, { embed: { a: { into: 'p' } } })
// @ts-expect-error an embed into an attribute that is not embedded
edge('e', { a, b }, { m: string() }, { embed: { a: { into: 'm', max: 3 } } })
// @ts-expect-error a path by an unknown end
edge('e', { a, b }, {}, { by: { c: { order: ['b'] } } })
// @ts-expect-error an order by an unknown attribute
edge('e', { a, b }, {}, { by: { a: { order: ['nope'] } } })
// @ts-expect-error an edge with one end
edge('e', { a })
// @ts-expect-error an edge with three ends
edge('e', { a, b, c: b })
// @ts-expect-error an edge without ends
edge('e', {})
// @ts-expect-error an option of a node that does not exist
node('c', { id: string() }, { id: 'id', uniqe: ['id'] })
// @ts-expect-error an option of a path that does not exist
node('c', { id: string() }, { id: 'id', by: { place: { order: ['id'], shrads: 2 } } })
// @ts-expect-error an option of an edge that does not exist
edge('e', { a, b }, {}, { one: 'a', cout: { a: 'n' } })
// @ts-expect-error an option of an end that does not exist
edge('e', { a, b }, {}, { by: { a: { as: 'index', ordr: ['b'] } } })
// @ts-expect-error an option of a graph that does not exist
graph('g', [a], { tenants: true })
// @ts-expect-error a graph without a node of its edge
graph('g', [a, edge('e', { a, b })])
// @ts-expect-error a graph without the owner of its node
graph('g', [node('c', { id: string() }, { id: 'id', within: b })])

// Reads.

// @ts-expect-error an unknown end
g.role.by.director('x')
// @ts-expect-error a missing part before the given part
g.shop.by.place({ country: 'USA' }).where({ city: 'LA' })
// @ts-expect-error a range before the given part
g.shop.by.place({ country: 'USA' }).where({ state: { from: 'A' }, city: 'LA' })
// @ts-expect-error a value of the wrong type
g.shop.by.place({ country: 'USA' }).where({ state: 3 })
// @ts-expect-error a value of the wrong type before another
g.shop.by.place({ country: 'USA' }).where({ state: 3, city: 'LA' })
// @ts-expect-error a value that may be missing before another
g.shop.by.place({ country: 'USA' }).where({ state: 'GA' as string | undefined, city: 'LA' })
// @ts-expect-error a range of the wrong type
g.shop.by.place({ country: 'USA' }).where({ state: 'GA', city: 'LA', zip: { from: '3' } })
// @ts-expect-error a prefix of a number
g.shop.by.place({ country: 'USA' }).where({ state: 'GA', city: 'LA', zip: { startsWith: 3 } })
// @ts-expect-error a condition on an attribute that is not in the path
g.shop.by.place({ country: 'USA' }).where({ open: true })
// @ts-expect-error a range of an id of several parts
ways.joins.by.a('1').where({ pair: { from: { x: '1', y: '2' } } })
// @ts-expect-error a part of the one edge that a node has
ways.single.by.a('1').where({ b: '1' })
// @ts-expect-error a read from an end that is not read
ways.unread.by.b('1')
// @ts-expect-error a read of an undirected edge that is not read
ways.apart.by.other('1')
// @ts-expect-error a path without its partition
g.shop.by.place()
// @ts-expect-error a local path without its owner
local.by.size()
// @ts-expect-error a local path by an owner that is not its own
local.by.size({ a: 'x' })
// @ts-expect-error a path by the owner without the owner
leaves.by.m({ m: '3' })
// @ts-expect-error a path by the owner with a part of its id
leaves.by.m({ c: { id: '2' }, m: '3' })
// @ts-expect-error a part of an id
g.shop.get({ country: 'USA' })
// @ts-expect-error a path of another node
g.user.collect('x', { roles: g.role.by.movie })
// @ts-expect-error a filter by a value of the wrong type
g.movie.by.year().filter(r => r.year.below('2000'))
// @ts-expect-error a filter by a member of a value without members
g.movie.by.year().filter(r => r.genres.at('size').is(3))
// @ts-expect-error a filter by a type that DynamoDB does not have
g.movie.by.year().filter(r => r.tagline.hasType('string'))
// @ts-expect-error a filter by the order of a value without an order
g.shop.by.place({ country: 'USA' }).filter(r => r.open.above(false))
// @ts-expect-error a projection of an unknown attribute
g.movie.by.year().only('nmae')
// @ts-expect-error a read that takes several requests in a transaction
g.$transact([g.role.by.actor('x').all()])

// Writes.

// @ts-expect-error a node without an attribute
g.movie.put({ name: 'x' })
// @ts-expect-error an attribute of the wrong type
g.movie.put({ name: 'x', year: '1995' })
// @ts-expect-error a derived attribute of another type
g.movie.put({ name: 'x', year: 1995, roles: '3' })
// @ts-expect-error an edge without an end
g.role.put({ movie: 'x', character: 'y', minutes: 1 })
// @ts-expect-error a carried attribute of another type
g.role.put({ movie: 'x', actor: 'y', character: 'z', minutes: 1, actorBorn: '1956' })
// @ts-expect-error an update of an immutable attribute
g.movie.update('x', { added: new Date() })
// @ts-expect-error an update of the id
g.movie.update('x', { name: 'y' })
// @ts-expect-error an update of a derived attribute
g.movie.update('x', { roles: 3 })
// @ts-expect-error a removal of a required attribute
g.movie.update('x', { year: remove() })
// @ts-expect-error a number added to a text
g.movie.update('x', { tagline: add(1) })
// @ts-expect-error elements of the wrong type
g.movie.update('x', { takings: append('1') })
// @ts-expect-error the new row of a deletion
g.movie.delete('x').returning('new')
// @ts-expect-error a hop along a path of another node
g.user.from('x').hop(g.role.by.movie)
// @ts-expect-error a second hop along a path of the node before
g.movie.from('x').hop(g.role.by.movie).hop(g.role.by.movie)
// @ts-expect-error a repeated path that leads to another node
g.movie.from('x').repeat(g.role.by.movie, { depth: 2 })
// @ts-expect-error a rank by an attribute that the edge does not have
g.movie.from('x').hop(g.role.by.movie).rank({ weight: 'hours' })
