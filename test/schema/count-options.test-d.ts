import { counter, edge, integer, node, oneOf, string } from '../../src/index.js'

const a = node('a', { id: string(), n: counter(), m: counter() }, { id: 'id' })
const ends = { a, b: node('b', { id: string() }, { id: 'id' }) }
const attributes = { w: integer(), grade: oneOf('x', 'y'), note: string().optional() }

edge('e', ends, attributes, { count: { a: { into: 'n', where: { grade: 'x', w: [1, 2] } } } })
edge('e', ends, attributes, { count: { a: { into: 'n', by: 'stream' } } })
edge('e', ends, attributes, { sum: { a: { into: 'n', of: 'w', where: { note: ['p', 'q'] } } } })
// @ts-expect-error an unknown value
edge('e', ends, attributes, { count: { a: { into: 'n', where: { grade: 'z' } } } })
// @ts-expect-error an unknown attribute
edge('e', ends, attributes, { count: { a: { into: 'n', where: { other: 1 } } } })
// @ts-expect-error an attribute of an end, not of the edge
edge('e', ends, attributes, { sum: { a: { into: 'n', of: 'w', where: { id: '1' } } } })

// Several counters at one end, each with the options of a single one.
edge('e', ends, attributes, { count: { a: ['n', 'm'] } })
edge('e', ends, attributes, {
  count: {
    a: [
      { into: 'n', where: { grade: 'x' } },
      { into: 'm', by: 'stream' },
    ],
  },
})
edge('e', ends, attributes, {
  sum: {
    a: [
      { into: 'n', of: 'w' },
      { into: 'm', of: 'w', where: { grade: ['x'] } },
    ],
  },
})
edge('e', { a, b: a }, attributes, { undirected: true, count: { a: ['n', { into: 'm', where: { w: 1 } }] } })
const several = ['n', { into: 'm', by: 'stream' }] as const
edge('e', ends, attributes, { count: { a: several } })
// @ts-expect-error an unknown counter
edge('e', ends, attributes, { count: { a: ['n', 'id'] } })
// @ts-expect-error an unknown counter
edge('e', ends, attributes, { sum: { a: [{ into: 'x', of: 'w' }] } })
// @ts-expect-error an attribute that is not a number
edge('e', ends, attributes, { sum: { a: [{ into: 'n', of: 'grade' }] } })
// @ts-expect-error a sum without an attribute
edge('e', ends, attributes, { sum: { a: [{ into: 'n' }] } })
// @ts-expect-error an unknown value
edge('e', ends, attributes, { count: { a: ['m', { into: 'n', where: { grade: 'z' } }] } })
// @ts-expect-error an unknown attribute
edge('e', ends, attributes, { count: { a: ['m', { into: 'n', where: { other: 1 } }] } })
// @ts-expect-error the other end has no counter
edge('e', ends, attributes, { count: { b: ['n'] } })
// @ts-expect-error a list of lists
edge('e', ends, attributes, { count: { a: [['n']] } })
