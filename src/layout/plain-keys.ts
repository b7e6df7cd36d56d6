import { refuse } from '../schema/refusal.js'
import type { KindDraft } from './drafts.js'
import type { Physical } from './given.js'
import { membersOf } from './members.js'
import type { Names } from './names.js'
import { identityOf, storedType, TENANT_SLOT } from './slots.js'

/** Of a key that is a stored attribute itself, as in tables made by hand, its type: its template is nothing but that slot. */
export function plainType({ type }: KindDraft, attribute: string, text: string, names: Names): 'S' | 'N' | undefined {
  const [, slot = ''] = /^\{([^{}]+)\}$/.exec(text) ?? []
  const stored = storedType(type, slot)
  return names.of(type, slot) === attribute && (stored === 'S' || stored === 'N') ? stored : undefined
}

/** The slots that items of a kind can hold as attributes. */
export function heldSlots({ role, type, held }: Pick<KindDraft, 'role' | 'type' | 'held'>): readonly string[] {
  if (role === 'facet' || role === 'unique') return identityOf(type)
  return [...membersOf(type).map(({ slot }) => slot), ...(held.includes(TENANT_SLOT) ? [TENANT_SLOT] : [])]
}

/** No two attributes may be stored under one name, and none under that of a key but where it is that key: `led` are those that a tenant leads. */
export function checkStored(
  kinds: readonly KindDraft[],
  physical: Physical,
  names: Names,
  keys: readonly string[],
  led: readonly string[],
): void {
  for (const kind of kinds) {
    // Raw keys do not tell the tenant, so that items hold it.
    const beside = led[0] && physical.raw ? [TENANT_SLOT] : []
    const marks = Object.keys(physical.marks?.[kind.name] ?? {})
    const taken = new Map([...keys, ...Object.values(names), ...marks].map(name => [name, 'the layout']))
    for (const slot of new Set([...heldSlots(kind), ...beside])) {
      const stored = names.of(kind.type, slot)
      if (physical.raw && !led.includes(stored) && plainType(kind, stored, kind.texts[stored] ?? '', names))
        taken.delete(stored)
      const other = taken.get(stored)
      refuse(
        kind.type.name,
        other,
        'layout.name',
        slot,
        `'${slot}' is stored as '${stored}', as ${other} is: rename one, or give it raw as '{${slot}}'`,
      )
      taken.set(stored, slot)
    }
  }
}
