import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { edge, graph, integer, layout, node, open, string } from '../../../src/index.js'

const user = node('user', { id: string() }, { id: 'id' })
const post = node('post', { id: string() }, { id: 'id' })
const like = edge(
  'like',
  { user, post },
  { at: integer() },
  { by: { user: { order: ['at'], as: 'native' }, post: { as: 'index', order: ['at'], shards: 2 } } },
)
const social = graph('social', [user, post, like], { tenant: true })

const keyOf = (byte: number) => new Uint8Array(32).fill(byte)

const openSocial = async (store = memory(), cursorKey?: Uint8Array | readonly Uint8Array[]) => {
  const g = await open(social, store, { cursorKey })
  return { store, ann: g.$tenant('acme'), other: g.$tenant('other') }
}

const filled = async (cursorKey?: Uint8Array | readonly Uint8Array[]) => {
  const opened = await openSocial(undefined, cursorKey)
  for (const tenant of [opened.ann, opened.other])
    for (const at of [1, 2, 3, 4, 5]) await tenant.like.put({ user: 'ann', post: `secret-${at}`, at })
  return opened
}

const bytesOf = (cursor: string | undefined) => Buffer.from(cursor!, 'base64url').toString('latin1')

const isInvalid = { code: 'cursor.invalid' }

describe('a cursor under a cursorKey', () => {
  it('an encrypted cursor continues its query and shows no key', async () => {
    const { ann } = await filled(keyOf(1))
    const liked = ann.like.by.user('ann')
    const first = await liked.page({ limit: 2 })
    expect(first.cursor).toMatch(/^[\w-]+$/)
    expect(bytesOf(first.cursor)).not.toMatch(/secret|acme|ann/)
    const second = await liked.page({ limit: 2, cursor: first.cursor })
    const third = await liked.page({ limit: 2, cursor: second.cursor })
    expect([first, second, third].flatMap(({ items }) => items.map(({ at }) => at))).toEqual([1, 2, 3, 4, 5])
    expect(third.cursor).toBeUndefined()
    const found: number[] = []
    for await (const { at } of ann.like.by.post('secret-1')) found.push(at)
    expect(found).toEqual([1])
  })

  it('an encrypted cursor differs for each page, so that equal positions cannot be recognized', async () => {
    const { ann } = await filled(keyOf(1))
    const page = () => ann.like.by.user('ann').page({ limit: 2 })
    expect((await page()).cursor).not.toBe((await page()).cursor)
  })

  it('a query with an encrypted cursor is explained and planned without decrypting it', async () => {
    const { ann } = await filled(keyOf(1))
    const { cursor } = await ann.like.by.user('ann').page({ limit: 2 })
    const call = ann.like.by.user('ann').page({ limit: 2, cursor })
    expect(call.explain().steps[0]!.asks).toContain('from a cursor')
    expect(call.plan().steps[0]!.request.input.ExclusiveStartKey).toEqual({ deferred: 'cursor' })
    expect((await call).items.map(({ at }) => at)).toEqual([3, 4])
  })

  it('an encrypted cursor is invalid for another query, partition, tenant and for a scan', async () => {
    const { ann, other } = await filled(keyOf(1))
    const { cursor } = await ann.like.by.user('ann').page({ limit: 2 })
    for (const call of [
      ann.like.by.user('bob').page({ cursor }),
      ann.like.by.user('ann').reverse().page({ cursor }),
      ann.like.by
        .user('ann')
        .where({ at: { from: 1 } })
        .page({ cursor }),
      ann.like.by.post('secret-1').page({ cursor }),
      ann.like.scan().page({ cursor }),
      other.like.by.user('ann').page({ cursor }),
    ])
      await expect(call).rejects.toMatchObject(isInvalid)
  })

  it('an encrypted cursor is invalid after a change of any bit or a truncation', async () => {
    const { ann } = await filled(keyOf(1))
    const { cursor } = await ann.like.by.user('ann').page({ limit: 2 })
    const bytes = Buffer.from(cursor!, 'base64url')
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: bytes.length * 8 - 1 }),
        fc.nat({ max: bytes.length - 1 }),
        async (bit, length) => {
          const flipped = Uint8Array.from(bytes)
          flipped[bit >> 3]! ^= 1 << (bit & 7)
          for (const changed of [flipped, bytes.subarray(0, length)]) {
            const call = ann.like.by.user('ann').page({ cursor: Buffer.from(changed).toString('base64url') })
            await expect(call).rejects.toMatchObject(isInvalid)
          }
        },
      ),
    )
  })

  it('an encrypted cursor works after a rotation while its key is listed, and not afterwards', async () => {
    const { store, ann } = await filled(keyOf(1))
    const { cursor } = await ann.like.by.user('ann').page({ limit: 2 })
    const rotated = await openSocial(store, [keyOf(2), keyOf(1)])
    const next = await rotated.ann.like.by.user('ann').page({ limit: 2, cursor })
    expect(next.items.map(({ at }) => at)).toEqual([3, 4])
    const after = await openSocial(store, [keyOf(2)])
    await expect(after.ann.like.by.user('ann').page({ cursor })).rejects.toMatchObject(isInvalid)
    expect((await after.ann.like.by.user('ann').page({ cursor: next.cursor })).items.map(({ at }) => at)).toEqual([5])
  })

  it('encrypted cursors replace plain cursors, and plain cursors replace encrypted ones', async () => {
    const { store, ann } = await filled(keyOf(1))
    const plain = await openSocial(store)
    const { cursor } = await plain.ann.like.by.user('ann').page({ limit: 2 })
    await expect(ann.like.by.user('ann').page({ cursor })).rejects.toMatchObject(isInvalid)
    const { cursor: sealed } = await ann.like.by.user('ann').page({ limit: 2 })
    await expect(plain.ann.like.by.user('ann').page({ cursor: sealed })).rejects.toMatchObject(isInvalid)
  })

  it.each<[string, unknown]>([
    ['16 bytes', new Uint8Array(16)],
    ['a text', 'x'.repeat(32)],
    ['an empty list', []],
    ['a list with a short key', [keyOf(1), new Uint8Array(31)]],
    ['null', null],
  ])('a cursorKey is rejected when it is %s', async (_, cursorKey) => {
    await expect(open(social, memory(), { cursorKey: cursorKey as Uint8Array })).rejects.toMatchObject({
      code: 'call.argument',
    })
  })
})

describe('a cursor without a key', () => {
  const ids = node('item', { no: integer() }, { id: 'no', by: { all: { order: ['no'] } } })
  const numbered = layout(graph('numbered', [ids]), {
    raw: true,
    table: { keys: ['no'] },
    keys: { item: { no: '{no}' } } as never,
  })

  const forged = (cursor: string, texts: readonly string[]) => {
    const [version, bound, positions] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const changed = positions.map((each: string[] | null) => each?.map((text, i) => texts[i] ?? text) ?? null)
    return Buffer.from(JSON.stringify([version, bound, changed])).toString('base64url')
  }

  const anyTexts = fc.array(
    fc.oneof(
      fc.constantFrom('', '1', 'x', 'like#', '\ud800', 'k'.repeat(1025), 'k'.repeat(3000), '1e999', '-'),
      fc.string(),
      fc.string({ unit: 'binary' }),
    ),
    { minLength: 1, maxLength: 4 },
  )

  it('forged positions never cause an error of the store', async () => {
    const { ann } = await filled()
    const queries = [
      ann.like.by.user('ann'),
      ann.like.by.user('ann').where({ at: { from: 2 } }),
      ann.like.by.post('secret-1'),
      ann.like.scan(),
      ann.like.by.post('secret-2').where({ at: { from: 1, to: 4 } }),
    ]
    const cursors = await Promise.all(queries.map(async query => (await query.page({ limit: 1 })).cursor))
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: queries.length - 1 }), anyTexts, async (at, texts) => {
        const cursor = cursors[at]
        if (!cursor) return
        const error = await queries[at]!.page({ cursor: forged(cursor, texts) }).then(
          () => undefined,
          each => each,
        )
        if (error) expect(error).toMatchObject(isInvalid)
      }),
      { numRuns: 300 },
    )
  })

  it('a position that is not a number is invalid for a number key', async () => {
    const g = await open(numbered, memory())
    for (const no of [1, 2, 3]) await g.item.put({ no })
    const { cursor } = await g.item.scan().page({ limit: 1 })
    for (const text of ['x', '', '1e999'])
      await expect(g.item.scan().page({ cursor: forged(cursor!, [text]) })).rejects.toMatchObject(isInvalid)
  })

  it("a position outside of the query's range is invalid", async () => {
    const { ann } = await filled()
    const query = ann.like.by.user('ann').where({ at: { from: 2, to: 3 } })
    const { cursor } = await query.page({ limit: 1 })
    const [, , positions] = JSON.parse(bytesOf(cursor))
    expect(positions).toHaveLength(1)
    const texts = positions[0].map((text: string) => (text === '2' ? '9' : text))
    await expect(query.page({ cursor: forged(cursor!, texts) })).rejects.toMatchObject(isInvalid)
  })
})
