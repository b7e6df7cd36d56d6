import { rejectDeclarationIf } from '../../schema/checks/assertions.js'
import type { LayoutOptions } from '../options.js'
import { membersOf } from '../row-members.js'
import { identitySlotsOf, storedTypeOf, TENANT_SLOT } from '../slots.js'
import type { StoredNames } from '../stored-names.js'
import type { UnparsedKind } from './default-keys.js'

/** Of a key that is a stored attribute itself, as in tables made by hand, its type: its template is nothing but that slot. */
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

/** The slots that items of a kind can hold as attributes. */
export function attributeSlotsOf({
  role,
  type,
  storedKeySlots,
}: Pick<UnparsedKind, 'role' | 'type' | 'storedKeySlots'>): readonly string[] {
  if (role === 'facet' || role === 'unique') return identitySlotsOf(type)
  return [...membersOf(type).map(({ slot }) => slot), ...(storedKeySlots.includes(TENANT_SLOT) ? [TENANT_SLOT] : [])]
}

/** No two attributes may be stored under one name, and none under that of a key but where it is that key: `led` are those that a tenant leads. */
export function checkStoredAttributes(
  kinds: readonly UnparsedKind[],
  physical: LayoutOptions,
  names: StoredNames,
  keys: readonly string[],
  tenantKeys: readonly string[],
): void {
  for (const kind of kinds) {
    // Raw keys do not tell the tenant, so that items hold it.
    const tenantSlots = tenantKeys[0] && physical.raw ? [TENANT_SLOT] : []
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
        `'${slot}' is stored as '${stored}', as ${owner} is: rename one, or give it raw as '{${slot}}'`,
      )
      usedNames.set(stored, slot)
    }
  }
}
