import type { ChangeRecord } from '../../dynamodb/operation-types.js'
import { parseWorkOptions } from '../../graph/arguments.js'
import { assertStore, environmentOf } from '../../graph/open.js'
import { forEachConcurrently } from '../../graph/run/concurrency.js'
import { caseFoldingOf } from '../../layout/items/row-bindings.js'
import { type Layout, layoutOf, withTableName } from '../../layout/layout.js'
import { keyOfItem } from '../../plan/identity.js'
import type { AnyType, Graph } from '../../schema/graph.js'
import { resolveBackoff } from '../../store/backoff.js'
import type { Store } from '../../store/port.js'
import type { RetryingOptions } from '../../store/retry.js'
import { assertInRange } from '../follow/settings.js'
import { parseRecord } from '../parsed-record.js'
import type { Consumer, HandleResult } from '../port.js'
import { withRetries } from '../retrying-store.js'
import { addRecordWork, type BatchWork, createBatchWork } from './batch-work.js'
import { settleClosure, settleClosuresBelow } from './closure.js'
import { createDerivationContext, type DerivationContext } from './context.js'
import { contributionIdOf } from './contribution.js'
import { countSideItems } from './counters.js'
import { settleEdge } from './edge.js'
import { completeRecords } from './incomplete-records.js'
import { settleNode } from './node.js'
import { recountUnlessTombstoned } from './recount.js'
import { sideOfTombstone, spendTombstones } from './tombstone.js'

/** Options of `consumer()`. */
export interface ConsumerOptions {
  /** Name of the table. Default: the table name in the design. */
  readonly table?: string | undefined
  /** Number of nodes or edges that are updated concurrently. Default: 8. */
  readonly concurrency?: number | undefined
  readonly retry?: RetryingOptions | undefined
  /** Returns the current time in milliseconds since 1970. Default: the system clock. */
  readonly clock?: (() => number) | undefined
  readonly random?: ((bytes: number) => Uint8Array) | undefined
}

const OPTION_NAMES = 'table, concurrency, retry, clock, random'
const CONCURRENCY = 8

/**
 * Creates a consumer of the table's stream that maintains mirrors, counters and copies.
 *
 * The consumer reads the current items and writes under conditions, so records may arrive twice, late and in any
 * order.
 *
 * @param graphOrLayout The graph, or one of its layouts.
 * @param store The store that holds the table.
 * @returns The consumer, for `lambdaHandler()`, `follow()` or `replay()`.
 * @throws {call.argument} An option is unknown or has the wrong type.
 * @example
 * ```ts
 * import { consumer } from 'edgewise/derive'
 * import { edge, graph, node, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 *
 * const user = node('user', { name: string() }, { id: 'name' })
 * const follows = edge('follows', { follower: user, followed: user })
 * const { failures } = await consumer(graph('social', [user, follows]), memory()).handle([])
 * ```
 */
export function consumer<T extends AnyType, Tenant extends boolean>(
  graphOrLayout: Graph<T, Tenant> | Layout<T, Tenant>,
  store: Store,
  options: ConsumerOptions = {},
): Consumer {
  const declaredLayout: Layout = layoutOf(graphOrLayout)
  assertStore(store)
  parseWorkOptions('consumer', options, OPTION_NAMES, 'clock, random')
  const { table = declaredLayout.design.name, concurrency = CONCURRENCY } = options
  assertInRange('concurrency', concurrency, 1)
  const layout = withTableName(declaredLayout, table)
  const reliable = withRetries(store, options.retry)
  const derivation = createDerivationContext(layout, reliable, environmentOf(options), resolveBackoff(options.retry))
  return { layout, handle: records => handleRecords(derivation, records, concurrency) }
}

async function handleRecords(
  derivation: DerivationContext,
  records: readonly ChangeRecord[],
  concurrency: number,
): Promise<HandleResult> {
  const { layout } = derivation.context
  const work = createBatchWork()
  const errorsByRecord = new Map<number, unknown>()
  const attempt = <T>(recordIndex: number, step: () => T): T | undefined => {
    try {
      return step()
    } catch (error) {
      errorsByRecord.set(recordIndex, error)
      return undefined
    }
  }
  const parsed = records.map((record, recordIndex) => attempt(recordIndex, () => parseRecord(layout, record)))
  for (const [recordIndex, record] of (await completeRecords(derivation, parsed)).entries())
    if (record) attempt(recordIndex, () => addRecordWork(layout, work, record, recordIndex))
  const settleEach = <W extends { readonly records: readonly number[] }>(
    entries: Iterable<W>,
    settle: (entry: W) => Promise<void>,
  ) =>
    forEachConcurrently([...entries], concurrency, async entry => {
      try {
        await settle(entry)
      } catch (error) {
        for (const recordIndex of entry.records)
          if (!errorsByRecord.has(recordIndex)) errorsByRecord.set(recordIndex, error)
      }
    })
  // Settle mirrors and copies before counters, so that counters see side items in their final partition.
  await settleEach(work.edges.values(), ({ edge, mirrorKeys }) =>
    settleEdge(derivation, edge, [...mirrorKeys.values()]),
  )
  await settleEach(work.nodes.values(), node => settleNode(derivation, node))
  await settleEach(work.counters.values(), counters => settleCounters(derivation, counters))
  await settleEach(work.closures.values(), closure => settleClosureWork(derivation, closure))
  const failures = [...errorsByRecord]
    .sort(([a], [b]) => a - b)
    .map(([recordIndex, error]) => ({ record: records[recordIndex]!, error }))
  return { applied: records.length - work.skipped - errorsByRecord.size, skipped: work.skipped, failures }
}

type ClosureWork = BatchWork['closures'] extends Map<string, infer W> ? W : never

async function settleClosureWork(
  derivation: DerivationContext,
  { edge, isChanged, hasNewLineage, earlier }: ClosureWork,
): Promise<void> {
  // Where keys fold case, a write can change the spelling of an id in all items of the closure.
  const rewrites = caseFoldingOf(derivation.context.layout).fold !== undefined
  if (isChanged) await settleClosure(derivation, edge, { earlier, rewrites })
  if (hasNewLineage) await settleClosuresBelow(derivation, edge)
}

type CounterWork = BatchWork['counters'] extends Map<string, infer W> ? W : never

async function settleCounters(derivation: DerivationContext, work: CounterWork): Promise<void> {
  const { layout } = derivation.context
  const { node, sideKeys } = work
  const tombstones = [...work.tombstones.values()]
  if (tombstones.length > 0)
    await spendTombstones(
      derivation,
      node,
      tombstones.map(tombstone => keyOfItem(layout.names, tombstone)),
    )
  const spentIds = new Set(tombstones.map(tombstone => contributionIdOf(layout, sideOfTombstone(tombstone), tombstone)))
  // One recount covers all removed side items.
  for (const removedSide of work.removedSides)
    if (
      !spentIds.has(contributionIdOf(layout, removedSide.item, removedSide.item)) &&
      (await recountUnlessTombstoned(derivation, node, removedSide))
    )
      break
  if (sideKeys.size > 0) await countSideItems(derivation, node, [...sideKeys.values()])
}
