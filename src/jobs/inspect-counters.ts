import { addTo } from '../derive/counted.js'
import type { Deriving } from '../derive/deriving.js'
import { counterNames, countersOf, countRest } from '../derive/recount.js'
import { pathsOf, type Seen, sidesOf } from '../derive/sides.js'
import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { contribution } from '../plan/kept-by-stream.js'
import type { DeclaredEdge, DeclaredNode } from '../schema/declared.js'
import { derivedOf, keptOf } from './backfill-derived.js'
import { type Fault, rowIn } from './fault.js'
import { sameKept } from './same-kept.js'

const NOTHING: AttributeValue = { N: '0' }

/** Counters that a stream keeps, and are not what the edges of the node add up to. */
export async function counterFaults(deriving: Deriving, { kind, item }: Seen): Promise<Fault[]> {
  const { layout } = deriving.context
  const type = kind.type as DeclaredNode
  const names = counterNames(layout, type)
  if (names.length === 0) return []
  const paths = pathsOf(layout, type).filter(({ counts }) => counts)
  const truth: Record<string, AttributeValue> = {}
  const endless = new Set<string>()
  for (const path of paths)
    for await (const sides of sidesOf(deriving, item, path))
      for (const side of sides)
        for (const [name, more] of Object.entries(contribution(layout, side.kind, side.values)))
          if (!isAdded(truth, name, more)) endless.add(name)
  const wrong = names.filter(name => endless.has(name) || !sameKept(item[name] ?? NOTHING, truth[name] ?? NOTHING))
  if (wrong.length === 0) return []
  const counted = await countersOf(deriving, item, type)
  const mend = () => countRest(deriving, item, type)
  const row = rowIn(layout, kind, item)
  return wrong.map(name => ({
    code: sameKept(counted[name] ?? NOTHING, item[name] ?? NOTHING) ? 'counter.behind' : 'counter.drift',
    type: type.name,
    row,
    name,
    expected: endless.has(name) ? undefined : (truth[name] ?? NOTHING),
    found: item[name] ?? NOTHING,
    mend: endless.size > 0 ? undefined : mend,
  }))
}

/** False where a sum has more digits than a number can have: no counter can be right then, until an edge changes. */
function isAdded(total: Record<string, AttributeValue>, name: string, more: AttributeValue): boolean {
  try {
    addTo(total, { [name]: more })
    return true
  } catch {
    return false
  }
}

/**
 * Counters and entries that writers keep in their own transactions. An edge that is found by a mirror or an index may be
 * missing there: then they are mended only where `all` edges are known to be found.
 */
export async function keptFaults(deriving: Deriving, { kind, item }: Seen, all: boolean): Promise<Fault[]> {
  const { layout, store } = deriving.context
  const { expected, names, lags } = await keptOf(store, layout, item)
  const wrong = names.filter(name => !isSame(expected[name], item[name]))
  const row = rowIn(layout, kind, item)
  return wrong.map(name => ({
    code: expected[name]?.M || item[name]?.M ? 'entry.drift' : 'counter.drift',
    type: kind.type.name,
    row,
    name,
    expected: expected[name],
    found: item[name],
    lags,
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
      .filter(each => (!('by' in each) || each.by === 'transaction') && nodeAt(edge, each.end) === type)
      .every(({ end }) =>
        accesses.some(
          access => access.type === edge && access.name === end && access.consistent && access.kind.role === 'edge',
        ),
      ),
  )
}

const nodeAt = ({ ends }: DeclaredEdge, end: string) => ends.find(({ name }) => name === end)?.node
