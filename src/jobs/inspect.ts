import { type Deriving, itemAt } from '../derive/deriving.js'
import { isElsewhere, kindOf, type Seen, seen } from '../derive/sides.js'
import { isTombstone } from '../derive/tombstone.js'
import type { Item } from '../dynamodb/attribute-value.js'
import { isOwnItem } from '../layout/own-items.js'
import { canonical } from '../plan/change-values.js'
import { keyOf } from '../plan/identity.js'
import type { GraphError } from '../schema/error.js'
import { isStray } from './backfill-item.js'
import { type Fault, keyRow, rowIn } from './fault.js'
import { gathering } from './gathering.js'
import { counterFaults, keptFaults } from './inspect-counters.js'
import { orphanFaults, tombstoneFaults } from './inspect-orphan.js'
import { endFaults, missingMark, missingSides, staleComputed, staleKeys } from './inspect-own.js'
import { ownerFaults } from './inspect-owner.js'
import { isGraphError } from './rows/graph-error.js'
import { unreadable } from './unreadable.js'

/**
 * What is looked at. What nodes keep of their edges is mended when every edge has its mirror again, by which it is found:
 * in a pass of its own over the whole table.
 */
export type Pass = 'all' | 'items' | 'kept'

/** Everything that is wrong with one item of a table and with what should follow from it. */
async function faultsOf(deriving: Deriving, item: Item, pass: Pass): Promise<Fault[]> {
  const { layout } = deriving.context
  const kind = kindOf(layout, item)
  if (pass === 'kept' && kind?.role !== 'node') return []
  if (isTombstone(layout, item)) return tombstoneFaults(deriving, item)
  if (!kind && isOwnItem(layout, item)) return []
  if (!kind || isElsewhere(layout, kind, item) || isStray(layout, layout, item))
    return pass === 'kept' ? [] : [{ code: 'item.unknown', type: '', row: keyRow(layout, item), found: item }]
  // The rest is looked at when this is right.
  const stale = kind.role === 'node' || kind.role === 'edge' ? staleComputed(deriving, kind, item) : []
  if (stale.length > 0) return pass === 'kept' ? [] : stale
  const unread = unreadable(layout, kind, item)
  if (unread) return pass === 'kept' ? [] : [unread]
  if (kind.role === 'node' || kind.role === 'edge') {
    const own = seen(layout, item)!
    // No call finds the edges of a node whose id its validator refuses.
    const refusedId = ({ code, details: { path } }: GraphError): Fault[] => {
      const row = keyRow(layout, item)
      return /^value\./.test(code)
        ? [{ code: 'item.unreadable', type: kind.type.name, row, name: path, found: item }]
        : []
    }
    return [
      ...(pass === 'kept' ? [] : await ownFaults(deriving, own)),
      ...(pass === 'items' || kind.role === 'edge'
        ? []
        : await asFarAsRead(nodeFaults(deriving, own, pass), refusedId)),
    ]
  }
  return pass === 'kept' ? [] : asFarAsRead(orphanFaults(deriving, kind, item))
}

/** What cannot be read is told where it lies, and what follows from it cannot be told. */
const asFarAsRead = (faults: Promise<Fault[]>, refused: (error: GraphError) => Fault[] = () => []): Promise<Fault[]> =>
  faults.catch(error => {
    if (isGraphError(error) && /^(stored|key|value)\./.test(error.code)) return refused(error)
    throw error
  })

const ownFaults = async (deriving: Deriving, own: Seen): Promise<Fault[]> => [
  ...unfinished(deriving, own),
  ...missingMark(deriving, own.kind, own.item),
  ...staleKeys(deriving, own),
  ...(await missingSides(deriving, own)),
  ...(own.kind.role === 'edge' ? await endFaults(deriving, own) : await ownerFaults(deriving, own)),
]

/** A node that a deletion has marked reads as absent, and cannot be put. One that is under way is soon done, as an index is. */
function unfinished({ context: { layout } }: Deriving, { kind, item }: Seen): Fault[] {
  const found = kind.role === 'node' ? item[layout.names.going] : undefined
  const code = 'deletion.unfinished'
  return found ? [{ code, type: kind.type.name, row: rowIn(layout, kind, item), found, lags: true }] : []
}

const nodeFaults = async (deriving: Deriving, own: Seen, pass: Pass): Promise<Fault[]> => [
  ...(await counterFaults(deriving, own)),
  ...(await keptFaults(deriving, own, pass === 'kept')),
]

/** What is looked at first of many items: all but what nodes keep, for which each of their edges is read. */
export function lookedAt(deriving: Deriving, items: readonly Item[], concurrency: number): Promise<Fault[][]> {
  const together = gathering(deriving, concurrency)
  return Promise.all(items.map(item => faultsOf(together, item, 'items')))
}

/**
 * What is wrong in the same way when it is looked at again: between two reads of a live table much can seem wrong. What
 * others change all the time is looked at more often, and is wrong where it is each time.
 */
export async function inspect(
  deriving: Deriving,
  item: Item,
  pass: Pass,
  looked?: readonly Fault[] | undefined,
): Promise<Fault[]> {
  const key = keyOf(deriving.context.layout.names, item)
  const found: Fault[] = []
  let before = looked ?? (await faultsOf(deriving, item, pass))
  if (looked && pass === 'all') before = [...looked, ...(await faultsOf(deriving, item, 'kept'))]
  for (let look = 0; look < LOOKS && before.length > 0; look++) {
    const delayMs = before.some(({ lags }) => lags) ? LAG_MS : look * PAUSE_MS
    if (delayMs > 0) await new Promise(resolve => setTimeout(resolve, delayMs))
    const again = await itemAt(deriving, key)
    const now = again ? await faultsOf(deriving, again, pass) : []
    const isThere = (fault: Fault, isSame: typeof isAlike) => before.some(each => isSame(each, fault))
    found.push(...now.filter(fault => isThere(fault, isSameFault)))
    before = now.filter(fault => isThere(fault, isAlike) && !isThere(fault, isSameFault))
  }
  return [...found, ...before.filter(({ lags }) => !lags)]
}

/** An index has by then what was written before it was looked at first. */
const LAG_MS = 1000
const LOOKS = 8
const PAUSE_MS = 5

const isAlike = (one: Fault, other: Fault): boolean => one.code === other.code && one.name === other.name

const isSameFault = (one: Fault, other: Fault): boolean =>
  isAlike(one, other) &&
  canonical([one.found, one.expected, one.by]) === canonical([other.found, other.expected, other.by])
