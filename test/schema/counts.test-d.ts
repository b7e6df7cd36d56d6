import { counter, edge, integer, node, oneOf, string } from '../../src/index.js'

const a = node('a', { id: string(), n: counter() }, { id: 'id' })
const ends = { a, b: node('b', { id: string() }, { id: 'id' }) }
const attributes = { w: integer(), grade: oneOf('x', 'y'), note: string().optional() }

edge('e', ends, attributes, { count: { a: { into: 'n', where: { grade: 'x', w: [1, 2] } } } })
edge('e', ends, attributes, { count: { a: { into: 'n', by: 'stream' } } })
edge('e', ends, attributes, { sum: { a: { into: 'n', of: 'w', where: { note: ['p', 'q'] } } } })
// @ts-expect-error no such value
edge('e', ends, attributes, { count: { a: { into: 'n', where: { grade: 'z' } } } })
// @ts-expect-error no such attribute
edge('e', ends, attributes, { count: { a: { into: 'n', where: { other: 1 } } } })
// @ts-expect-error what an end has is not the edge's
edge('e', ends, attributes, { sum: { a: { into: 'n', of: 'w', where: { id: '1' } } } })
