import type { Item } from '../../dynamodb/attribute-value.js'
import type { Layout } from '../../layout/layout.js'
import { memoize } from '../../layout/memoize.js'
import { identitySlotsOf, TENANT_SLOT } from '../../layout/slots.js'
import { keyOfItem } from '../../plan/identity.js'
import { traitsOf } from '../../plan/type-traits.js'
import { type ParsedRecord, parseImages } from '../parsed-record.js'
import { type DerivationContext, keyTextOf, readCurrentItems } from './context.js'
import type { ParsedItem } from './side-items.js'

/**
 * Whether items may lack their identity: raw keys cannot be parsed, and the key of an edge may not contain its
 * replaceable end.
 */
const canLackIdentity = memoize((layout: Layout) =>
  layout.kinds.some(
    ({ keys, type }) =>
      layout.names.keys.some(name => keys[name]?.mode === 'raw') ||
      traitsOf(layout, type.name).replaceableEnds.length > 0,
  ),
)

/**
 * Whether a node, edge or mirror lacks a slot of its identity or its tenant. An older layout may have stored that slot
 * in the key only.
 */
export function lacksIdentity(layout: Layout, parsed: ParsedItem | undefined): boolean {
  if (!parsed || !canLackIdentity(layout)) return false
  const tenantSlots = layout.design.tenant ? [TENANT_SLOT] : []
  return [...identitySlotsOf(parsed.kind.type), ...tenantSlots].some(slot => !parsed.values[slot])
}

/** Returns the image of a record that lacks the identity of its node or edge. */
function findIncompleteImage(layout: Layout, { isDerived, before, after }: ParsedRecord): Item | undefined {
  if (isDerived) return undefined
  return [after, before].find(parsed => lacksIdentity(layout, parsed))?.item
}

/**
 * Replaces the images of incomplete records with the current item at the same key. If a backfill has moved that item,
 * only the complete old image remains.
 */
export async function completeRecords(
  derivation: DerivationContext,
  records: readonly (ParsedRecord | undefined)[],
): Promise<readonly (ParsedRecord | undefined)[]> {
  const { layout } = derivation.context
  const images = records.map(record => record && findIncompleteImage(layout, record))
  const keys = images.flatMap(image => (image ? [keyOfItem(layout.names, image)] : []))
  if (keys.length === 0) return records
  const currentItems = await readCurrentItems(derivation, keys)
  return records.map((record, index) => {
    const image = images[index]
    if (!record || !image) return record
    const { before, oldImage } = record
    const isOldComplete = oldImage !== undefined && !lacksIdentity(layout, before)
    return parseImages(layout, isOldComplete ? oldImage : undefined, currentItems.get(keyTextOf(derivation, image)))
  })
}
