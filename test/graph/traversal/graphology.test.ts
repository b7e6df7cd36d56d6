import { DirectedGraph } from 'graphology'
import { singleSourceLength } from 'graphology-shortest-path/unweighted.js'
import { expect, test } from 'vitest'
import { Seeded } from '../../../examples/snb/seeded.js'
import { opened, type PlainGraph } from './example-graphs.js'

const SIZES = [
  { nodes: 30, edges: 60 },
  { nodes: 60, edges: 300 },
  { nodes: 120, edges: 150 },
]

function randomGraph(seed: number, { nodes: count, edges: size }: (typeof SIZES)[number]): PlainGraph {
  const random = new Seeded(seed)
  const nodes = Array.from({ length: count }, (_, i) => `n${i}`)
  const edges = new Map<string, readonly [string, string, number]>()
  while (edges.size < size) {
    const [from, to] = [random.pick(nodes), random.pick(nodes)]
    edges.set(`${from} ${to}`, [from, to, random.integer(0, 9)])
  }
  return { nodes, edges: [...edges.values()] }
}

function graphologyOf({ nodes, edges }: PlainGraph): DirectedGraph {
  const graph = new DirectedGraph({ allowSelfLoops: true })
  for (const node of nodes) graph.addNode(node)
  for (const [from, to] of edges) graph.addEdge(from, to)
  return graph
}

test.each(SIZES)('levels, distances and common neighbors are those of graphology: $nodes nodes', async size => {
  for (const seed of [1, 2, 3]) {
    const plain = randomGraph(seed, size)
    const witness = graphologyOf(plain)
    const g = await opened(plain)
    const random = new Seeded(seed)
    for (let round = 0; round < 8; round++) {
      const [from, to] = [random.pick(plain.nodes), random.pick(plain.nodes)]
      const lengths = singleSourceLength(witness, from)
      const all = g.person
        .from(from)
        .repeat(g.follow.by.follower, { depth: 200, minDepth: 0 })
        .budget({ requests: 1_000 })
      const { value: tree, requests } = await all.subtree().run()
      expect(Object.fromEntries(tree.map(({ id, depth }) => [id, depth]))).toEqual(lengths)
      // One request for each distinct adjacency list.
      expect(requests).toBe(Object.keys(lengths).length)
      const route = await g.person.shortestPath(from, to, g.follow.by.follower, {
        maxDepth: 200,
        budget: { requests: 1_000 },
      })
      expect(route?.weight).toBe(lengths[to])
      if (route)
        for (const [i, id] of route.nodes.entries())
          if (i > 0) expect(witness.hasEdge(route.nodes[i - 1], id)).toBe(true)
      if (from === to) continue
      const [one, other] = [from, to].map(id => new Set(witness.outNeighbors(id)))
      const common = [...one!].filter(id => other!.has(id)).sort()
      expect([...(await g.person.common([from, to], g.follow.by.follower))].sort()).toEqual(common)
    }
  }
})
