import { GraphError } from '../schema/error.js'
import type { KindDraft } from './drafts.js'
import type { Physical } from './given.js'
import type { Names } from './names.js'
import { slotPart, storedSlots, TENANT_SLOT } from './slots.js'
import { pointed } from './store-item.js'

/** Whether a key is a stored attribute itself, as in tables made by hand: its template is nothing but that slot. */
export function isPlainKey({ type }: KindDraft, attribute: string, text: string, names: Names): boolean {
  const slot = /^\{([^{}]+)\}$/.exec(text)?.[1]
  if (slot === undefined || names.of(type, slot) !== attribute) return false
  return (type.attributes[slot] ?? slotPart(type, slot))?.type === 'S'
}

/** The slots that items of a kind can hold as attributes. */
export function heldSlots({ role, type, held }: Pick<KindDraft, 'role' | 'type' | 'held'>): string[] {
  if (role === 'facet' || role === 'unique') return pointed(type)
  const carried = type.kind === 'edge' ? type.carry.map(({ as }) => as) : []
  return [...storedSlots(type), ...carried, ...(held.includes(TENANT_SLOT) ? [TENANT_SLOT] : [])]
}

/** No two attributes may be stored under one name, and none under that of a key but where it is that key. */
export function checkStored(
  kinds: readonly KindDraft[],
  physical: Physical,
  names: Names,
  keys: readonly string[],
): void {
  const { type, etag, expires, going, counted, life, counts } = names
  for (const kind of kinds) {
    const marks = Object.keys(physical.marks?.[kind.name] ?? {})
    const ours = [...keys, type, etag, expires, going, counted, life, counts, ...marks]
    const taken = new Map(ours.map(name => [name, 'the layout']))
    for (const slot of heldSlots(kind)) {
      const stored = names.of(kind.type, slot)
      const text = kind.texts[stored]
      if (physical.raw && text !== undefined && isPlainKey(kind, stored, text, names)) taken.delete(stored)
      const other = taken.get(stored)
      if (other !== undefined)
        throw new GraphError(
          'layout.name',
          `${kind.name}.${slot} is stored as '${stored}', as ${other} is: rename it, or give a key that it is as raw '{${slot}}'`,
          { type: kind.type.name, name: slot },
        )
      taken.set(stored, slot)
    }
  }
}
