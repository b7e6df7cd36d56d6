import type { Item } from '../../dynamodb/attribute-value.js'
import type { ChangeRecord } from '../../dynamodb/operation-types.js'
import type { Layout } from '../../layout/layout.js'
import { memoize } from '../../layout/memoize.js'
import { identitySlotsOf, TENANT_SLOT } from '../../layout/slots.js'
import { keyOfItem } from '../../plan/identity.js'
import { traitsOf } from '../../plan/type-traits.js'
import { imagesOf, isDerivedChange } from '../record-images.js'
import { type DerivationContext, keyTextOf, readCurrentItems } from './context.js'
import { parseItem } from './side-items.js'

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
 * Whether an item lacks a slot of its identity or its tenant. An older layout may have stored that slot in the key
 * only.
 */
export function lacksIdentity(layout: Layout, item: Item): boolean {
  const parsed = canLackIdentity(layout) ? parseItem(layout, item) : undefined
  const tenantSlots = layout.design.tenant ? [TENANT_SLOT] : []
  return (
    parsed !== undefined && [...identitySlotsOf(parsed.kind.type), ...tenantSlots].some(slot => !parsed.values[slot])
  )
}

/** A record whose image lacks the identity of its node or edge. */
interface IncompleteRecord {
  readonly image: Item
  readonly oldImage: Item | undefined
}

/**
 * Replaces the images of incomplete records with the current item at the same key. If a backfill has moved that item,
 * only the complete old image remains.
 */
export async function completeRecords(
  derivation: DerivationContext,
  records: readonly ChangeRecord[],
): Promise<readonly ChangeRecord[]> {
  const { layout } = derivation.context
  const incompleteRecords = new Map<ChangeRecord, IncompleteRecord>()
  for (const record of canLackIdentity(layout) ? records : []) {
    const incomplete = findIncompleteRecord(layout, record)
    if (incomplete) incompleteRecords.set(record, incomplete)
  }
  if (incompleteRecords.size === 0) return records
  const keys = [...incompleteRecords.values()].map(({ image }) => keyOfItem(layout.names, image))
  const currentItems = await readCurrentItems(derivation, keys)
  return records.map(record => {
    const incomplete = incompleteRecords.get(record)
    if (!incomplete) return record
    const NewImage = currentItems.get(keyTextOf(derivation, incomplete.image))
    return {
      ...record,
      dynamodb: { ...(incomplete.oldImage && { OldImage: incomplete.oldImage }), ...(NewImage && { NewImage }) },
    }
  })
}

function findIncompleteRecord(layout: Layout, record: ChangeRecord): IncompleteRecord | undefined {
  try {
    const images = imagesOf(record)
    const candidates = isDerivedChange(layout, images) ? [] : [images.newImage, images.oldImage]
    const identified = candidates.map(candidate => candidate && !lacksIdentity(layout, candidate))
    const image = candidates[identified.indexOf(false)]
    return image && { image, oldImage: identified[1] ? images.oldImage : undefined }
  } catch {
    // `addRecordWork()` reports the error of this record.
    return undefined
  }
}
