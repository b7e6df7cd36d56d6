import type { Item } from '../dynamodb/attribute-value.js'
import type { ChangeRecord } from '../dynamodb/operations/streams.js'
import type { Layout } from '../layout/layout.js'
import { once } from '../layout/once.js'
import { identityOf, TENANT_SLOT } from '../layout/slots.js'
import { keyOf } from '../plan/identity.js'
import { traitsOf } from '../plan/write-traits.js'
import { type Deriving, itemsAt, textOf } from './deriving.js'
import { imagesOf, isDerived } from './images.js'
import { seen } from './sides.js'

/** Raw keys tell nothing, and that of the one edge of a node does not tell where it leads. */
const needsMore = once((layout: Layout) =>
  layout.kinds.some(
    ({ keys, type }) =>
      layout.names.keys.some(name => keys[name]?.mode === 'raw') || traitsOf(layout, type.name).far.length > 0,
  ),
)

/** Whether an item does not say of which node or edge it is, and of whom: it was written when keys told that, or told another end. */
export function isUntold(layout: Layout, item: Item): boolean {
  const found = needsMore(layout) ? seen(layout, item) : undefined
  const tenant = layout.design.tenant ? [TENANT_SLOT] : []
  return found !== undefined && [...identityOf(found.kind.type), ...tenant].some(slot => !found.values[slot])
}

/** What a record that does not say of what it is tells: where that lies, and what it said before, if it did. */
interface Untold {
  readonly image: Item
  readonly old: Item | undefined
}

/**
 * Records as they can be handled. One that does not say of what it is tells where that lies: what is there now is taken in
 * its place, and where nothing is, as after a backfill that moved it, there is nothing to do but for what it was before.
 */
export async function toldOf(deriving: Deriving, records: readonly ChangeRecord[]): Promise<readonly ChangeRecord[]> {
  const { layout } = deriving.context
  const untold = new Map<ChangeRecord, Untold>()
  for (const record of needsMore(layout) ? records : []) {
    const found = untoldIn(layout, record)
    if (found) untold.set(record, found)
  }
  if (untold.size === 0) return records
  const keys = [...untold.values()].map(({ image }) => keyOf(layout.names, image))
  const there = await itemsAt(deriving, keys)
  return records.map(record => {
    const found = untold.get(record)
    if (!found) return record
    const NewImage = there.get(textOf(deriving, found.image))
    return { ...record, dynamodb: { ...(found.old && { OldImage: found.old }), ...(NewImage && { NewImage }) } }
  })
}

function untoldIn(layout: Layout, record: ChangeRecord): Untold | undefined {
  try {
    const images = imagesOf(record)
    const both = isDerived(layout, images) ? [] : [images.now, images.old]
    const told = both.map(each => each && !isUntold(layout, each))
    const image = both[told.indexOf(false)]
    return image && { image, old: told[1] ? images.old : undefined }
  } catch {
    // Whoever handles it tells what is wrong with it.
    return undefined
  }
}
