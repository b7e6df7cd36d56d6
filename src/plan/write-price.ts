import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import { TRANSACT_WRITE_FACTOR, writeUnits } from '../dynamodb/capacity.js'
import { itemBytes } from '../dynamodb/size.js'
import type { IndexDesign } from '../layout/design.js'
import type { Layout } from '../layout/layout.js'
import type { Written } from './change-part.js'
import { sameValue } from './change-values.js'
import type { Price, Step } from './plan.js'
import { TABLE } from './price.js'

/** What a write takes, from the items as they were and will be: a transaction twice as much on the table, not on indexes. */
export function writePrice({ design }: Layout, written: readonly Written[]): Price {
  const factor = written.length > 1 ? TRANSACT_WRITE_FACTOR : 1
  const write: Record<string, number> = {}
  const take = (place: string, units: number) => {
    if (units > 0) write[place] = (write[place] ?? 0) + units
  }
  for (const { before = {}, after = {}, part } of written) {
    take(TABLE, factor * writeUnits(Math.max(itemBytes(before), itemBytes(after))))
    if (!part.ConditionCheck)
      for (const index of design.indexes) take(index.name, entryUnits(index, design.keys, before, after))
  }
  return { requests: written.length > 0 ? 1 : 0, read: {}, write, consistency: undefined }
}

/** Writes that go in one transaction: those that would have gone alone take twice as much on the table. */
export function transactionalPrice(steps: readonly Step[]): Price {
  const write: Record<string, number> = {}
  for (const { request, price } of steps)
    for (const [place, units] of Object.entries(price.write)) {
      const alone = place === TABLE && request.operation !== 'transactWriteItems'
      write[place] = (write[place] ?? 0) + units * (alone ? TRANSACT_WRITE_FACTOR : 1)
    }
  return { requests: 1, read: {}, write, consistency: undefined }
}

interface TableKeys {
  readonly partition: string
  readonly sort: string
}

/** An entry that stays in its place is written over; one that moves is deleted and put. */
function entryUnits(index: IndexDesign, table: TableKeys, before: Item, after: Item): number {
  const keys = [...index.partition, ...index.sort]
  const [old, now] = [entryOf(index, keys, table, before), entryOf(index, keys, table, after)]
  if (!old || !now) return old || now ? writeUnits(itemBytes((old ?? now)!)) : 0
  if (keys.some(key => !sameValue(old[key], now[key]))) return writeUnits(itemBytes(old)) + writeUnits(itemBytes(now))
  if (sameValue({ M: old }, { M: now })) return 0
  return writeUnits(Math.max(itemBytes(old), itemBytes(now)))
}

function entryOf({ project }: IndexDesign, keys: readonly string[], table: TableKeys, item: Item): Item | undefined {
  if (keys.some(key => item[key] === undefined)) return undefined
  if (project === 'all') return item
  const names = new Set([...keys, table.partition, table.sort, ...(project === 'keys' ? [] : project)])
  return Object.fromEntries(
    Object.entries(item).filter((entry): entry is [string, AttributeValue] => names.has(entry[0])),
  )
}
