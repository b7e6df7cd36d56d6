import { describe, expect, it } from 'vitest'
import { counter } from '../../src/schema/attributes/counter.js'
import { string } from '../../src/schema/attributes/string.js'
import { edge } from '../../src/schema/edge/edge.js'
import { type AnyType, graph } from '../../src/schema/graph.js'
import { node } from '../../src/schema/node.js'
import { codeOf } from './error-code.js'

const a = node('a', { id: string(), n: counter(), m: counter() }, { id: 'id' })
const b = node('b', { id: string() }, { id: 'id', within: a })
const e = edge('e', { a, b }, {}, { count: { a: 'n' } })

// Untyped, because the tests make mistakes that do not compile, as a JavaScript program can.
const loosely = graph as (name: string, types: readonly AnyType[], options?: object) => unknown

describe('a graph', () => {
  it('a graph lists its nodes and its edges in declaration order', () => {
    expect(graph('g', [e, b, a]).declared).toEqual({
      name: 'g',
      nodes: [b.declared, a.declared],
      edges: [e.declared],
      tenant: false,
    })
  })

  it('a graph can be declared with tenants', () => {
    const tenants = graph('g', [a], { tenant: true })
    expect([tenants.tenant, tenants.declared.tenant]).toEqual([true, true])
  })

  it('a graph accepts an undirected edge that counts at both ends', () => {
    const friends = edge('friends', { one: a, other: a }, {}, { undirected: true, count: { one: 'n' } })
    expect(graph('g', [a, friends]).declared.edges[0]!.count).toHaveLength(2)
    const c = node('c', { id: string(), n: counter(), n0: counter() }, { id: 'id' })
    const knows = edge('knows', { one: c, other: c }, {}, { undirected: true, count: { one: 'n' } })
    const likes = (into: 'n' | 'n0') => edge('likes', { from: c, to: c }, {}, { count: { to: into } })
    expect(graph('g', [c, knows, likes('n0')]).declared.edges).toHaveLength(2)
    expect(codeOf(() => graph('g', [c, knows, likes('n')]))).toBe('graph.derived')
  })

  it.each([
    ['without a name', 'name.invalid', () => graph('', [a])],
    ['with two types of one name', 'name.duplicate', () => graph('g', [a, edge('a', { x: a, y: a })])],
    ['without an end of an edge', 'graph.missing', () => loosely('g', [b, e])],
    ['without an owner', 'graph.missing', () => loosely('g', [b])],
    [
      'with another node of the same name',
      'graph.missing',
      () => graph('g', [node('a', { id: string() }, { id: 'id' }), b]),
    ],
    ['with an unknown option', 'option.unknown', () => loosely('g', [a], { tenants: true })],
    [
      'with two edges that write one counter',
      'graph.derived',
      () => graph('g', [a, b, e, edge('f', { a, b }, {}, { count: { a: 'n' } })]),
    ],
    [
      'with an edge that counts twice into one counter',
      'graph.derived',
      () =>
        graph('g', [
          a,
          b,
          edge('f', { a, b }, { w: string() }, { count: { a: [{ into: 'n', where: { w: 'x' } }, 'n'] } }),
        ]),
    ],
    [
      'with an undirected edge that counts twice into one counter',
      'graph.derived',
      () => graph('g', [a, edge('f', { one: a, other: a }, {}, { undirected: true, count: { one: ['n', 'n'] } })]),
    ],
  ])('a graph is rejected %s', (_, code, declare) => {
    expect(codeOf(declare)).toBe(code)
  })
})
