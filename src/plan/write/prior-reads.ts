import type { Key } from '../../dynamodb/attribute-value.js'
import type { DeclaredAttribute } from '../../schema/declarations.js'
import type { PlannedChange, ValueChange } from '../plan.js'
import type { TypeTraits } from '../type-traits.js'
import { ascend, isTreePut } from './ancestors.js'
import { endNodeOf } from './effects/item-write.js'

/** The items that must be read before a change can be written. */
interface PriorReads {
  /** Keys of the row's own item, of the source nodes of copies, and of nodes with aggregates. */
  readonly keys: readonly Key[]
  /** Whether the item determines further keys: nodes that aggregate the previous edge, and obsolete mirrors. */
  readonly hasDependentKeys: boolean
}

/** Returns the items that a change must read. `isTransaction`: the change shares a transaction with other calls. */
export function priorReadsOf(traits: TypeTraits, change: PlannedChange, isTransaction: boolean): PriorReads {
  const {
    layout,
    type,
    carrySources,
    aggregateOwners,
    aggregateInputs,
    replaceableEnds,
    countedMirrors,
    changeableMirrorSlots,
  } = traits
  const { verb, identity } = change
  if (verb === 'check') return { keys: [], hasDependentKeys: false }
  const readsOwnItem =
    shouldReadOwnItem(traits, change, isTransaction) ||
    (change.returns !== undefined && shouldReadRow(traits, change, isTransaction))
  const embeds = type.kind === 'edge' && type.embed[0]
  const readsOwners =
    verb === 'update' ? isPatched(change, aggregateInputs) : embeds || (readsOwnItem && verb !== 'copy')
  const isWhole = verb === 'create' || verb === 'put'
  const ends = [...(isWhole || verb === 'copy' ? carrySources : []), ...(readsOwners ? aggregateOwners : [])]
  const keys = ends.map(end => endNodeOf(layout, end, identity).key)
  if (readsOwnItem) keys.unshift(change.key)
  if (isTreePut(traits, change)) keys.push(...ascend(layout, change, [change], undefined).keys)
  const mayMove = isWhole
    ? changeableMirrorSlots.length > 0
    : verb !== 'update' || isPatched(change, changeableMirrorSlots)
  return {
    keys,
    hasDependentKeys:
      readsOwnItem &&
      ((countedMirrors.length > 0 && mayMove) ||
        (verb === 'put' && aggregateOwners.length > 0 && replaceableEnds.length > 0)),
  }
}

function shouldReadOwnItem(traits: TypeTraits, change: PlannedChange, isTransaction: boolean): boolean {
  const {
    type,
    ownKind,
    sideKinds,
    aggregateOwners,
    watchedSlots,
    replaceableEnds,
    hasDerived,
    expiryName,
    tallyNames,
  } = traits
  const { verb, identity, patch } = change
  // The deletion of an edge leaves a tombstone of its stream counters, and a create over an expired item keeps
  // them.
  if (hasDerived && (verb === 'create' ? expiryName : verb === 'delete' && type.kind === 'edge')) return true
  // Only a new node starts a tally. A node written by an earlier version may have edges that no tally includes.
  if (verb === 'put' && tallyNames.length > 0) return true
  if (verb === 'put' || verb === 'delete')
    // A node with at most one edge may have a different edge, and in a transaction this must not abort the
    // other writes.
    return (
      sideKinds.length + aggregateOwners.length > 0 || (replaceableEnds.length > 0 && (verb === 'put' || isTransaction))
    )
  if (verb !== 'update') return verb === 'deleteMarked' || verb === 'copy'
  const isUnknown = (slot: string) => !(slot in identity) && !/^(set|remove)$/.test(patch[slot]?.kind ?? '')
  return (
    isPatched(change, watchedSlots) ||
    changedIndexKeys(traits, change).some(attribute => ownKind.indexKeySlots[attribute]!.flat().some(isUnknown)) ||
    Object.entries(patch).some(([slot, part]) => shouldReadStoredValue(type.attributes[slot]!, part))
  )
}

/** Whether a patch changes any of these slots. */
export const isPatched = ({ patch }: PlannedChange, slots: readonly string[]): boolean =>
  slots.some(slot => Object.hasOwn(patch, slot))

/** The index keys that a change recomputes. */
export const changedIndexKeys = ({ ownKind: { indexKeySlots } }: TypeTraits, change: PlannedChange): string[] =>
  Object.keys(indexKeySlots).filter(attribute => isPatched(change, indexKeySlots[attribute]!.flat()))

/** Whether the stored value decides if the change is valid. Sums of bounded integers cannot overflow. */
function shouldReadStoredValue({ kind: of, range, optional }: DeclaredAttribute, part: ValueChange): boolean {
  if (part.kind === 'exclude') return !optional
  if (part.kind !== 'add') return part.kind === 'within'
  return range !== undefined || ((of === 'number' || of === 'integer') && !/^-?\d{1,10}$/.test(part.value.N!))
}

/**
 * Whether the caller requested the row before or after and only a read can provide it: transactions return no items.
 */
function shouldReadRow(
  { hasDerived, requiredEnds, owner }: TypeTraits,
  { verb, returns, ends }: PlannedChange,
  isTransaction: boolean,
): boolean {
  if (verb === 'create' || !(isTransaction || ends || (verb === 'put' && (requiredEnds.length > 0 || owner))))
    return false
  return returns === 'old' || verb === 'update' || (verb === 'put' && hasDerived)
}
