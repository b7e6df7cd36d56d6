import { type DerivationContext, readCurrentItem } from '../../derive/settle/context.js'
import { hasWrongKey, kindOfItem, type ParsedItem, parseItem } from '../../derive/settle/side-items.js'
import { isTombstone } from '../../derive/settle/tombstone.js'
import type { Item } from '../../dynamodb/attribute-value.js'
import { isInternalItem } from '../../layout/items/internal-items.js'
import { keyOfItem } from '../../plan/identity.js'
import { canonicalText } from '../../plan/slot-values.js'
import { GraphError } from '../../schema/error.js'
import { isMisplaced } from '../backfill/own-items.js'
import { withBatchedReads } from './batched-reads.js'
import { findClosureFaults } from './closure.js'
import { findAggregateFaults, findCounterFaults } from './counters.js'
import { faultRowOf, keyRowOf, type VerifyFault } from './fault.js'
import {
  findEndFaults,
  findMissingMark,
  findMissingSideItems,
  findStaleComputed,
  findStaleKeys,
} from './item-faults.js'
import { findOwnerFaults } from './missing-owner.js'
import { findOrphanFaults, findTombstoneFaults } from './orphans.js'
import { findUnreadableFault } from './unreadable-item.js'

/**
 * The scope of a scan. A repair checks aggregates (`kept`) in a second scan, after all missing mirrors are restored,
 * because nodes find their edges by mirrors.
 */
export type VerifyPass = 'all' | 'items' | 'kept'

/** Finds all faults of an item and of the side items that it requires. */
export async function findFaults(derivation: DerivationContext, item: Item, pass: VerifyPass): Promise<VerifyFault[]> {
  const { layout } = derivation.context
  const kind = kindOfItem(layout, item)
  if (pass === 'kept' && kind?.role !== 'node') return []
  if (isTombstone(layout, item)) return findTombstoneFaults(derivation, item)
  if (!kind && isInternalItem(layout, item)) return []
  if (!kind || hasWrongKey(layout, kind, item) || isMisplaced(layout, layout, item))
    return pass === 'kept' ? [] : [{ code: 'item.unknown', type: '', row: keyRowOf(layout, item), found: item }]
  // Stale computed values make other checks meaningless, so repair them first.
  const stale = kind.role === 'node' || kind.role === 'edge' ? findStaleComputed(derivation, kind, item) : []
  if (stale.length > 0) return pass === 'kept' ? [] : stale
  const unreadableFault = findUnreadableFault(layout, kind, item)
  if (unreadableFault) return pass === 'kept' ? [] : [unreadableFault]
  if (kind.role === 'node' || kind.role === 'edge') {
    const parsed = parseItem(layout, item)!
    // A node whose id fails validation cannot be used in a call, so its edges cannot be read.
    const toRefusedIdFaults = ({ code, details: { path } }: GraphError): VerifyFault[] => {
      const row = keyRowOf(layout, item)
      return /^value\./.test(code)
        ? [{ code: 'item.unreadable', type: kind.type.name, row, name: path, found: item }]
        : []
    }
    return [
      ...(pass === 'kept' ? [] : await findItemFaults(derivation, parsed)),
      ...(pass === 'items' || kind.role === 'edge'
        ? []
        : await catchUnreadable(findNodeFaults(derivation, parsed, pass), toRefusedIdFaults)),
    ]
  }
  return pass === 'kept' ? [] : catchUnreadable(findOrphanFaults(derivation, kind, item))
}

/** Ignores unreadable items here: they are reported at their own key, and dependent values cannot be checked. */
const catchUnreadable = (
  faults: Promise<VerifyFault[]>,
  toRefusedFaults: (error: GraphError) => VerifyFault[] = () => [],
): Promise<VerifyFault[]> =>
  faults.catch(error => {
    if (GraphError.is(error) && /^(stored|key|value)\./.test(error.code)) return toRefusedFaults(error)
    throw error
  })

const findItemFaults = async (derivation: DerivationContext, parsed: ParsedItem): Promise<VerifyFault[]> => [
  ...findUnfinishedDeletion(derivation, parsed),
  ...findMissingMark(derivation, parsed.kind, parsed.item),
  ...findStaleKeys(derivation, parsed),
  ...(await findMissingSideItems(derivation, parsed)),
  ...(parsed.kind.role === 'edge'
    ? [...(await findEndFaults(derivation, parsed)), ...(await catchUnreadable(findClosureFaults(derivation, parsed)))]
    : await findOwnerFaults(derivation, parsed)),
]

/**
 * Finds a node with a delete mark, which reads as absent and blocks writes. A running deletion finishes soon, so wait
 * as for an index.
 */
function findUnfinishedDeletion({ context: { layout } }: DerivationContext, { kind, item }: ParsedItem): VerifyFault[] {
  const deletionMark = kind.role === 'node' ? item[layout.names.deletionMark] : undefined
  const code = 'deletion.unfinished'
  return deletionMark
    ? [{ code, type: kind.type.name, row: faultRowOf(layout, kind, item), found: deletionMark, mayLag: true }]
    : []
}

const findNodeFaults = async (
  derivation: DerivationContext,
  parsed: ParsedItem,
  pass: VerifyPass,
): Promise<VerifyFault[]> => [
  ...(await findCounterFaults(derivation, parsed)),
  ...(await findAggregateFaults(derivation, parsed, pass === 'kept')),
]

/** Inspects many items with batched reads, without aggregates, which need a read of all edges. */
export function inspectBatch(
  derivation: DerivationContext,
  items: readonly Item[],
  concurrency: number,
): Promise<VerifyFault[][]> {
  const batched = withBatchedReads(derivation, concurrency)
  return Promise.all(items.map(item => findFaults(batched, item, 'items')))
}

/**
 * Inspects an item repeatedly and confirms faults that stay the same, because concurrent writes cause false positives.
 * A fault that changes each time is reported if it is present in every inspection.
 */
export async function inspectItem(
  derivation: DerivationContext,
  item: Item,
  pass: VerifyPass,
  firstLook?: readonly VerifyFault[] | undefined,
): Promise<VerifyFault[]> {
  const key = keyOfItem(derivation.context.layout.names, item)
  const confirmed: VerifyFault[] = []
  let suspected = firstLook ?? (await findFaults(derivation, item, pass))
  if (firstLook && pass === 'all') suspected = [...firstLook, ...(await findFaults(derivation, item, 'kept'))]
  for (let look = 0; look < MAX_LOOKS && suspected.length > 0; look++) {
    const delayMs = suspected.some(({ mayLag }) => mayLag) ? LAG_MS : look * PAUSE_MS
    if (delayMs > 0) await derivation.context.backoff.clock.sleep(delayMs)
    const currentItem = await readCurrentItem(derivation, key)
    const current = currentItem ? await findFaults(derivation, currentItem, pass) : []
    const wasSuspected = (fault: VerifyFault, isSame: typeof hasSameCodeAndName) =>
      suspected.some(earlier => isSame(earlier, fault))
    confirmed.push(...current.filter(fault => wasSuspected(fault, isSameFault)))
    suspected = current.filter(fault => wasSuspected(fault, hasSameCodeAndName) && !wasSuspected(fault, isSameFault))
  }
  return [...confirmed, ...suspected.filter(({ mayLag }) => !mayLag)]
}

/** An index contains all earlier writes after this time. */
const LAG_MS = 1000
const MAX_LOOKS = 8
const PAUSE_MS = 5

const hasSameCodeAndName = (first: VerifyFault, second: VerifyFault): boolean =>
  first.code === second.code && first.name === second.name

const isSameFault = (first: VerifyFault, second: VerifyFault): boolean =>
  hasSameCodeAndName(first, second) &&
  canonicalText([first.found, first.expected, first.evidence]) ===
    canonicalText([second.found, second.expected, second.evidence])
