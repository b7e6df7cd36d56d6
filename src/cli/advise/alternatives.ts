import type { DeclaredEdge, Way } from '../../schema/declared.js'
import { keptByStream } from '../../schema/kept-by-stream.js'
import type { EdgeFacts } from './facts.js'
import { isConsistent } from './prices.js'

/** One way to keep an edge: how each end is served, and what each read has of the nodes at the other end. */
export interface Alternative {
  readonly ways: Readonly<Record<string, Way>>
  /** The ends from which copies of the other node's attributes are read. */
  readonly carried: readonly string[]
  /** The end whose nodes hold a bounded map of their edges. */
  readonly embedded: string | undefined
}

/** Every way that the declaration allows, the plainest first. */
export function alternativesOf(edge: DeclaredEdge, facts: EdgeFacts): Alternative[] {
  // What the stream keeps at an end is on the items by which the table itself serves it.
  const canBe = (ways: Alternative['ways']) =>
    edge.ends.every(({ name }) => isConsistent(ways[name]) || !keptByStream(edge, name))
  const isSame = (a: Alternative['ways'], b: Alternative['ways']) => edge.ends.every(({ name }) => a[name] === b[name])
  const served = waysOf(edge, facts).filter(
    (ways, at, all) => canBe(ways) && all.findIndex(other => isSame(other, ways)) === at,
  )
  const plain = served.flatMap(ways =>
    carriesOf(edge, facts).map((carried): Alternative => ({ ways, carried, embedded: undefined })),
  )
  const [first] = plain
  const bounded = edge.ends.filter(({ name }) => isEmbeddable(facts, name))
  return [...plain, ...bounded.map(({ name }): Alternative => ({ ...first!, embedded: name }))]
}

/** Whether an end is sorted by more than what tells its edges apart: it is not read where they lie, then. */
export function isSorted({ ends, key }: DeclaredEdge, end: string): boolean {
  const { order } = ends.find(({ name }) => name === end)!.by
  return order.some(part => !key.includes(part) && (part === end || !ends.some(({ name }) => name === part)))
}

/** How the end in whose partition an edge lies is served. */
export const waysHome = (edge: DeclaredEdge, home: string): Way => (isSorted(edge, home) ? 'index' : 'adjacent')

function waysOf(edge: DeclaredEdge, facts: EdgeFacts): Record<string, Way>[] {
  const { ends, one, undirected } = edge
  const [a, b] = ends.map(({ name }) => name) as [string, string]
  if (undirected)
    return [
      { [a]: waysHome(edge, a), [b]: 'mirror' },
      { [a]: waysHome(edge, a), [b]: 'index' },
    ]
  const homes = one === undefined ? [a, b] : [one]
  return homes.flatMap(home => {
    const far = home === a ? b : a
    const { onDelete } = ends.find(({ name }) => name === far)!
    const isRead = facts.ends[far]!.readsPerSecond > 0
    const isFound = isRead || onDelete !== 'leave' || keptByStream(edge, far)
    const others: Way[] = isFound ? ['index', 'mirror', 'inverted'] : ['none']
    return others.map(way => ({ [home]: waysHome(edge, home), [far]: way }) as Record<string, Way>)
  })
}

/** Where a few attributes are shown, they are either fetched or carried. */
function carriesOf({ ends }: DeclaredEdge, facts: EdgeFacts): string[][] {
  const few = ends.map(({ name }) => name).filter(name => facts.ends[name]!.shows === 'few')
  const [one, other] = few
  if (one === undefined) return [[]]
  return other === undefined ? [[], [one]] : [[], [one], [other], [one, other]]
}

/** An item holds 400 KB; past a tenth of that each write of it is dear, and the most may be more than was thought. */
const EMBEDDED_BYTES = 40_000

function isEmbeddable(facts: EdgeFacts, end: string): boolean {
  const { most, readsPerSecond } = facts.ends[end]!
  return readsPerSecond > 0 && most * (facts.bytes + ENTRY_BYTES) <= EMBEDDED_BYTES
}

/** The name of an entry, and what a map takes. */
const ENTRY_BYTES = 40

/** How it reads in one line: `movie adjacent, actor index`. */
export function alternativeName({ ways, carried, embedded }: Alternative): string {
  const parts = Object.entries(ways).map(([end, way]) => `${end} ${way === 'none' ? 'not read' : way}`)
  return [
    ...parts,
    ...carried.map(end => `copies for ${end}`),
    ...(embedded === undefined ? [] : [`embedded in ${embedded}`]),
  ].join(', ')
}
