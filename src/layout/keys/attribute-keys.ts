import { rejectDeclarationIf } from '../../schema/checks/assertions.js'
import type { LayoutOptions } from '../options.js'
import { membersOf } from '../row-members.js'
import { identitySlotsOf, storedTypeOf, TENANT_SLOT } from '../slots.js'
import type { StoredNames } from '../stored-names.js'
import type { UnparsedKind } from './default-keys.js'

/**
 * Returns the type of a key that is itself a stored attribute, as in hand-designed tables: its template is one slot
 * with that stored name.
 */
export function attributeKeyTypeOf(
  { type }: UnparsedKind,
  attribute: string,
  text: string,
  names: StoredNames,
): 'S' | 'N' | undefined {
  const [, slot = ''] = /^\{([^{}]+)\}$/.exec(text) ?? []
  const stored = storedTypeOf(type, slot)
  return names.attributeOf(type, slot) === attribute && (stored === 'S' || stored === 'N') ? stored : undefined
}

/** The slots that items of a kind can store as attributes. */
export function attributeSlotsOf({
  role,
  type,
  storedKeySlots,
}: Pick<UnparsedKind, 'role' | 'type' | 'storedKeySlots'>): readonly string[] {
  if (role === 'facet' || role === 'unique') return identitySlotsOf(type)
  return [...membersOf(type).map(({ slot }) => slot), ...(storedKeySlots.includes(TENANT_SLOT) ? [TENANT_SLOT] : [])]
}

/**
 * Rejects attributes with the same stored name, and attributes stored under the name of a key unless they are that key.
 * `tenantKeys` are the keys with a tenant prefix.
 */
export function checkStoredAttributes(
  kinds: readonly UnparsedKind[],
  physical: LayoutOptions,
  names: StoredNames,
  keys: readonly string[],
  tenantKeys: readonly string[],
): void {
  for (const kind of kinds) {
    // Raw keys cannot be decoded, so items store the tenant as an attribute.
    const tenantSlots = tenantKeys.length > 0 && physical.raw ? [TENANT_SLOT] : []
    const marks = Object.keys(physical.marks?.[kind.name] ?? {})
    const usedNames = new Map([...keys, ...Object.values(names), ...marks].map(name => [name, 'the layout']))
    for (const slot of new Set([...attributeSlotsOf(kind), ...tenantSlots])) {
      const stored = names.attributeOf(kind.type, slot)
      if (
        physical.raw &&
        !tenantKeys.includes(stored) &&
        attributeKeyTypeOf(kind, stored, kind.templateTexts[stored] ?? '', names)
      )
        usedNames.delete(stored)
      const owner = usedNames.get(stored)
      rejectDeclarationIf(
        kind.type.name,
        owner,
        'layout.name',
        slot,
        `'${slot}' is stored as '${stored}', which ${owner} uses too; rename one, or make it a raw key '{${slot}}'.`,
      )
      usedNames.set(stored, slot)
    }
  }
}
