import type { Key } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredAttribute } from '../schema/declared.js'
import { endOf } from './change-part.js'
import { tableKey } from './identity.js'
import type { Change, PartChange } from './plan.js'
import { type Traits, traitsOf } from './write-traits.js'

/** What has to be read before a change can be written. */
interface Needs {
  /** Its own item, the nodes from which an edge carries, and those that keep something of it. */
  readonly keys: readonly Key[]
  /** Whether more is known only from its item: nodes that kept the edge before, mirrors that go. */
  readonly late: unknown
}

/** `together`: it goes in one transaction with others. */
export function needsOf(layout: Layout, change: Change, together: unknown): Needs {
  const traits = traitsOf(layout, change.type)
  const { type, sources, keepers, keptSlots, far, mirrors, moving } = traits
  const { verb, identity } = change
  if (verb === 'check') return { keys: [], late: false }
  const own = needsOwn(traits, change, together) || needsRow(traits, change, together)
  const embeds = type.kind === 'edge' && type.embed[0]
  const isKept = verb === 'update' ? isPatched(change, keptSlots) : embeds || (own && verb !== 'copy')
  const isWhole = verb === 'create' || verb === 'put'
  const ends = [...(isWhole || verb === 'copy' ? sources : []), ...(isKept ? keepers : [])]
  const keys = ends.map(end => endOf(layout, end, identity).key)
  if (own) keys.unshift(tableKey(layout, traits.own, identity))
  const mayMove = isWhole ? moving[0] : verb !== 'update' || isPatched(change, moving)
  return {
    keys,
    late: own && ((mirrors[0] && mayMove) || (verb === 'put' && keepers[0] && far[0])),
  }
}

function needsOwn(traits: Traits, change: Change, together: unknown): unknown {
  const { type, own, sides, keepers, watched, far, derived, timed, tallies } = traits
  const { verb, identity, patch } = change
  // What the stream keeps of an edge is left behind; and it stays on what has expired and is made anew.
  if (derived && (verb === 'create' ? timed : verb === 'delete' && type.kind === 'edge')) return true
  // Only a new node starts a tally: one of an earlier version has edges that none has counted.
  if (verb === 'put' && tallies[0]) return true
  if (verb === 'put' || verb === 'delete')
    // The one edge of a node may be another, which in a transaction must not undo the rest.
    return sides[0] || keepers[0] || (far[0] && (verb === 'put' || together))
  if (verb !== 'update') return verb === 'gone' || verb === 'copy'
  const isUnknown = (slot: string) => !(slot in identity) && !/^(set|remove)$/.test(patch[slot]?.kind ?? '')
  return (
    isPatched(change, watched) ||
    movedKeys(traits, change).some(attribute => own.needs[attribute]!.flat().some(isUnknown)) ||
    Object.entries(patch).some(([slot, part]) => mayNotFit(type.attributes[slot]!, part))
  )
}

/** Whether a change gives any of these slots anew. */
export const isPatched = ({ patch }: Change, slots: readonly string[]): boolean =>
  slots.some(slot => Object.hasOwn(patch, slot))

/** The keys of indexes that a change makes anew. */
export const movedKeys = ({ own: { needs } }: Traits, change: Change): string[] =>
  Object.keys(needs).filter(attribute => isPatched(change, needs[attribute]!.flat()))

/** Whether only what is stored tells if it can be changed so. Of small whole numbers no sum becomes too large. */
function mayNotFit({ kind: of, range, optional }: DeclaredAttribute, part: PartChange): boolean {
  if (part.kind === 'exclude') return !optional
  if (part.kind !== 'add') return part.kind === 'within'
  return range !== undefined || ((of === 'number' || of === 'integer') && !/^-?\d{1,10}$/.test(part.value.N!))
}

/** Whether the row before or after is asked for and only a read can tell it: a transaction answers with none. */
function needsRow({ derived, checked, owner }: Traits, { verb, returns, ends }: Change, together: unknown): boolean {
  if (!returns || verb === 'create' || !(together || ends || (verb === 'put' && (checked[0] || owner)))) return false
  return returns === 'old' || verb === 'update' || (verb === 'put' && derived)
}
