import { expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { parseInputItem } from '../../../src/engine/values/parse-item.js'

const taken = (item: Item) => parseInputItem(item, 'current').item

it('a text that the item before had under the same name is kept once', () => {
  const [first, second] = ['a', 'b'].map(sk => taken({ pk: { S: 'user#1' }, sk: { S: sk } })) as [Item, Item]
  expect(second.pk).toBe(first.pk)
  expect(second.sk).toEqual({ S: 'b' })
})

it('nothing is taken for a text of another name, of another type or of long ago, however many there are', () => {
  const long = 'x'.repeat(1000)
  const items = Array.from(
    { length: 2_500 },
    (_, i): Item => ({
      [`name${i}`]: { S: String(i % 7) },
      text: i % 2 === 0 ? { S: String(i % 3) } : { N: String(i % 3) },
      long: { S: long + (i % 2) },
      within: { M: { text: { S: String(i % 5) } } },
      list: { L: [{ S: String(i % 3) }] },
    }),
  )
  for (const item of items) expect(taken(item)).toEqual(item)
  for (const item of items.toReversed()) expect(taken(item)).toEqual(item)
})
