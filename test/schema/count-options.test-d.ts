import { counter, edge, integer, node, oneOf, string } from '../../src/index.js'

const a = node('a', { id: string(), n: counter(), m: counter() }, { id: 'id' })
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

// Several at one end, each as one would be.
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
// @ts-expect-error no such counter
edge('e', ends, attributes, { count: { a: ['n', 'id'] } })
// @ts-expect-error no such counter
edge('e', ends, attributes, { sum: { a: [{ into: 'x', of: 'w' }] } })
// @ts-expect-error no number
edge('e', ends, attributes, { sum: { a: [{ into: 'n', of: 'grade' }] } })
// @ts-expect-error no sum of nothing
edge('e', ends, attributes, { sum: { a: [{ into: 'n' }] } })
// @ts-expect-error no such value
edge('e', ends, attributes, { count: { a: ['m', { into: 'n', where: { grade: 'z' } }] } })
// @ts-expect-error no such attribute
edge('e', ends, attributes, { count: { a: ['m', { into: 'n', where: { other: 1 } }] } })
// @ts-expect-error the other end has no counter
edge('e', ends, attributes, { count: { b: ['n'] } })
// @ts-expect-error a list of lists
edge('e', ends, attributes, { count: { a: [['n']] } })
