import { ITEM_BYTES, PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../dynamodb/limits.js'
import { countItemBytes, countValueBytes } from '../../dynamodb/size.js'
import type { Layout } from '../../layout/layout.js'
import { memoize } from '../../layout/memoize.js'
import type { ItemWrite } from './effects/item-write.js'
import { refusalError } from './refusals.js'

/** Attributes that are index keys without composition, and their maximum length. */
const plainKeysOf = memoize(({ design, kinds }: Layout) => {
  const limits = design.indexes.flatMap(({ partition, sort }) => [
    ...partition.map(name => [name, PARTITION_KEY_BYTES] as const),
    ...sort.map(name => [name, SORT_KEY_BYTES] as const),
  ])
  return limits.filter(([name]) => !kinds.some(({ keys }) => name in keys))
})

/** Throws when an item, or an attribute that is the key of an index, would exceed DynamoDB's limits. */
export function assertItemSizes(layout: Layout, writes: readonly Pick<ItemWrite, 'after' | 'subject'>[]): void {
  for (const { after, subject } of writes) {
    if (!after) continue
    if (countItemBytes(after) > ITEM_BYTES) throw refusalError('write.size', subject)
    for (const [name, maxBytes] of plainKeysOf(layout)) {
      const value = after[name]
      if (value && (value.S === '' || countValueBytes(value) > maxBytes))
        throw refusalError(value.S === '' ? 'key.empty' : 'key.long', subject, name)
    }
  }
}
