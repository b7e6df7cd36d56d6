import { countedOf, Total } from '../derive/counted.js'
import type { Deriving } from '../derive/deriving.js'
import { counterNames, countersOf, countRest } from '../derive/recount.js'
import { pathsOf, type Seen, sidesOf } from '../derive/sides.js'
import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { isTallyName } from '../layout/tally.js'
import { contribution } from '../plan/kept-by-stream.js'
import type { DeclaredEdge, DeclaredNode } from '../schema/declared.js'
import { derivedOf, keptOf } from './backfill-derived.js'
import { type Fault, rowIn } from './fault.js'
import { sameKept } from './same-kept.js'

const NOTHING: AttributeValue = { N: '0' }

/** Counters that a stream keeps, and are not what the edges of the node add up to, or not by what is noted on these. */
export async function counterFaults(deriving: Deriving, { kind, item }: Seen): Promise<Fault[]> {
  const { layout } = deriving.context
  const type = kind.type as DeclaredNode
  const names = counterNames(layout, type)
  if (names.length === 0) return []
  const { truth, noted } = await totalsOf(deriving, item, type)
  const isFound = (name: string, total: Told) => sameKept(item[name] ?? NOTHING, numberIn(total, name))
  const wrong = names.filter(name => !isFound(name, truth) || !isFound(name, noted))
  if (wrong.length === 0) return []
  const counted = await countersOf(deriving, item, type)
  const mend = () => countRest(deriving, item, type)
  const row = rowIn(layout, kind, item)
  return wrong.flatMap((name): Fault[] => {
    const isRight = isFound(name, truth)
    const isCounted = sameKept(counted[name] ?? NOTHING, item[name] ?? NOTHING)
    if (isRight && isCounted) return []
    return [
      {
        code: isCounted ? 'counter.behind' : isRight ? 'counter.unnoted' : 'counter.drift',
        type: type.name,
        row,
        name,
        expected: numberIn(truth, name),
        found: item[name] ?? NOTHING,
        mend: truth.endless.size > 0 ? undefined : mend,
      },
    ]
  })
}

/** Numbers by the names of counters; of the endless none: they have more digits than a number can have. */
interface Told {
  readonly of: Readonly<Record<string, AttributeValue>>
  readonly endless: ReadonlySet<string>
}

const numberIn = ({ of, endless }: Told, name: string) => (endless.has(name) ? undefined : (of[name] ?? NOTHING))

/** What the edges of a node add up to, and what is noted on them of that. */
async function totalsOf(deriving: Deriving, node: Item, type: DeclaredNode): Promise<{ truth: Told; noted: Told }> {
  const { layout } = deriving.context
  const truth = new Total()
  const noted = new Total()
  for (const path of pathsOf(layout, type).filter(({ counts }) => counts)) {
    for await (const sides of sidesOf(deriving, node, path)) {
      for (const { kind, item, values } of sides) {
        truth.add(contribution(layout, kind, values))
        const counted = countedOf(layout, item)
        if (counted && counted.life === node[layout.names.life]?.S) noted.add(counted.of)
      }
    }
  }
  return { truth: { of: truth.of, endless: truth.endless() }, noted: { of: noted.of, endless: noted.endless() } }
}

/**
 * Counters and entries that writers keep in their own transactions. An edge that is found by a mirror or an index may be
 * missing there: then they are mended only where `all` edges are known to be found.
 */
export async function keptFaults(deriving: Deriving, { kind, item }: Seen, all: boolean): Promise<Fault[]> {
  const { layout, store } = deriving.context
  const { expected, names, items, lags } = await keptOf(store, layout, item)
  const isLeftOver = (name: string) => isTallyName(name) && !expected[name]
  const wrong = names.filter(name => !isLeftOver(name) && !isSame(expected[name], item[name]))
  const codeOf = (name: string) => (expected[name]?.M || item[name]?.M ? 'entry.drift' : 'counter.drift')
  return wrong.map(name => ({
    code: isTallyName(name) ? 'edges.uncounted' : codeOf(name),
    type: kind.type.name,
    row: rowIn(layout, kind, item),
    name,
    expected: expected[name],
    found: item[name],
    lags,
    // An edge that comes whenever they are read, and goes, is each time another.
    by: lags ? undefined : items,
    mend: all || isFoundByOwn(layout, kind.type as DeclaredNode) ? () => derivedOf(store, layout, item) : undefined,
  }))
}

/** Nothing counted, and no entry, is the same as none. */
function isSame(one: AttributeValue | undefined, other: AttributeValue | undefined): boolean {
  const isNothing = (value: AttributeValue | undefined) =>
    !value || sameKept(value, NOTHING) || (value.M && Object.keys(value.M).length === 0)
  return (isNothing(one) && isNothing(other)) || sameKept(one, other)
}

/** Whether a node finds all edges of which writers keep something in it by their own items. */
function isFoundByOwn({ graph, accesses }: Layout, type: DeclaredNode): boolean {
  return graph.declared.edges.every(edge =>
    [...edge.count, ...edge.sum, ...edge.embed]
      .filter(each => (!('by' in each) || each.by !== 'stream') && nodeAt(edge, each.end) === type)
      .every(({ end }) =>
        accesses.some(
          access => access.type === edge && access.name === end && access.consistent && access.kind.role === 'edge',
        ),
      ),
  )
}

const nodeAt = ({ ends }: DeclaredEdge, end: string) => ends.find(({ name }) => name === end)?.node
