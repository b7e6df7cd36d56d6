import fc from 'fast-check'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, integer, node, open, type Store, string } from '../../../src/index.js'

const person = node('person', { id: string(), salary: integer(), team: string() }, { id: 'id' })
const follow = edge('follow', { follower: person, followee: person }, { weight: integer() })
const knows = edge('knows', { one: person, other: person }, { years: integer() }, { undirected: true })
export const people = graph('people', [person, follow, knows])

/** A directed graph as plain data: the weight of each edge by its start and its end. */
export interface PlainGraph {
  readonly nodes: readonly string[]
  readonly edges: readonly (readonly [from: string, to: string, weight: number])[]
}

export const plainGraph = (most = 9): fc.Arbitrary<PlainGraph> =>
  fc.integer({ min: 1, max: most }).chain(size => {
    const nodes = Array.from({ length: size }, (_, i) => `n${i}`)
    const end = fc.constantFrom(...nodes)
    const edges = fc.uniqueArray(fc.tuple(end, end, fc.integer({ min: 0, max: 9 })), {
      selector: ([from, to]) => `${from} ${to}`,
      maxLength: size * 3,
    })
    return edges.map(some => ({ nodes, edges: some }))
  })

export const salaryOf = (id: string): number => 10 * (id.charCodeAt(1) - 47)
export const teamOf = (id: string): string => (id.charCodeAt(1) % 2 === 0 ? 'even' : 'odd')

export async function opened({ nodes, edges }: PlainGraph, store: Store = memory()) {
  const g = await open(people, store, { create: true })
  for (const id of nodes) await g.person.put({ id, salary: salaryOf(id), team: teamOf(id) })
  for (const [follower, followee, weight] of edges) await g.follow.put({ follower, followee, weight })
  return g
}

export type People = Awaited<ReturnType<typeof opened>>

/** The ends of the edges that begin at a node, in the order in which a list has them. */
export const listOf = ({ edges }: PlainGraph, from: string): string[] =>
  edges
    .filter(([start]) => start === from)
    .map(([, to]) => to)
    .sort()

/** The distance of every node that can be reached, the start included. */
export function distances(plain: PlainGraph, start: string, most = Number.POSITIVE_INFINITY): Map<string, number> {
  const found = new Map([[start, 0]])
  const queue = [start]
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const distance = found.get(at)!
    if (distance >= most) continue
    for (const to of listOf(plain, at))
      if (!found.has(to)) {
        found.set(to, distance + 1)
        queue.push(to)
      }
  }
  return found
}

/** All walks of so many edges, as lists of nodes. */
export function walksOf(plain: PlainGraph, start: string, edges: number): string[][] {
  if (edges === 0) return [[start]]
  return listOf(plain, start).flatMap(to => walksOf(plain, to, edges - 1).map(rest => [start, ...rest]))
}
