import type { Item } from '../dynamodb/attribute-value.js'
import { TRANSACT_WRITE_FACTOR, writeUnits } from '../dynamodb/capacity.js'
import { ITEM_BYTES } from '../dynamodb/limits.js'
import { itemBytes } from '../dynamodb/size.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import type { Part } from './change-part.js'
import { sameValue } from './change-values.js'
import { ownKind, typeOf } from './identity.js'
import { once } from './once.js'
import type { Price } from './plan.js'
import { TABLE } from './price.js'
import { refusalError } from './write-refusal.js'

type Written = Partial<Pick<Part, 'verb' | 'before' | 'after' | 'about' | 'unread'>>

/** The indexes of a table: their keys, and what their entries hold; undefined: everything. */
const indexesOf = once(({ design, names }: Layout) =>
  design.indexes.map(({ name, partition, sort, project }) => {
    const keys = [...partition, ...sort]
    const held =
      project === 'all' ? undefined : [...keys, names.partition, names.sort, ...(project === 'keys' ? [] : project)]
    return { name, keys, held: held && new Set(held) }
  }),
)

/** What a write takes, from the items as they were and will be: a transaction twice as much on the table, not on indexes. */
export function writePrice(layout: Layout, parts: readonly Written[]): Price {
  const factor = parts.length > 1 ? TRANSACT_WRITE_FACTOR : 1
  const write: Record<string, number> = {}
  for (const { before, after, verb, about, unread } of parts) {
    const [old, now] = [bytesOf(before), bytesOf(after)]
    if (now > ITEM_BYTES && about) throw refusalError('write.size', about)
    write[TABLE] = (write[TABLE] ?? 0) + factor * writeUnits(Math.max(old, now))
    for (const { name, keys, held } of verb === 'ConditionCheck' ? [] : indexesOf(layout)) {
      const units = unread
        ? unreadUnits(ownKind(layout, typeOf(layout, about!.type)), keys, held, after, unread)
        : entryUnits(keys, entryOf(keys, held, before), entryOf(keys, held, after))
      if (units > 0) write[name] = (write[name] ?? 0) + units
    }
  }
  return { requests: 1, read: {}, write, consistency: undefined }
}

const bytesOf = (item: Item | undefined) => (item ? itemBytes(item) : 0)

/** An entry that stays in its place is written over; one that moves is deleted and put. */
function entryUnits(keys: readonly string[], old: Item | undefined, now: Item | undefined): number {
  const [before, after] = [old ? writeUnits(itemBytes(old)) : 0, now ? writeUnits(itemBytes(now)) : 0]
  if (!old || !now || keys.some(key => !sameValue(old[key], now[key]))) return before + after
  return sameValue({ M: old }, { M: now }) ? 0 : Math.max(before, after)
}

/** Of an item that nobody has read: taken to have its entry, which goes, is written over, or moves by what is written. */
function unreadUnits(
  { keys: own }: Kind,
  keys: readonly string[],
  held: ReadonlySet<string> | undefined,
  after: Item | undefined,
  changed: ReadonlySet<string>,
): number {
  if (!keys.every(key => key in own)) return 0
  if (after && held && !Object.keys(after).some(name => held.has(name) && !(name in own))) return 0
  return keys.some(key => changed.has(key)) && keys.every(key => after?.[key]) ? 2 : 1
}

function entryOf(
  keys: readonly string[],
  held: ReadonlySet<string> | undefined,
  item: Item | undefined,
): Item | undefined {
  if (!item || keys.some(key => !item[key])) return undefined
  return held ? Object.fromEntries(Object.entries(item).filter(([name]) => held.has(name))) : item
}
