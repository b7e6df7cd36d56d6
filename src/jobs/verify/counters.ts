import type { DerivationContext } from '../../derive/settle/context.js'
import { CounterTotals, contributionOf } from '../../derive/settle/contribution.js'
import { counterNamesOf, readCounterTotals, repairCounters } from '../../derive/settle/recount.js'
import { derivedPathsOf, type ParsedItem, readSideItems } from '../../derive/settle/side-items.js'
import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { isTallyName } from '../../layout/items/tally.js'
import type { Layout } from '../../layout/layout.js'
import { counterContributionOf } from '../../plan/write/effects/stream-counters.js'
import type { DeclaredEdge, DeclaredNode } from '../../schema/declarations.js'
import { computeAggregates, rewriteAggregates } from '../backfill/derived-data.js'
import { isSameAggregate } from '../compare-aggregates.js'
import { faultRowOf, type VerifyFault } from './fault.js'

const ZERO: AttributeValue = { N: '0' }

/**
 * Finds stream counters that differ from the sum of the node's edges, or from the contributions recorded on the edges.
 */
export async function findCounterFaults(
  derivation: DerivationContext,
  { kind, item }: ParsedItem,
): Promise<VerifyFault[]> {
  const { layout } = derivation.context
  const type = kind.type as DeclaredNode
  const names = counterNamesOf(layout, type)
  if (names.length === 0) return []
  const { actual, recorded } = await readTotals(derivation, item, type)
  const isStoredValue = (name: string, total: CounterReading) =>
    isSameAggregate(item[name] ?? ZERO, counterValueOf(total, name))
  const wrongNames = names.filter(name => !isStoredValue(name, actual) || !isStoredValue(name, recorded))
  if (wrongNames.length === 0) return []
  const recordedTotals = await readCounterTotals(derivation, item, type)
  const repair = () => repairCounters(derivation, item, type)
  const row = faultRowOf(layout, kind, item)
  return wrongNames.flatMap((name): VerifyFault[] => {
    const isCorrect = isStoredValue(name, actual)
    const isCounted = isSameAggregate(recordedTotals[name] ?? ZERO, item[name] ?? ZERO)
    if (isCorrect && isCounted) return []
    return [
      {
        code: isCounted ? 'counter.behind' : isCorrect ? 'counter.unnoted' : 'counter.drift',
        type: type.name,
        row,
        name,
        expected: counterValueOf(actual, name),
        found: item[name] ?? ZERO,
        repair: actual.overflowingNames.size > 0 ? undefined : repair,
      },
    ]
  })
}

/** Totals by counter name. Names in `overflowingNames` have no total, because it exceeds 38 digits. */
interface CounterReading {
  readonly sums: Readonly<Record<string, AttributeValue>>
  readonly overflowingNames: ReadonlySet<string>
}

const counterValueOf = ({ sums, overflowingNames }: CounterReading, name: string) =>
  overflowingNames.has(name) ? undefined : (sums[name] ?? ZERO)

/** Reads the edges of a node: the sum of their values, and the sum of the contributions recorded on them. */
async function readTotals(
  derivation: DerivationContext,
  node: Item,
  type: DeclaredNode,
): Promise<{ actual: CounterReading; recorded: CounterReading }> {
  const { layout } = derivation.context
  const actual = new CounterTotals()
  const recorded = new CounterTotals()
  for (const path of derivedPathsOf(layout, type).filter(({ hasCounters }) => hasCounters)) {
    for await (const sideItems of readSideItems(derivation, node, path)) {
      for (const { kind, item, values } of sideItems) {
        actual.add(counterContributionOf(layout, kind, values))
        const counted = contributionOf(layout, item)
        if (counted && counted.life === node[layout.names.incarnation]?.S) recorded.add(counted.amounts)
      }
    }
  }
  return {
    actual: { sums: actual.sums, overflowingNames: actual.findOverflowingNames() },
    recorded: { sums: recorded.sums, overflowingNames: recorded.findOverflowingNames() },
  }
}

/**
 * Finds wrong counters and entries that writers maintain in their own transactions. A mirror or an index may lack an
 * edge, so they are repaired only if `hasAllEdges` or if the reads miss no edge.
 */
export async function findAggregateFaults(
  derivation: DerivationContext,
  { kind, item }: ParsedItem,
  hasAllEdges: boolean,
): Promise<VerifyFault[]> {
  const { layout, store } = derivation.context
  const { expected, names, itemsRead, mayLag } = await computeAggregates(store, layout, item)
  const isLeftOver = (name: string) => isTallyName(name) && !expected[name]
  const wrongNames = names.filter(name => !isLeftOver(name) && !isSameOrEmpty(expected[name], item[name]))
  const codeOf = (name: string) => (expected[name]?.M || item[name]?.M ? 'entry.drift' : 'counter.drift')
  return wrongNames.map(
    (name): VerifyFault => ({
      code: isTallyName(name) ? 'edges.uncounted' : codeOf(name),
      type: kind.type.name,
      row: faultRowOf(layout, kind, item),
      name,
      expected: expected[name],
      found: item[name],
      mayLag,
      // The edges as evidence: if a different edge appears in each inspection, the fault is not confirmed.
      evidence: mayLag ? undefined : itemsRead,
      repair:
        hasAllEdges || canFindAllEdges(layout, kind.type as DeclaredNode)
          ? () => rewriteAggregates(store, layout, item)
          : undefined,
    }),
  )
}

/** Whether two aggregates are equal. A zero counter and an empty map equal a missing attribute. */
function isSameOrEmpty(first: AttributeValue | undefined, second: AttributeValue | undefined): boolean {
  const isEmpty = (value: AttributeValue | undefined) =>
    !value || isSameAggregate(value, ZERO) || (value.M && Object.keys(value.M).length === 0)
  return (isEmpty(first) && isEmpty(second)) || isSameAggregate(first, second)
}

/** Whether consistent reads find all edges that writers aggregate in nodes of this type. */
function canFindAllEdges({ graph, accesses }: Layout, type: DeclaredNode): boolean {
  return graph.declared.edges.every(edge =>
    [...edge.count, ...edge.sum, ...edge.embed]
      .filter(
        aggregate => (!('by' in aggregate) || aggregate.by !== 'stream') && nodeAtEnd(edge, aggregate.end) === type,
      )
      .every(({ end }) =>
        accesses.some(
          access => access.type === edge && access.name === end && access.consistent && access.kind.role === 'edge',
        ),
      ),
  )
}

const nodeAtEnd = ({ ends }: DeclaredEdge, end: string) => ends.find(({ name }) => name === end)?.node
