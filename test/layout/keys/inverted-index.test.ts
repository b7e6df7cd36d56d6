import { describe, expect, it } from 'vitest'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../../src/dynamodb/limits.js'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, node, open, string } from '../../../src/index.js'
import { wrap } from '../../../src/store/wrap.js'

const user = node('user', { id: string(), email: string().optional() }, { id: 'id', unique: ['email'] })

/** What makes a partition key of so many bytes behind this head. */
const filling = (head: string, sizeBytes: number) => 'x'.repeat(sizeBytes - head.length)

/** People whose edges are found so from their end, and what is sent for them. */
async function opened(as: 'inverted' | 'index') {
  const sent: string[] = []
  const store = wrap(memory(), (operation, request, options, send) => {
    sent.push(operation)
    return send(request, options)
  })
  const likes = edge('likes', { from: user, to: user }, {}, { by: { to: { as } } })
  return { g: await open(graph('people', [user, likes]), store, { create: true }), sent }
}

describe('where an edge is read inverted, the partition key of the table is what that index sorts by', () => {
  const between = [SORT_KEY_BYTES + 1, PARTITION_KEY_BYTES]

  it.each(between)('a unique value that makes one of %i bytes is hashed, and stored', async sizeBytes => {
    const { g } = await opened('inverted')
    const email = filling('user.email#', sizeBytes)
    await g.user.put({ id: 'a', email })
    expect(await g.user.by.email(email)).toEqual({ id: 'a', email })
    await expect(g.user.put({ id: 'b', email })).rejects.toMatchObject({ code: 'unique.taken' })
  })

  it.each(between)('an id that makes one of %i bytes is refused before anything is sent', async sizeBytes => {
    const { g, sent } = await opened('inverted')
    sent.length = 0
    const details = { template: 'user#{id}', sizeBytes, maxBytes: SORT_KEY_BYTES }
    await expect(g.user.put({ id: filling('user#', sizeBytes) })).rejects.toMatchObject({ code: 'key.long', details })
    expect(sent).toEqual([])
  })

  it('a sort key, by which that index is parted, has no more bytes than before', async () => {
    const { g, sent } = await opened('inverted')
    sent.length = 0
    const to = filling('likes#', SORT_KEY_BYTES + 1)
    await expect(g.likes.put({ from: 'a', to })).rejects.toMatchObject({ code: 'key.long' })
    expect(sent).toEqual([])
  })

  it('one of as many bytes as a sort key may have is stored, and a longer one where nothing is inverted', async () => {
    for (const [as, sizeBytes] of [['inverted', SORT_KEY_BYTES] as const, ['index', PARTITION_KEY_BYTES] as const]) {
      const { g } = await opened(as)
      const id = filling('user#', sizeBytes)
      await g.user.put({ id })
      expect(await g.user.get(id)).toEqual({ id })
    }
  })
})
