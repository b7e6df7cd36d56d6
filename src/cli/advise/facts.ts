import type { DeclaredEdge, DeclaredGraph } from '../../schema/declared.js'
import { Failure } from '../failure.js'

/** What a read from an end shows of each node at the other: only its id, a few attributes, or all of it. */
export type Shows = 'ids' | 'few' | 'whole'

/** What is known of the edges as seen from one end. */
export interface EndFacts {
  /** edges of one node */
  readonly typical: number
  readonly most: number
  readonly readsPerSecond: number
  /** whether a read must see the latest write */
  readonly consistent: boolean
  readonly shows: Shows
  /** of these few attributes */
  readonly fewBytes: number
  /** how often one of them changes, over all nodes at the other end; 0 is never */
  readonly fewChangesPerSecond: number
  /** of a whole node at the other end */
  readonly wholeBytes: number
  /** the part of all traffic that goes to the busiest node, 0 to 1 */
  readonly hottest: number
}

export interface EdgeFacts {
  readonly total: number
  /** of its attributes, without its keys */
  readonly bytes: number
  readonly writesPerSecond: number
  readonly updatesPerSecond: number
  readonly deletesPerSecond: number
  readonly ends: Readonly<Record<string, EndFacts>>
}

export interface Facts {
  readonly edges: Readonly<Record<string, EdgeFacts>>
  /** reads that go from node to node */
  readonly traversals: { readonly hops: number; readonly perSecond: number }
}

const MOST_FACTOR = 10

export const endDefaults = (typical: number, total: number): EndFacts => ({
  typical,
  most: typical * MOST_FACTOR,
  readsPerSecond: 1,
  consistent: false,
  shows: 'ids',
  fewBytes: 60,
  fewChangesPerSecond: 0,
  wholeBytes: 500,
  hottest: Math.min(1, (typical * MOST_FACTOR) / Math.max(1, total)),
})

export const EDGE_DEFAULTS = {
  total: 100_000,
  bytes: 200,
  writesPerSecond: 1,
  updatesPerSecond: 0,
  deletesPerSecond: 0,
} as const

export const TYPICAL = 20

export function edgeDefaults({ ends }: DeclaredEdge): EdgeFacts {
  const { total } = EDGE_DEFAULTS
  return { ...EDGE_DEFAULTS, ends: Object.fromEntries(ends.map(({ name }) => [name, endDefaults(TYPICAL, total)])) }
}

export const TRAVERSALS = { hops: 1, perSecond: 0 } as const

/** A form to be filled in. */
export function formOf({ edges }: DeclaredGraph): Facts {
  return { edges: Object.fromEntries(edges.map(edge => [edge.name, edgeDefaults(edge)])), traversals: TRAVERSALS }
}

/** What was given, checked, with what was not filled in. */
export function factsOf(graph: DeclaredGraph, given: unknown, where: string): Facts {
  const { edges = {}, traversals = {}, ...more } = objectOf(given, where)
  refuseStrangers(more, [], where, 'edges, traversals')
  const named = objectOf(edges, `${where}: edges`)
  refuseStrangers(
    named,
    graph.edges.map(({ name }) => name),
    `${where}: edges`,
  )
  return {
    edges: Object.fromEntries(graph.edges.map(edge => [edge.name, edgeFacts(edge, named[edge.name] ?? {}, where)])),
    traversals: filled(TRAVERSALS, objectOf(traversals, `${where}: traversals`), `${where}: traversals`),
  }
}

function edgeFacts(edge: DeclaredEdge, given: unknown, where: string): EdgeFacts {
  const at = `${where}: edges.${edge.name}`
  const { ends = {}, ...own } = objectOf(given, at)
  const facts = filled(EDGE_DEFAULTS, own, at)
  const named = objectOf(ends, `${at}.ends`)
  const names = edge.ends.map(({ name }) => name)
  refuseStrangers(named, names, `${at}.ends`)
  const endFacts = names.map(name => {
    const path = `${at}.ends.${name}`
    const end = objectOf(named[name] ?? {}, path)
    const typical = typeof end.typical === 'number' ? end.typical : TYPICAL
    const most = typeof end.most === 'number' ? end.most : typical * MOST_FACTOR
    const defaults = { ...endDefaults(typical, facts.total), hottest: Math.min(1, most / Math.max(1, facts.total)) }
    return [name, checkedEnd(filled(defaults, end, path), path)] as const
  })
  return { ...facts, ends: Object.fromEntries(endFacts) }
}

function checkedEnd(end: EndFacts, path: string): EndFacts {
  if (!['ids', 'few', 'whole'].includes(end.shows)) throw new Failure(`${path}.shows is 'ids', 'few' or 'whole'`)
  if (end.most < end.typical) throw new Failure(`${path}.most is less than what is typical`)
  if (end.hottest > 1) throw new Failure(`${path}.hottest is a part of all, from 0 to 1`)
  return end
}

/** Every member is of the kind that its default has, and numbers are not negative. */
function filled<T extends object>(defaults: T, given: Readonly<Record<string, unknown>>, where: string): T {
  refuseStrangers(given, Object.keys(defaults), where)
  for (const [name, value] of Object.entries(given)) {
    const kind = typeof defaults[name as keyof T]
    const right = typeof value === kind && (kind !== 'number' || (Number.isFinite(value) && (value as number) >= 0))
    if (!right) throw new Failure(`${where}.${name} is no ${WORDS[kind] ?? kind}: ${JSON.stringify(value)}`)
  }
  return { ...defaults, ...given }
}

const WORDS: Readonly<Record<string, string>> = { number: 'number from 0', boolean: 'true or false', string: 'word' }

function objectOf(given: unknown, where: string): Record<string, unknown> {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>
  throw new Failure(`${where} is no object of JSON: \`edgewise advise FILE --form\` prints one to fill in`)
}

function refuseStrangers(given: object, known: readonly string[], where: string, words = known.join(', ')): void {
  const stranger = Object.keys(given).find(name => !known.includes(name))
  if (stranger !== undefined) throw new Failure(`${where} has '${stranger}', which is none of ${words}`)
}
