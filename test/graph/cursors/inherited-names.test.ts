import { expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { graph, layout, node, open, string } from '../../../src/index.js'

it('a cursor contains a sort key that is named like an inherited object member', async () => {
  const shelf = node('shelf', { id: string() }, { id: 'id' })
  const book = node('book', { id: string() }, { id: 'id', within: shelf })
  const made = layout(graph('books', [shelf, book]), { table: { keys: ['pk', 'valueOf'] } })
  const g = await open(made, memory())
  for (const id of ['a', 'b', 'c']) await g.book.put({ shelf: 's', id })
  const first = await g.book.by.shelf('s').page({ limit: 2 })
  const { items } = await g.book.by.shelf('s').page({ limit: 2, cursor: first.cursor })
  expect(items).toEqual([{ shelf: 's', id: 'c' }])
})
