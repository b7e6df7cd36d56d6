import type { AccessMethod, DeclaredEdge } from '../../schema/declarations.js'
import { hasStreamDerivedData } from '../../schema/edge/stream-derived-data.js'
import type { EdgeFacts } from './facts.js'
import { isConsistentWay } from './prices.js'

/** One way to store an edge: how each end is served, and which attributes of the other nodes each read has. */
export interface Alternative {
  readonly ways: Readonly<Record<string, AccessMethod>>
  /** The ends from which reads use copies of the other node's attributes. */
  readonly carried: readonly string[]
  /** The end whose nodes embed a bounded map of their edges. */
  readonly embedded: string | undefined
}

/** Every alternative that the declaration allows, the simplest first. */
export function listAlternatives(edge: DeclaredEdge, facts: EdgeFacts): Alternative[] {
  // The stream maintains derived data on the items by which the table itself serves an end.
  const canBe = (ways: Alternative['ways']) =>
    edge.ends.every(({ name }) => isConsistentWay(ways[name]) || !hasStreamDerivedData(edge, name))
  const isSame = (a: Alternative['ways'], b: Alternative['ways']) => edge.ends.every(({ name }) => a[name] === b[name])
  const served = listWays(edge, facts).filter(
    (ways, at, all) => canBe(ways) && all.findIndex(other => isSame(other, ways)) === at,
  )
  const plain = served.flatMap(ways =>
    listCarries(edge, facts).map((carried): Alternative => ({ ways, carried, embedded: undefined })),
  )
  const [first] = plain
  const bounded = edge.ends.filter(({ name }) => isEmbeddable(facts, name))
  return [...plain, ...bounded.map(({ name }): Alternative => ({ ...first!, embedded: name }))]
}

/**
 * Returns whether an end's sort order has more than the identity of its edges. These edges are not read from the table
 * itself.
 */
export function isSorted({ ends, key }: DeclaredEdge, end: string): boolean {
  const { order } = ends.find(({ name }) => name === end)!.by
  return order.some(part => !key.includes(part) && (part === end || !ends.some(({ name }) => name === part)))
}

/** The ways to serve the end in whose partition an edge is stored. */
export const homeWayOf = (edge: DeclaredEdge, home: string): AccessMethod =>
  isSorted(edge, home) ? 'index' : 'adjacent'

function listWays(edge: DeclaredEdge, facts: EdgeFacts): Record<string, AccessMethod>[] {
  const { ends, one, undirected } = edge
  const [a, b] = ends.map(({ name }) => name) as [string, string]
  if (undirected)
    return [
      { [a]: homeWayOf(edge, a), [b]: 'mirror' },
      { [a]: homeWayOf(edge, a), [b]: 'index' },
    ]
  const homes = one === undefined ? [a, b] : [one]
  return homes.flatMap(home => {
    const otherEnd = home === a ? b : a
    const { onDelete } = ends.find(({ name }) => name === otherEnd)!
    const isRead = facts.ends[otherEnd]!.readsPerSecond > 0
    const isFound = isRead || onDelete !== 'leave' || hasStreamDerivedData(edge, otherEnd)
    const others: AccessMethod[] = isFound ? ['index', 'mirror', 'inverted'] : ['none']
    return others.map(way => ({ [home]: homeWayOf(edge, home), [otherEnd]: way }) as Record<string, AccessMethod>)
  })
}

/** If reads show a few attributes, the attributes are either fetched or copied. */
function listCarries({ ends }: DeclaredEdge, facts: EdgeFacts): string[][] {
  const few = ends.map(({ name }) => name).filter(name => facts.ends[name]!.shows === 'few')
  const [one, other] = few
  if (one === undefined) return [[]]
  return other === undefined ? [[], [one]] : [[], [one], [other], [one, other]]
}

/**
 * An item holds 400 KB. Beyond a tenth of that, each write is expensive, and the real maximum may exceed the estimate.
 */
const EMBEDDED_BYTES_MAX = 40_000

function isEmbeddable(facts: EdgeFacts, end: string): boolean {
  const { most, readsPerSecond } = facts.ends[end]!
  return readsPerSecond > 0 && most * (facts.bytes + ENTRY_BYTES) <= EMBEDDED_BYTES_MAX
}

/** The size of an entry's name, and of a map. */
const ENTRY_BYTES = 40

/** Formats an alternative in one line: `movie adjacent, actor index`. */
export function formatAlternative({ ways, carried, embedded }: Alternative): string {
  const parts = Object.entries(ways).map(([end, way]) => `${end} ${way === 'none' ? 'not read' : way}`)
  return [
    ...parts,
    ...carried.map(end => `copies for ${end}`),
    ...(embedded === undefined ? [] : [`embedded in ${embedded}`]),
  ].join(', ')
}
