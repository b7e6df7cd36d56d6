import { expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { parseInputItem } from '../../../src/engine/values/parse-item.js'

const taken = (item: Item) => parseInputItem(item, 'current').item

it('equal texts of consecutive items under the same name share one value', () => {
  const [first, second] = ['a', 'b'].map(sk => taken({ pk: { S: 'user#1' }, sk: { S: sk } })) as [Item, Item]
  expect(second.pk).toBe(first.pk)
  expect(second.sk).toEqual({ S: 'b' })
})

it('texts of other names, other types or much earlier items are never confused', () => {
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
