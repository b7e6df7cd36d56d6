import type { Layout } from '../../layout/layout.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import { hasStreamDerivedData } from '../../schema/edge/stream-derived-data.js'
import { GraphError } from '../../schema/error.js'
import { type Alternative, formatAlternative, homeWayOf, listAlternatives } from './alternatives.js'
import type { EdgeFacts, EndFacts } from './facts.js'
import { measureEdge } from './measurement.js'
import { type AlternativePrices, canReadConsistently, priceAlternative } from './prices.js'

export interface EdgeChoice extends Alternative, AlternativePrices {
  readonly name: string
  /** The reason why it is not an option; undefined if it is one. */
  readonly unfit: string | undefined
  /** Whether the current schema declares the edge this way. */
  readonly present: boolean
}

export interface EdgeAdvice {
  readonly edge: string
  /** The alternatives, best first. */
  readonly choices: readonly EdgeChoice[]
  /** The reasons, one for each end. */
  readonly because: Readonly<Record<string, string>>
  /** Warnings about limits. */
  readonly warnings: readonly string[]
  /** The options in the declaration; empty if the defaults are best. */
  readonly declare: string
}

/** Prices every way to store an edge and recommends one. */
export async function adviseEdge(
  edge: DeclaredEdge,
  facts: EdgeFacts,
  presentWays: Alternative['ways'] = {},
): Promise<EdgeAdvice> {
  // Copies belong to the node at the other end, and are an option only if reads show some of its attributes.
  const isCarried = (end: string) => facts.ends[end]!.shows === 'few' && edge.carry.some(copy => copy.end !== end)
  const isPresent = ({ ways, carried, embedded }: Alternative) =>
    edge.ends.every(({ name }) => ways[name] === presentWays[name] && carried.includes(name) === isCarried(name)) &&
    embedded === edge.embed[0]?.end
  const choices: EdgeChoice[] = []
  for (const alternative of listAlternatives(edge, facts)) {
    const measurement = await measureEdge(edge, facts, alternative).catch(ignoreInvalidAlternative)
    // If both ends have a sort order, the edge may also be stored with the other end, which is a separate alternative.
    if (!measurement || !isServed(measurement.layout, edge.name, alternative)) continue
    const priced = priceAlternative(edge, facts, alternative, measurement)
    choices.push({
      ...alternative,
      ...priced,
      name: formatAlternative(alternative),
      unfit: unfitReasonOf(edge, facts, alternative),
      present: isPresent(alternative),
    })
  }
  // The sort is stable: of alternatives with equal costs, the simplest stays first.
  const ranked = choices.sort((a, b) => sortRankOf(a) - sortRankOf(b))
  const best = ranked[0]!
  return {
    edge: edge.name,
    choices: ranked,
    because: Object.fromEntries(edge.ends.map(({ name }) => [name, reasonOf(edge, facts, best, name)])),
    warnings: edge.ends.flatMap(({ name }) => warningsOf(facts, best, name)),
    declare: declarationOf(edge, facts, best),
  }
}

const isServed = ({ accesses }: Layout, edge: string, { ways }: Alternative) =>
  accesses.every(({ type, name, method }) => type.name !== edge || ways[name] === method)

/** An alternative that the schema cannot declare is not an option. */
function ignoreInvalidAlternative(error: unknown): undefined {
  if (!(error instanceof GraphError) || !/^(path|edge|layout|option)\./.test(error.code)) throw error
}

/** A difference of cents does not outweigh a simpler declaration. */
const RANK_STEP_DOLLARS = 1
const UNFIT_PENALTY = 1e12

function sortRankOf({ dollarsPerMonth: { onDemand, storage }, unfit }: EdgeChoice): number {
  return Math.floor((onDemand + storage) / RANK_STEP_DOLLARS) + (unfit === undefined ? 0 : UNFIT_PENALTY)
}

/** A strongly consistent read needs the table itself. Nodes have one sort key, which an inverted index reverses. */
function unfitReasonOf(edge: DeclaredEdge, facts: EdgeFacts, { ways }: Alternative): string | undefined {
  const end = Object.keys(ways).find(
    name =>
      facts.ends[name]!.consistent && facts.ends[name]!.readsPerSecond > 0 && !canReadConsistently(edge, ways, name),
  )
  if (end !== undefined) return `reads from ${end} may miss the latest writes`
  return Object.values(ways).includes('inverted') ? 'all nodes share one partition of it' : undefined
}

const WAY_DESCRIPTIONS: Readonly<Record<string, string>> = {
  adjacent: 'next to its node, in one partition: a Query reads it, with strong consistency on request',
  index: 'in a sparse index: one more write for each change, and reads lag by a moment',
  mirror:
    'a second time in the table, written in one transaction: twice the writes, strongly consistent from both ends',
  inverted: "in an index over the table's own keys, which contains every item of the table",
  none: 'nothing is read from this end, so nothing is stored for it',
}

function reasonOf(edge: DeclaredEdge, facts: EdgeFacts, best: EdgeChoice, end: string): string {
  const way = best.ways[end]!
  const { shows, consistent, fewChangesPerSecond, most } = facts.ends[end]!
  const other = edge.ends.find(({ name }) => name !== end)!.name
  const parts = [`${way === 'none' ? 'not read' : way}: ${WAY_DESCRIPTIONS[way]}`]
  if (best.embedded === end) parts.push(`embedded: at most ${most} entries are in the node's own item`)
  if (consistent && canReadConsistently(edge, best.ways, end))
    parts.push('an index cannot be read strongly consistently')
  if (shows === 'few')
    parts.push(
      best.carried.includes(end)
        ? `carry the shown attributes of ${other}${fewChangesPerSecond > 0 ? ', updated by the stream' : ', which never changes'}`
        : `fetch the shown attributes of ${other}: copies that change this often cost more`,
    )
  if (shows === 'whole') parts.push(`fetch ${other} by BatchGetItem, half a unit for each 4 KB of each node`)
  return parts.join('; ')
}

/** Half of the capacity of one partition, which leaves headroom. */
const PARTITION_WRITES = 500
const PARTITION_READS = 1500

function warningsOf(facts: EdgeFacts, best: EdgeChoice, end: string): string[] {
  const { hottest, readsPerSecond }: EndFacts = facts.ends[end]!
  const writes = best.unitsPerSecond.write * hottest
  const reads = (best.reads[end]?.units ?? 0) * readsPerSecond * hottest
  const shards = Math.ceil(Math.max(writes / PARTITION_WRITES, reads / PARTITION_READS))
  if (shards <= 1) return []
  return [
    `the busiest ${end} takes ${Math.round(writes)} write units and ${Math.round(reads)} read units a second, and one partition 1,000 and 3,000: say by: { ${end}: { shards: ${shards} } }`,
  ]
}

/**
 * The options that differ from the defaults: the first end, or the one with a sort order, is adjacent, and the other is
 * in an index.
 */
function declarationOf(edge: DeclaredEdge, facts: EdgeFacts, best: EdgeChoice): string {
  const first = edge.one ?? edge.ends[0].name
  const second = edge.ends.find(({ name }) => name !== first)!.name
  const usual: Readonly<Record<string, string>> = {
    [first]: homeWayOf(edge, first),
    [second]: edge.undirected || hasStreamDerivedData(edge, second) ? 'mirror' : 'index',
  }
  const differing = Object.entries(best.ways).filter(([end, way]) => usual[end] !== way)
  // An undirected edge declares one option for both ends.
  const ways = edge.undirected ? differing.map(([, way]) => [first, way] as const) : differing
  const copies = best.carried.map(end => {
    const from = `'${edge.ends.find(({ name }) => name !== end)!.name}.…'`
    return facts.ends[end]!.fewChangesPerSecond > 0 ? `…: { from: ${from}, sync: 'eventual' }` : `…: ${from}`
  })
  const parts = [
    ...(ways.length > 0 ? [`by: { ${ways.map(([end, way]) => `${end}: { as: '${way}' }`).join(', ')} }`] : []),
    ...(copies.length > 0 ? [`carry: { ${copies.join(', ')} }`] : []),
    ...(best.embedded === undefined
      ? []
      : [`embed: { ${best.embedded}: { into: '…', max: ${facts.ends[best.embedded]!.most} } }`]),
  ]
  return parts.join(', ')
}
