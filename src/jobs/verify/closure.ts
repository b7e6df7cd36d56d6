import { requireSameClosure, settleClosure } from '../../derive/settle/closure.js'
import {
  type DerivationContext,
  keyTextOf,
  readCurrentItem,
  readCurrentItems,
  tryTransaction,
} from '../../derive/settle/context.js'
import { edgeReferenceOf } from '../../derive/settle/edge.js'
import { type ParsedItem, parseItem } from '../../derive/settle/side-items.js'
import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { closureStateOf, closureStateValue, lineageBelow } from '../../layout/items/closure.js'
import { closureItemsOf } from '../../layout/items/closure-items.js'
import { itemsOfStoredRow } from '../../layout/items/items.js'
import { edgeAbove } from '../../layout/items/tree.js'
import { keyOfItem, ownKindOf, tableKeyOf, typeByName } from '../../plan/identity.js'
import { isSameValue } from '../../plan/slot-values.js'
import { createTransactionPart } from '../../plan/write/transaction-part.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import { type DeclaredClosure, isClosure } from '../../schema/edge/closure.js'
import { faultRowOf, type VerifyFault } from './fault.js'

/** Finds what the closure of a tree lacks or should not have, at an edge of the tree or of the closure. */
export async function findClosureFaults(derivation: DerivationContext, parsed: ParsedItem): Promise<VerifyFault[]> {
  const type = parsed.kind.type as DeclaredEdge
  if (type.closure !== undefined) return findStaleClosure(derivation, parsed)
  return isClosure(type) ? findClosureOrphan(derivation, parsed, type) : []
}

/** Finds the closure of a child that does not lead to its parent and to all ancestors of the parent. */
async function findStaleClosure(derivation: DerivationContext, parsed: ParsedItem): Promise<VerifyFault[]> {
  const { layout } = derivation.context
  const { kind, item, values } = parsed
  const tree = kind.type as DeclaredEdge
  const above = await readCurrentItem(derivation, tableKeyOf(layout, kind, edgeAbove(tree, values)))
  const lineage = lineageBelow(tree, values, (above && closureStateOf(layout, tree, above)?.lineage) ?? [])
  const expected = closureStateValue({ lineage, previous: [] })
  const found = item[layout.names.lineage]
  const describe = (fault: Pick<VerifyFault, 'expected' | 'found'>): VerifyFault => ({
    code: 'closure.stale',
    type: tree.name,
    row: faultRowOf(layout, kind, item),
    name: tree.closure,
    repair: () => settleClosure(derivation, edgeReferenceOf(layout, parsed), { rewrites: true, climbs: true }),
    ...fault,
  })
  if (!isSameValue(expected, found)) return [describe({ expected, found })]
  // The mirrors of the closure are compared with its own items.
  const wanted = [...closureItemsOf(layout, tree, values, lineage).values()].filter(
    each => parseItem(layout, each)?.kind.role === 'edge',
  )
  const itemsByKey = await readCurrentItems(
    derivation,
    wanted.map(each => keyOfItem(layout.names, each)),
  )
  const wrong = wanted.find(each => !hasSameValues(each, itemsByKey.get(keyTextOf(derivation, each))))
  return wrong ? [describe({ expected: wrong, found: itemsByKey.get(keyTextOf(derivation, wrong)) })] : []
}

const hasSameValues = (expected: Item, found: Item | undefined): boolean =>
  Object.entries(expected).every(([name, value]: [string, AttributeValue]) => isSameValue(value, found?.[name]))

/** Finds an edge of a closure that leads to a node that is not above its other node. */
async function findClosureOrphan(
  derivation: DerivationContext,
  { kind, item, values }: ParsedItem,
  closure: DeclaredClosure,
): Promise<VerifyFault[]> {
  const { layout } = derivation.context
  const { names } = layout
  const tree = typeByName(layout, closure.closureOf) as DeclaredEdge
  const treeKey = tableKeyOf(layout, ownKindOf(layout, tree), values)
  const treeEdge = await readCurrentItem(derivation, treeKey)
  const state = treeEdge && closureStateOf(layout, tree, treeEdge)
  const lineages = state ? [state.lineage, ...state.previous] : []
  const isWanted = lineages.some(lineage =>
    closureItemsOf(layout, tree, values, lineage).has(keyTextOf(derivation, keyOfItem(names, item))),
  )
  if (isWanted) return []
  const repair = () => {
    const check = createTransactionPart('ConditionCheck', treeKey)
    requireSameClosure(layout, check, treeEdge)
    const deletes = itemsOfStoredRow(layout, closure, values).map(each =>
      createTransactionPart('Delete', keyOfItem(names, each.item)),
    )
    return tryTransaction(derivation, [check, ...deletes])
  }
  const fault: VerifyFault = {
    code: 'closure.orphan',
    type: closure.name,
    row: faultRowOf(layout, kind, item),
    found: item,
    repair,
  }
  return [fault]
}
