import type { Key } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { SHARD_SLOT } from '../layout/slots.js'
import { endOf, textOf } from './change-part.js'
import { tableKey } from './identity.js'
import type { Change } from './plan.js'
import type { Traits } from './write-traits.js'

/** What has to be read before a change can be written. */
interface Needs {
  /** Its own item, the nodes from which an edge carries, and those that keep something of it, by the texts of the keys. */
  readonly keys: ReadonlyMap<string, Key>
  /** Whether the nodes that kept the edge before are known only from its item. */
  readonly late: boolean
}

const NONE: Needs = { keys: new Map(), late: false }

/** `together`: it goes in one transaction with others. */
export function needsOf(layout: Layout, traits: Traits, change: Change, together: boolean): Needs {
  const { type, sources, keepers, keptSlots, far } = traits
  const { verb, identity, patch } = change
  const own = needsOwn(traits, change, together) || needsRow(traits, change, together)
  const whole = verb === 'create' || verb === 'put'
  const isKept =
    verb === 'update'
      ? Object.keys(patch).some(slot => keptSlots.has(slot))
      : own || (type.kind === 'edge' && type.embed.length > 0)
  const ends = [...(whole ? sources : []), ...(isKept ? keepers : [])]
  if (!own && ends.length === 0) return NONE
  const keys = ends.map(end => endOf(layout, end, identity).key)
  if (own) keys.unshift(tableKey(layout, traits.own, identity))
  return {
    keys: new Map(keys.map(key => [textOf(layout, key), key])),
    late: verb === 'put' && own && keepers.length > 0 && far.length > 0,
  }
}

function needsOwn({ type, sides, keepers, watched, far, indexes }: Traits, change: Change, together: boolean): boolean {
  const { verb, identity, patch } = change
  if (verb === 'put' || verb === 'delete')
    // The one edge of a node may be another, which in a transaction must not undo the rest.
    return sides.length > 0 || keepers.length > 0 || (far.length > 0 && (verb === 'put' || together))
  if (verb !== 'update') return verb === 'gone'
  const isUnknown = (slot: string) =>
    !(slot in identity) && slot !== SHARD_SLOT && !/^(set|remove)$/.test(patch[slot]?.kind ?? '')
  return (
    indexes.some(({ slots }) => slots.some(slot => slot in patch) && slots.some(isUnknown)) ||
    Object.entries(patch).some(
      ([slot, { kind }]) =>
        watched.has(slot) || kind === 'within' || (kind === 'add' && type.attributes[slot]!.range !== undefined),
    )
  )
}

/** Whether the row before or after is asked for and only a read can tell it: a transaction answers with none. */
function needsRow({ derived, checked }: Traits, { verb, returns, ends }: Change, together: boolean): boolean {
  if (!returns || verb === 'create' || !(together || ends || (verb === 'put' && checked))) return false
  return returns === 'old' || verb === 'update' || (verb === 'put' && derived)
}
