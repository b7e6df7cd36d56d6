import type { Item } from '../../dynamodb/attribute-value.js'
import { countWriteUnits, TRANSACT_WRITE_FACTOR } from '../../dynamodb/capacity.js'
import { countItemBytes } from '../../dynamodb/size.js'
import { attributeSlotsOf } from '../../layout/keys/attribute-keys.js'
import type { Layout } from '../../layout/layout.js'
import { memoize } from '../../layout/memoize.js'
import { mapValues } from '../../schema/map-values.js'
import { ownKindByName } from '../identity.js'
import type { Price, WriteSubject } from '../plan.js'
import { isSameValue } from '../slot-values.js'
import type { ItemWrite } from '../write/effects/item-write.js'
import { TABLE_UNITS_KEY } from './read-price.js'

/** The facts about a written item that determine its price. */
export interface PricedItem extends Partial<Pick<ItemWrite, 'verb' | 'before' | 'after'>> {
  readonly unreadChanges?: ItemWrite['unreadChanges'] | undefined
  readonly subject?: Pick<WriteSubject, 'type'>
}

/**
 * The indexes of a table with their keys and projected attributes; undefined means that all attributes are projected.
 */
const indexesOf = memoize(({ design, names }: Layout) =>
  design.indexes.map(({ name, partition, sort, project }) => {
    const keys = [...partition, ...sort]
    const projected = project === 'all' ? undefined : [...keys, ...names.keys, ...(project === 'keys' ? [] : project)]
    return { name, keys, held: projected && new Set(projected) }
  }),
)

/**
 * Prices a write from the items before and after. A transaction doubles the units of the table, but not of indexes.
 * `bytes` is the assumed size of items that were not read.
 */
export function writePrice(layout: Layout, items: readonly PricedItem[], bytes = 0): Price {
  // A condition check is always sent in a transaction.
  const isTransaction = items.length > 1 || items[0]?.verb === 'ConditionCheck'
  const factor = isTransaction ? TRANSACT_WRITE_FACTOR : 1
  const write: Record<string, number> = {}
  for (const { before, after, verb, subject, unreadChanges } of items) {
    write[TABLE_UNITS_KEY] =
      (write[TABLE_UNITS_KEY] ?? 0) +
      factor * countWriteUnits(Math.max(bytesOf(before), bytesOf(after), unreadChanges ? bytes : 0))
    for (const { name, keys, held } of verb === 'ConditionCheck' ? [] : indexesOf(layout)) {
      const units =
        unreadChanges && subject
          ? unreadEntryCount(layout, subject.type, keys, held, after, unreadChanges) *
            (held ? 1 : countWriteUnits(bytes))
          : entryUnits(keys, entryOf(keys, held, before), entryOf(keys, held, after))
      if (units > 0) write[name] = (write[name] ?? 0) + units
    }
  }
  return { requests: Math.min(1, items.length), read: {}, write, consistency: undefined }
}

const bytesOf = (item: Item | undefined) => (item ? countItemBytes(item) : 0)

/** An entry with unchanged keys is overwritten; an entry with changed keys is deleted and put. */
function entryUnits(keys: readonly string[], old: Item | undefined, current: Item | undefined): number {
  const [before, after] = [
    old ? countWriteUnits(countItemBytes(old)) : 0,
    current ? countWriteUnits(countItemBytes(current)) : 0,
  ]
  if (!old || !current || keys.some(key => !isSameValue(old[key], current[key]))) return before + after
  return isSameValue({ M: old }, { M: current }) ? 0 : Math.max(before, after)
}

/**
 * Estimates the index entries that a write to an unread item changes. The estimate assumes that the item is in the
 * index: its entry is removed, overwritten or moved.
 */
function unreadEntryCount(
  layout: Layout,
  name: string,
  keys: readonly string[],
  projected: ReadonlySet<string> | undefined,
  after: Item | undefined,
  changed: readonly string[],
): number {
  const kind = ownKindByName(layout, name)
  const { names } = layout
  const stored = [names.type, ...attributeSlotsOf(kind).map(slot => names.attributeOf(kind.type, slot))]
  if (!keys.every(key => key in kind.keys || stored.includes(key))) return 0
  if (after && projected && !changed.some(name => projected.has(name))) return 0
  const movedKeys = keys.filter(key => changed.includes(key))
  return movedKeys.length > 0 && movedKeys.every(key => after?.[key]) ? 2 : 1
}

function entryOf(
  keys: readonly string[],
  projected: ReadonlySet<string> | undefined,
  item: Item | undefined,
): Item | undefined {
  if (keys.some(key => !item?.[key])) return undefined
  return projected ? mapValues(item!, (value, name) => (projected.has(name) ? value : undefined)) : item
}
