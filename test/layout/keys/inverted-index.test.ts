import { describe, expect, it } from 'vitest'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../../src/dynamodb/limits.js'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, node, open, string } from '../../../src/index.js'
import { wrap } from '../../../src/store/wrap.js'

const user = node('user', { id: string(), email: string().optional() }, { id: 'id', unique: ['email'] })

/** Returns an id whose partition key has this many bytes after the prefix. */
const filling = (head: string, sizeBytes: number) => 'x'.repeat(sizeBytes - head.length)

/** People whose edges are read by this access method, and the requests that are sent. */
async function opened(as: 'inverted' | 'index') {
  const sent: string[] = []
  const store = wrap(memory(), (operation, request, options, send) => {
    sent.push(operation)
    return send(request, options)
  })
  const likes = edge('likes', { from: user, to: user }, {}, { by: { to: { as } } })
  return { g: await open(graph('people', [user, likes]), store, { create: true }), sent }
}

describe('the size of keys under an inverted index', () => {
  const between = [SORT_KEY_BYTES + 1, PARTITION_KEY_BYTES]

  it.each(between)(
    'a unique value with a partition key of %i bytes is hashed under an inverted index',
    async sizeBytes => {
      const { g } = await opened('inverted')
      const email = filling('user.email#', sizeBytes)
      await g.user.put({ id: 'a', email })
      expect(await g.user.by.email(email)).toEqual({ id: 'a', email })
      await expect(g.user.put({ id: 'b', email })).rejects.toMatchObject({ code: 'unique.taken' })
    },
  )

  it.each(between)(
    'an id with a partition key of %i bytes is rejected under an inverted index before a request is sent',
    async sizeBytes => {
      const { g, sent } = await opened('inverted')
      sent.length = 0
      const details = { template: 'user#{id}', sizeBytes, maxBytes: SORT_KEY_BYTES }
      await expect(g.user.put({ id: filling('user#', sizeBytes) })).rejects.toMatchObject({ code: 'key.long', details })
      expect(sent).toEqual([])
    },
  )

  it('an inverted index does not raise the maximum size of a sort key', async () => {
    const { g, sent } = await opened('inverted')
    sent.length = 0
    const to = filling('likes#', SORT_KEY_BYTES + 1)
    await expect(g.likes.put({ from: 'a', to })).rejects.toMatchObject({ code: 'key.long' })
    expect(sent).toEqual([])
  })

  it('a partition key as long as a sort key may be is stored, and a longer one only without an inverted index', async () => {
    for (const [as, sizeBytes] of [['inverted', SORT_KEY_BYTES] as const, ['index', PARTITION_KEY_BYTES] as const]) {
      const { g } = await opened(as)
      const id = filling('user#', sizeBytes)
      await g.user.put({ id })
      expect(await g.user.get(id)).toEqual({ id })
    }
  })
})
