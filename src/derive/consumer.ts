import type { ChangeRecord } from '../dynamodb/operations/streams.js'
import { workOptions } from '../graph/given.js'
import { inTurn } from '../graph/in-turn.js'
import { checkStore, surroundingsOf } from '../graph/open.js'
import { type Layout, layoutIn, layoutOf } from '../layout/layout.js'
import { keyOf } from '../plan/identity.js'
import type { AnyType, Graph } from '../schema/graph.js'
import type { Store } from '../store/port.js'
import type { RetryingOptions } from '../store/retrying.js'
import { countSides } from './count.js'
import { countingText } from './counted.js'
import { type Deriving, derivingOf } from './deriving.js'
import { settleEdge } from './edge.js'
import { within } from './follow/settings.js'
import { settleNode } from './node.js'
import { patient } from './patience.js'
import type { Consumer, Handled } from './port.js'
import { removed } from './recount.js'
import { sideOfTombstone, spend } from './tombstone.js'
import { toldOf } from './untold.js'
import { addWork, noWork, type Work } from './work.js'

/** How a consumer works. */
export interface ConsumerOptions {
  /** The name of the table; the graph's unless said. */
  readonly table?: string | undefined
  /** How many nodes or edges are brought up to date at once; 8 unless said. */
  readonly concurrency?: number | undefined
  readonly retry?: RetryingOptions | undefined
  /** Milliseconds since 1970. */
  readonly clock?: (() => number) | undefined
  readonly random?: ((bytes: number) => Uint8Array) | undefined
}

const KNOWN = 'table, concurrency, retry, clock, random'
const CONCURRENCY = 8

/**
 * A consumer of the table's stream. A record only tells it where to look: it reads what is there now and writes under
 * conditions, so that records may come twice, late, and in any order.
 */
export function consumer<T extends AnyType, Tenant extends boolean>(
  what: Graph<T, Tenant> | Layout<T, Tenant>,
  store: Store,
  options: ConsumerOptions = {},
): Consumer {
  const given: Layout = layoutOf(what)
  checkStore(store)
  workOptions('consumer', options, KNOWN, 'clock, random')
  const { table = given.design.name, concurrency = CONCURRENCY } = options
  within('concurrency', concurrency, 1)
  const layout = layoutIn(given, table)
  const deriving = derivingOf(layout, patient(store, options.retry), surroundingsOf(options))
  return { layout, handle: records => handle(deriving, records, concurrency) }
}

async function handle(deriving: Deriving, records: readonly ChangeRecord[], concurrency: number): Promise<Handled> {
  const { layout } = deriving.context
  const work = noWork()
  const failed = new Map<number, unknown>()
  for (const [at, record] of (await toldOf(deriving, records)).entries())
    try {
      addWork(layout, work, record, at)
    } catch (error) {
      failed.set(at, error)
    }
  const each = <W extends { readonly records: readonly number[] }>(all: Iterable<W>, act: (one: W) => Promise<void>) =>
    inTurn([...all], concurrency, async one => {
      try {
        await act(one)
      } catch (error) {
        for (const at of one.records) if (!failed.has(at)) failed.set(at, error)
      }
    })
  // Mirrors and copies first, so that what is counted lies where it belongs.
  await each(work.edges.values(), ({ edge, mirrors }) => settleEdge(deriving, edge, [...mirrors.values()]))
  await each(work.nodes.values(), node => settleNode(deriving, node))
  await each(work.counters.values(), counters => settleCounters(deriving, counters))
  const failures = [...failed].sort(([a], [b]) => a - b).map(([at, error]) => ({ record: records[at]!, error }))
  return { applied: records.length - work.skipped - failed.size, skipped: work.skipped, failures }
}

type CounterWork = Work['counters'] extends Map<string, infer W> ? W : never

async function settleCounters(deriving: Deriving, work: CounterWork): Promise<void> {
  const { layout } = deriving.context
  const { node, sides } = work
  const tombstones = [...work.tombstones.values()]
  if (tombstones.length > 0)
    await spend(
      deriving,
      node,
      tombstones.map(tombstone => keyOf(layout.names, tombstone)),
    )
  const told = new Set(tombstones.map(tombstone => countingText(layout, sideOfTombstone(tombstone), tombstone)))
  // One recount makes up for all that went.
  for (const side of work.removed)
    if (!told.has(countingText(layout, side.item, side.item)) && (await removed(deriving, node, side))) break
  if (sides.size > 0) await countSides(deriving, node, [...sides.values()])
}
