import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import type { ConsumedCapacity } from '../../../dynamodb/operations/capacity.js'
import { itemBytes } from '../../../dynamodb/size.js'

/** The item, filled up by an attribute `filling` to exactly so many bytes. */
export function filled(item: Item, sizeBytes: number): Item {
  const left = sizeBytes - itemBytes({ ...item, filling: { S: '' } })
  if (left < 0) throw new RangeError(`the item has more than ${sizeBytes} bytes already`)
  return { ...item, filling: { S: 'x'.repeat(left) } }
}

/** Items of a batch come in no particular order. */
export function inOrder<T extends object>(items: readonly T[] = []): T[] {
  return items.toSorted((a, b) => (sortText(a) < sortText(b) ? -1 : 1))
}

/** Members come in no particular order either. */
function sortText(item: object): string {
  return JSON.stringify(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Neither do the tables of an answer. */
export function byTable(consumed: readonly ConsumedCapacity[] = []): ConsumedCapacity[] {
  return consumed.toSorted((a, b) => (a.TableName! < b.TableName! ? -1 : 1))
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** A scalar within so many maps or lists. */
export function within(containers: number, wrap: (value: AttributeValue) => AttributeValue): AttributeValue {
  let value: AttributeValue = { S: 'leaf' }
  for (let i = 0; i < containers; i++) value = wrap(value)
  return value
}
export const inMap = (value: AttributeValue): AttributeValue => ({ M: { n: value } })
export const inList = (value: AttributeValue): AttributeValue => ({ L: [value] })
