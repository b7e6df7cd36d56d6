import type { Key } from '../../dynamodb/attribute-value.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredAttribute } from '../../schema/declarations.js'
import { tableKeyOf } from '../identity.js'
import type { PlannedChange, ValueChange } from '../plan.js'
import { type TypeTraits, traitsOf } from '../type-traits.js'
import { endNodeOf } from './effects/item-write.js'

/** What has to be read before a change can be written. */
interface PriorReads {
  /** Its own item, the nodes from which an edge carries, and those that keep something of it. */
  readonly keys: readonly Key[]
  /** Whether more is known only from its item: nodes that kept the edge before, mirrors that go. */
  readonly hasDependentKeys: unknown
}

/** `together`: it goes in one transaction with others. */
export function priorReadsOf(layout: Layout, change: PlannedChange, isTransaction: unknown): PriorReads {
  const traits = traitsOf(layout, change.type)
  const {
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
  const readsOwnItem = shouldReadOwnItem(traits, change, isTransaction) || shouldReadRow(traits, change, isTransaction)
  const embeds = type.kind === 'edge' && type.embed[0]
  const readsOwners =
    verb === 'update' ? isPatched(change, aggregateInputs) : embeds || (readsOwnItem && verb !== 'copy')
  const isWhole = verb === 'create' || verb === 'put'
  const ends = [...(isWhole || verb === 'copy' ? carrySources : []), ...(readsOwners ? aggregateOwners : [])]
  const keys = ends.map(end => endNodeOf(layout, end, identity).key)
  if (readsOwnItem) keys.unshift(tableKeyOf(layout, traits.ownKind, identity))
  const mayMove = isWhole ? changeableMirrorSlots[0] : verb !== 'update' || isPatched(change, changeableMirrorSlots)
  return {
    keys,
    hasDependentKeys:
      readsOwnItem && ((countedMirrors[0] && mayMove) || (verb === 'put' && aggregateOwners[0] && replaceableEnds[0])),
  }
}

function shouldReadOwnItem(traits: TypeTraits, change: PlannedChange, isTransaction: unknown): unknown {
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
  // What the stream keeps of an edge is left behind; and it stays on what has expired and is made anew.
  if (hasDerived && (verb === 'create' ? expiryName : verb === 'delete' && type.kind === 'edge')) return true
  // Only a new node starts a tally: one of an earlier version has edges that none has counted.
  if (verb === 'put' && tallyNames[0]) return true
  if (verb === 'put' || verb === 'delete')
    // The one edge of a node may be another, which in a transaction must not undo the rest.
    return sideKinds[0] || aggregateOwners[0] || (replaceableEnds[0] && (verb === 'put' || isTransaction))
  if (verb !== 'update') return verb === 'deleteMarked' || verb === 'copy'
  const isUnknown = (slot: string) => !(slot in identity) && !/^(set|remove)$/.test(patch[slot]?.kind ?? '')
  return (
    isPatched(change, watchedSlots) ||
    changedIndexKeys(traits, change).some(attribute => ownKind.indexKeySlots[attribute]!.flat().some(isUnknown)) ||
    Object.entries(patch).some(([slot, part]) => shouldReadStoredValue(type.attributes[slot]!, part))
  )
}

/** Whether a change gives any of these slots anew. */
export const isPatched = ({ patch }: PlannedChange, slots: readonly string[]): boolean =>
  slots.some(slot => Object.hasOwn(patch, slot))

/** The keys of indexes that a change makes anew. */
export const changedIndexKeys = ({ ownKind: { indexKeySlots } }: TypeTraits, change: PlannedChange): string[] =>
  Object.keys(indexKeySlots).filter(attribute => isPatched(change, indexKeySlots[attribute]!.flat()))

/** Whether only what is stored tells if it can be changed so. Of small whole numbers no sum becomes too large. */
function shouldReadStoredValue({ kind: of, range, optional }: DeclaredAttribute, part: ValueChange): boolean {
  if (part.kind === 'exclude') return !optional
  if (part.kind !== 'add') return part.kind === 'within'
  return range !== undefined || ((of === 'number' || of === 'integer') && !/^-?\d{1,10}$/.test(part.value.N!))
}

/** Whether the row before or after is asked for and only a read can tell it: a transaction answers with none. */
function shouldReadRow(
  { hasDerived, requiredEnds, owner }: TypeTraits,
  { verb, returns, ends }: PlannedChange,
  isTransaction: unknown,
): boolean {
  if (!returns || verb === 'create' || !(isTransaction || ends || (verb === 'put' && (requiredEnds[0] || owner))))
    return false
  return returns === 'old' || verb === 'update' || (verb === 'put' && hasDerived)
}
