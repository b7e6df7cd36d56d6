import fc from 'fast-check'
import {
  type EndChoices,
  type Schema,
  type SchemaChoices,
  schemaChoices,
  schemaOf,
  withEnds,
} from './random-schemas.js'

/** Two graphs with the same nodes and edges and different layouts: paths, orders, shards, counters and stored names. */
export const anyChange = (streamed: boolean): fc.Arbitrary<readonly [Schema, Schema]> =>
  fc
    .tuple(schemaChoices(streamed), schemaChoices(streamed))
    .map(([before, other]) => [schemaOf(before), schemaOf(lyingAs(before, other))] as const)
    .filter((both): both is readonly [Schema, Schema] => both.every(made => made.graph !== undefined))

/**
 * Three graphs with the same nodes and edges. In the second, some ends have no aggregates; in the third they have
 * aggregates again, maintained by transactions or by the stream.
 */
export const anyReturn = (streamed: boolean): fc.Arbitrary<readonly Schema[]> =>
  fc
    .tuple(schemaChoices(streamed), schemaChoices(streamed), fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }))
    .map(([before, other, fed]) => [before, starved(before, fed), keptAs(lyingAs(before, other), other)].map(schemaOf))
    .filter((all): all is Schema[] => all.every(made => made.graph !== undefined))

function starved(before: SchemaChoices, fed: readonly boolean[]): SchemaChoices {
  const endOf = (end: EndChoices, at: number): EndChoices => ({ ...end, fed: fed[at]! })
  const edges = before.edges.map((edge, i) => ({ ...edge, a: endOf(edge.a, 2 * i), b: endOf(edge.b, 2 * i + 1) }))
  return { ...before, edges }
}

/** Copies that are no longer declared remain on the edges. */
function keptAs(choices: SchemaChoices, other: SchemaChoices): SchemaChoices {
  const edges = choices.edges.map((edge, i) => {
    const isCopied = [edge.a, edge.b].some(({ carry }) => carry === 'born')
    return { ...edge, streamed: isCopied ? edge.streamed : (other.edges[i] ?? edge).streamed }
  })
  return { ...choices, edges }
}

function lyingAs(before: SchemaChoices, other: SchemaChoices): SchemaChoices {
  const nodes = before.nodes.map((node, i) => {
    const { paths, shards, byOwner, stored } = other.nodes[i] ?? node
    return { ...node, paths, shards, byOwner, stored }
  })
  const edges = before.edges.map((choices, i) => {
    const edge = withEnds(choices, before.nodes.length)
    const { a, b, some } = other.edges[i] ?? edge
    // The identity of an edge stays the same: an inverted index contains only the ends.
    const isPlain = edge.key.length === 0 && edge.one === undefined
    const endOf = (end: EndChoices, { as, order, shards, count, sum, second }: EndChoices): EndChoices => ({
      ...end,
      ...{ order, shards, as: as === 'none' && end.onDelete !== 'leave' ? end.as : as },
      ...(as === 'inverted' && !isPlain && { as: undefined }),
      // Aggregates that are no longer declared remain in the nodes.
      ...{ count: end.count || count, sum: end.sum || sum },
      ...{ second: second === 'none' ? end.second : second },
    })
    return { ...edge, a: endOf(edge.a, a), b: endOf(edge.b, b), some }
  })
  return { ...before, nodes, edges }
}
