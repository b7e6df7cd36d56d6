import { createDerivationContext, readCurrentItems } from '../../derive/settle/context.js'
import type { Item } from '../../dynamodb/attribute-value.js'
import type { Context } from '../../graph/context.js'
import type { VerifyFault } from '../../jobs/verify/fault.js'
import { tallyName } from '../../layout/items/tally.js'
import { keyOfItem, uniqueKeyTextOf } from '../../plan/identity.js'
import { canonicalText, isSameValue } from '../../plan/slot-values.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import type { SqlRow } from '../duckdb.js'
import { parseItemText } from '../sources/item-text.js'
import type { ValidationFinding } from './findings.js'
import { type FoundRow, type NodeKey, nodeText } from './validated-items.js'

/** What seems to be wrong with an item. */
export type SuspectedFault = Pick<ValidationFinding, 'type' | 'row' | 'code'> & Partial<VerifyFault>

/** A node that cannot find its edges, and the derived value that differs. */
export interface HiddenSuspect {
  readonly row: FoundRow
  readonly fault: SuspectedFault
}

/**
 * The suspects that nothing has changed. The live table cannot confirm them, but neither the derived values nor the edges
 * that the data has may have changed. A new edge changes the values, too.
 */
export async function unchangedSuspects(
  { layout, store, environment, backoff }: Context,
  suspects: readonly HiddenSuspect[],
  edgeRows: readonly SqlRow[],
  signal: AbortSignalLike | undefined,
): Promise<HiddenSuspect[]> {
  const edges = new Map<string, Item[]>()
  for (const row of edgeRows) {
    const text = nodeText(row as unknown as NodeKey)
    edges.set(text, [...(edges.get(text) ?? []), parseItemText(row.item)])
  }
  const derivation = createDerivationContext(layout, store, environment, backoff)
  const unchanged: HiddenSuspect[] = []
  for (const suspect of suspects) {
    signal?.throwIfAborted()
    const { row, fault } = suspect
    const own = edges.get(nodeText(row)) ?? []
    const keys = [row.item, ...own].map(each => keyOfItem(layout.names, each))
    const current = await readCurrentItems(derivation, keys)
    const currentOf = (each: Item) => current.get(uniqueKeyTextOf(layout, each))
    const kind = layout.kinds.find(({ type, role }) => type.name === fault.type && role === 'node')!
    const stored = layout.names.attributeOf(kind.type, fault.name!)
    const isSame = [stored, tallyName(stored)].every(name => isSameValue(currentOf(row.item)?.[name], row.item[name]))
    if (currentOf(row.item) && isSame && own.every(each => canonicalText(currentOf(each)) === canonicalText(each)))
      unchanged.push(suspect)
  }
  return unchanged
}
