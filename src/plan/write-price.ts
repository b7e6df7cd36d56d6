import type { Item } from '../dynamodb/attribute-value.js'
import { TRANSACT_WRITE_FACTOR, writeUnits } from '../dynamodb/capacity.js'
import { ITEM_BYTES, PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../dynamodb/limits.js'
import { itemBytes, valueBytes } from '../dynamodb/size.js'
import type { Layout } from '../layout/layout.js'
import { once } from '../layout/once.js'
import { heldSlots } from '../layout/plain-keys.js'
import { mapValues } from '../schema/map-values.js'
import type { Part } from './change-part.js'
import { sameValue } from './change-values.js'
import { kindOf } from './identity.js'
import type { About, Price } from './plan.js'
import { TABLE } from './price.js'
import { refusalError } from './write-refusal.js'

/** What a price needs to know of an item that is written. */
export interface Written extends Partial<Pick<Part, 'verb' | 'before' | 'after'>> {
  readonly unread?: Part['unread'] | undefined
  readonly about?: Pick<About, 'type'> & Partial<About>
}

/** The indexes of a table: their keys, and what their entries hold; undefined: everything. */
const indexesOf = once(({ design, names }: Layout) =>
  design.indexes.map(({ name, partition, sort, project }) => {
    const keys = [...partition, ...sort]
    const held = project === 'all' ? undefined : [...keys, ...names.keys, ...(project === 'keys' ? [] : project)]
    return { name, keys, held: held && new Set(held) }
  }),
)

/** The attributes that indexes have for keys as they are, and how long those can be. */
const plainKeysOf = once(({ design, kinds }: Layout) => {
  const limits = design.indexes.flatMap(({ partition, sort }) => [
    ...partition.map(name => [name, PARTITION_KEY_BYTES] as const),
    ...sort.map(name => [name, SORT_KEY_BYTES] as const),
  ])
  return limits.filter(([name]) => !kinds.some(({ keys }) => name in keys))
})

/**
 * What a write takes, from the items as they were and will be: a transaction twice as much on the table, not on indexes.
 * `bytes`: how large those are that nobody has read.
 */
export function writePrice(layout: Layout, parts: readonly Written[], bytes = 0): Price {
  // A condition check is always in a transaction.
  const isTransaction = parts.length > 1 || parts[0]?.verb === 'ConditionCheck'
  const factor = isTransaction ? TRANSACT_WRITE_FACTOR : 1
  const write: Record<string, number> = {}
  for (const { before, after, verb, about, unread } of parts) {
    const now = bytesOf(after)
    // Of what is not sent, only the price is asked for.
    if (about?.identity) {
      if (now > ITEM_BYTES) throw refusalError('write.size', about as About)
      for (const [name, maxBytes] of plainKeysOf(layout)) {
        const value = after?.[name]
        if (value && (value.S === '' || valueBytes(value) > maxBytes))
          throw refusalError(value.S === '' ? 'key.empty' : 'key.long', about as About, name)
      }
    }
    write[TABLE] = (write[TABLE] ?? 0) + factor * writeUnits(Math.max(bytesOf(before), now, unread ? bytes : 0))
    for (const { name, keys, held } of verb === 'ConditionCheck' ? [] : indexesOf(layout)) {
      const units =
        unread && about
          ? unreadEntries(layout, about.type, keys, held, after, unread) * (held ? 1 : writeUnits(bytes))
          : entryUnits(keys, entryOf(keys, held, before), entryOf(keys, held, after))
      if (units > 0) write[name] = (write[name] ?? 0) + units
    }
  }
  return { requests: Math.min(1, parts.length), read: {}, write, consistency: undefined }
}

const bytesOf = (item: Item | undefined) => (item ? itemBytes(item) : 0)

/** An entry that stays in its place is written over; one that moves is deleted and put. */
function entryUnits(keys: readonly string[], old: Item | undefined, now: Item | undefined): number {
  const [before, after] = [old ? writeUnits(itemBytes(old)) : 0, now ? writeUnits(itemBytes(now)) : 0]
  if (!old || !now || keys.some(key => !sameValue(old[key], now[key]))) return before + after
  return sameValue({ M: old }, { M: now }) ? 0 : Math.max(before, after)
}

/**
 * How many entries are written of an item that nobody has read: taken to be in the index, its entry goes, is written
 * over, or moves by what is written.
 */
function unreadEntries(
  layout: Layout,
  name: string,
  keys: readonly string[],
  held: ReadonlySet<string> | undefined,
  after: Item | undefined,
  changed: ReadonlySet<string>,
): number {
  const kind = kindOf(layout, name)
  const { names } = layout
  const stored = [names.type, ...heldSlots(kind).map(slot => names.of(kind.type, slot))]
  if (!keys.every(key => key in kind.keys || stored.includes(key))) return 0
  if (after && held && ![...changed].some(name => held.has(name))) return 0
  const moved = keys.filter(key => changed.has(key))
  return moved[0] && moved.every(key => after?.[key]) ? 2 : 1
}

function entryOf(
  keys: readonly string[],
  held: ReadonlySet<string> | undefined,
  item: Item | undefined,
): Item | undefined {
  if (keys.some(key => !item?.[key])) return undefined
  return held ? mapValues(item!, (value, name) => (held.has(name) ? value : undefined)) : item
}
