import type { AttributeKind } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import type { KindDraft } from './drafts.js'
import type { Physical } from './given.js'
import type { Names } from './names.js'
import { idSlots, slotPart, storedSlots } from './slots.js'

/** Kinds of attribute that are stored as the text which stands in a raw key. */
const TEXTS: ReadonlySet<AttributeKind> = new Set(['string', 'ulid', 'oneOf', 'date'])

/** Whether a key is a stored attribute itself, as in tables made by hand: its template is nothing but that slot. */
export function isPlainKey({ type }: KindDraft, attribute: string, text: string, names: Names): boolean {
  const slot = /^\{([^{}]+)\}$/.exec(text)?.[1]
  if (slot === undefined || names.of(type, slot) !== attribute) return false
  const kind = type.attributes[slot]?.kind ?? slotPart(type, slot)?.kind
  return kind !== undefined && TEXTS.has(kind)
}

/** An attribute may be stored under the name of a key only where it is that key. */
export function checkHeldNames(kinds: readonly KindDraft[], { raw, indexes = {} }: Physical, names: Names): void {
  const keys = new Set([
    names.partition,
    names.sort,
    ...Object.values(indexes).flatMap(index => index.keys),
    ...kinds.flatMap(({ texts }) => Object.keys(texts)),
  ])
  for (const kind of kinds)
    for (const slot of heldSlots(kind)) {
      const stored = names.of(kind.type, slot)
      const text = kind.texts[stored]
      if (!keys.has(stored) || (raw && text !== undefined && isPlainKey(kind, stored, text, names))) continue
      throw new GraphError(
        'layout.name',
        `${kind.name}.${slot} is stored as '${stored}', which the keys already use: store it under another name, ` +
          `or where it is itself the key, and a text, give that key as '{${slot}}' in raw keys`,
        { type: kind.type.name, name: slot },
      )
    }
}

function heldSlots({ role, type }: KindDraft): string[] {
  if (role === 'facet') return []
  if (role === 'unique' && type.kind === 'node') return idSlots(type)
  return [...storedSlots(type), ...(type.kind === 'edge' ? type.carry.map(({ as }) => as) : [])]
}
