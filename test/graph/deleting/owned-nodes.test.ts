import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, integer, node, type OpenOptions, open, string, wrap } from '../../../src/index.js'
import { finishDeletes, repair, verify } from '../../../src/jobs/index.js'
import { findings } from '../../../src/table/index.js'

const account = node('account', { id: string(), mail: string() }, { id: 'id', unique: ['mail'] })
const order = node(
  'order',
  { no: string(), code: string().optional(), lines: counter() },
  { id: 'no', within: account, onDelete: 'cascade', unique: ['code'] },
)
const line = node('line', { at: integer() }, { id: 'at', within: order, onDelete: 'cascade' })
const note = node('note', { id: string() }, { id: 'id', within: account, onDelete: 'cascade' })
const product = node('product', { id: string(), sold: counter() }, { id: 'id' })
const has = edge(
  'has',
  { order, product },
  { w: integer() },
  { count: { order: 'lines', product: 'sold' }, onDelete: { order: 'cascade' } },
)
const near = edge('near', { one: note, other: note }, {}, { undirected: true, onDelete: { one: 'cascade' } })
const shop = graph('shop', [account, order, line, note, product, has, near])
const code = (code: string) => expect.objectContaining({ code })

async function filled(store = memory(), notes = 60) {
  const g = await open(shop, store)
  await g.product.put({ id: 'p' })
  for (const id of ['ann', 'tom']) {
    await g.account.put({ id, mail: `${id}@x` })
    for (const no of ['1', '2']) {
      await g.order.put({ account: id, no, code: `${id}${no}` })
      await g.line.put({ order: { account: id, no }, at: 1 })
      await g.has.put({ order: { account: id, no }, product: 'p', w: 0 })
    }
    for (let i = 0; i < notes; i++) await g.note.put({ account: id, id: `n${i}` })
    await g.near.put({ one: { account: id, id: 'n1' }, other: { account: id, id: 'n1' } })
    await g.near.put({ one: { account: id, id: 'n1' }, other: { account: id, id: 'n2' } })
  }
  return { g, store }
}

async function partitions(store: ReturnType<typeof memory>, table = 'shop'): Promise<string[]> {
  const { Items = [] } = await store.scan({ TableName: table })
  return [...new Set(Items.map(item => item.PK!.S!))].sort()
}

describe('a node with cascading owned nodes', () => {
  it('an owner is deleted with all owned nodes, their own nodes, edges and unique values', async () => {
    const { g, store } = await filled()
    const told: number[] = []
    await g.account.delete('ann').run({ progress: done => void told.push(done) })
    expect(await partitions(store)).toEqual(expect.not.arrayContaining([expect.stringMatching(/ann/)]))
    expect(await g.product.get('p')).toMatchObject({ sold: 2 })
    expect(await g.order.by.account('tom').count()).toBe(2)
    expect(await g.note.by.account('tom').count()).toBe(60)
    expect(await verify(g)).toMatchObject({ faults: {} })
    expect(told.at(-1)).toBe(60 + 2 + 2 + 2 + 2)
    await g.account.put({ id: 'ann', mail: 'ann@x' })
    await g.order.put({ account: 'ann', no: '1', code: 'ann1' })
  })

  it('a deletion of an owner completes by the same call, or by finishDeletes, after a crash at any request', async () => {
    for (let most = 1; ; most++) {
      const { g, store } = await filled(memory(), 3)
      let left = most
      const mortal = wrap(store, (_, request, options, send) => {
        if (left-- <= 0) return Promise.reject(new Error('died'))
        return send(request, options)
      })
      const options: OpenOptions = { follow: false, create: false }
      left = 1000
      const dying = await open(shop, mortal, options)
      left = most
      const end = await dying.account.delete('ann').then(
        () => 'done',
        (error: Error) => error.message,
      )
      if (end === 'done') {
        expect(most).toBeGreaterThan(15)
        return
      }
      if (most % 2) await g.account.delete('ann')
      else await finishDeletes(g)
      // A deletion that had not begun leaves the account complete.
      if (await g.account.exists('ann')) await g.account.delete('ann')
      expect((await partitions(store)).filter(each => /ann/.test(each))).toEqual([])
      expect(await verify(g)).toMatchObject({ faults: {} })
      expect(await g.product.get('p')).toMatchObject({ sold: 2 })
    }
  }, 120_000)

  it('an owned node is not created while its owner is missing or being deleted', async () => {
    const { g } = await filled()
    await expect(g.order.put({ account: 'nobody', no: '1' })).rejects.toEqual(code('owner.absent'))
    await expect(g.line.create({ order: { account: 'ann', no: '9' }, at: 1 })).rejects.toEqual(code('owner.absent'))
    await g.$transact([g.order.put({ account: 'new', no: '1' }), g.account.put({ id: 'new', mail: 'new' })])
    expect(await g.order.exists({ account: 'new', no: '1' })).toBe(true)
    const ends = await Promise.allSettled([
      g.account.delete('ann'),
      ...Array.from({ length: 30 }, (_, i) => g.note.put({ account: 'ann', id: `late${i}` })),
      g.line.put({ order: { account: 'ann', no: '1' }, at: 7 }),
    ])
    expect(ends[0]!.status).toBe('fulfilled')
    expect(await g.note.by.account('ann').all()).toEqual([])
    expect(await verify(g)).toMatchObject({ faults: {} })
  })

  it('a deletion of an owner is rejected in a transaction or a batch, and its explanation lists all steps', async () => {
    const { g } = await filled()
    await expect(g.$transact([g.account.delete('ann')])).rejects.toEqual(code('node.cascade'))
    await expect(g.$batch([g.account.delete('ann')])).rejects.toEqual(code('node.cascade'))
    const explained = await g.account.delete('ann').explain()
    expect(String(explained)).toMatch(/each node found is deleted too/)
  })

  it('an owner is not deleted, and nothing else is, when one owned node is blocked', async () => {
    const held = edge('held', { order, product }, {}, { onDelete: { order: 'refuse' } })
    const g = await open(graph('kept', [account, order, product, held]), memory())
    await g.account.put({ id: 'ann', mail: 'a' })
    await g.product.put({ id: 'p' })
    for (const no of ['1', '2', '3']) await g.order.put({ account: 'ann', no })
    await g.held.put({ order: { account: 'ann', no: '3' }, product: 'p' })
    await expect(g.account.delete('ann')).rejects.toEqual(code('node.edges'))
    expect(await g.account.exists('ann')).toBe(true)
    expect(await g.order.by.account('ann').count()).toBe(3)
  })

  it('an owner is not deleted when an owned node counts an edge that is declared to be left', async () => {
    const counted = edge('counted', { order, product }, {}, { count: { order: 'lines' } })
    const g = await open(graph('kept', [account, order, product, counted]), memory())
    await g.account.put({ id: 'ann', mail: 'a' })
    for (const no of ['1', '2']) await g.order.put({ account: 'ann', no })
    await g.counted.put({ order: { account: 'ann', no: '2' }, product: 'p' })
    await expect(g.account.delete('ann')).rejects.toEqual(code('node.edges'))
    expect(await g.account.exists('ann')).toBe(true)
    await g.account.delete('ann', { edges: 'cascade' })
    expect(await g.account.exists('ann')).toBe(false)
    expect(await verify(g)).toMatchObject({ faults: {} })
  })

  it('an owner is deleted with the nodes of its own tenant only', async () => {
    const store = memory()
    const all = await open(graph('shop', [account, order, note, product], { tenant: true }), store)
    for (const tenant of ['t', 'u']) {
      const g = all.$tenant(tenant)
      await g.account.put({ id: 'ann', mail: 'a' })
      await g.order.put({ account: 'ann', no: '1' })
    }
    await all.$tenant('t').account.delete('ann')
    expect(await all.$tenant('t').order.exists({ account: 'ann', no: '1' })).toBe(false)
    expect(await all.$tenant('u').order.exists({ account: 'ann', no: '1' })).toBe(true)
    expect(await verify(all)).toMatchObject({ faults: {} })
  })
})

it('an owned node declared as refuse prevents the deletion of its owner', async () => {
  const invoice = node('invoice', { no: string() }, { id: 'no', within: account, onDelete: 'refuse' })
  const g = await open(graph('bills', [account, invoice]), memory())
  await g.account.put({ id: 'ann', mail: 'a' })
  await g.invoice.put({ account: 'ann', no: '1' })
  await expect(g.account.delete('ann')).rejects.toEqual(code('node.owns'))
  expect(await g.account.exists('ann')).toBe(true)
  await g.invoice.delete({ account: 'ann', no: '1' })
  await g.account.delete('ann')
  await expect(g.invoice.put({ account: 'ann', no: '1' })).rejects.toEqual(code('owner.absent'))
})

describe('an owned node without its owner', () => {
  const orphaned = async (onDelete: 'cascade' | 'refuse' | 'leave' | undefined) => {
    const owned = node('order', { no: string() }, { id: 'no', within: account, ...(onDelete && { onDelete }) })
    const part = node('line', { at: integer() }, { id: 'at', within: owned, ...(onDelete && { onDelete }) })
    const after = graph('shop', [account, owned, part])
    const store = memory()
    const plain = node('order', { no: string() }, { id: 'no', within: account })
    const old = await open(
      graph('shop', [account, plain, node('line', { at: integer() }, { id: 'at', within: plain })]),
      store,
    )
    await old.order.put({ account: 'ann', no: '1' })
    await old.line.put({ order: { account: 'ann', no: '1' }, at: 1 })
    return { g: await open(after, store) }
  }

  it.each(['refuse', undefined] as const)(
    'verify finds an orphan, and repair leaves it when %s is declared',
    async declared => {
      const { g } = await orphaned(declared)
      expect(await verify(g)).toMatchObject({ faults: { 'owner.missing': 1 } })
      expect(await repair(g)).toMatchObject({ repaired: 0, faults: { 'owner.missing': 1 } })
      expect(await g.order.exists({ account: 'ann', no: '1' })).toBe(true)
    },
  )

  it('repair deletes an orphan and its owned nodes when it is declared to cascade', async () => {
    const { g } = await orphaned('cascade')
    expect(await verify(g)).toMatchObject({ faults: { 'owner.missing': 1 } })
    expect(await repair(g)).toMatchObject({ repaired: 1 })
    expect(await g.order.exists({ account: 'ann', no: '1' })).toBe(false)
    expect(await verify(g)).toMatchObject({ read: expect.any(Number), faults: {} })
  })

  it('an orphan declared as leave is not a finding', async () => {
    const { g } = await orphaned('leave')
    expect(await verify(g)).toMatchObject({ faults: {} })
  })

  it('an orphan without a declaration causes a warning at the declaration', async () => {
    const codes = async (declared: 'cascade' | 'leave' | undefined) =>
      findings((await orphaned(declared)).g.$layout as never).map(({ code, kind }) => [code, kind])
    expect(await codes(undefined)).toContainEqual(['owned.undeclared', 'order'])
    expect(await codes('leave')).toEqual([])
    expect(await codes('cascade')).toEqual([])
  })
})

it('onDelete is validated on an owned node', () => {
  expect(() => node('a', { id: string() }, { id: 'id', onDelete: 'cascade' })).toThrow(code('option.onDelete'))
  expect(() => node('b', { id: string() }, { id: 'id', within: account, onDelete: 'gone' as 'leave' })).toThrow(
    code('option.onDelete'),
  )
})

describe('several concurrent deletions of one account', () => {
  it('concurrent deletions leave nothing, whichever finishes first, also next to finishDeletes', async () => {
    const { g, store } = await filled(memory(), 5)
    const ends = await Promise.allSettled([
      g.account.delete('ann'),
      g.account.delete('ann'),
      finishDeletes(g),
      g.order.delete({ account: 'ann', no: '1' }),
    ])
    const codes = ends.flatMap(end => (end.status === 'rejected' ? [(end.reason as { code?: string }).code] : []))
    expect(codes.filter(each => each !== 'node.restored')).toEqual([])
    expect((await partitions(store)).filter(each => /ann/.test(each))).toEqual([])
    expect(await g.product.get('p')).toMatchObject({ sold: 2 })
    expect(await verify(g)).toMatchObject({ faults: {} })
  })

  it('concurrent deletions keep a node that is created after one of them has finished', async () => {
    const { g, store } = await filled(memory(), 5)
    let isSlow = true
    let requests = 0
    const slow = wrap(store, async (_, request, options, send) => {
      // Pauses among the owned nodes until the other call has finished and the account exists again.
      if (isSlow && ++requests === 12) {
        isSlow = false
        await g.account.delete('ann')
        await g.account.put({ id: 'ann', mail: 'ann@x' })
        await g.order.put({ account: 'ann', no: '1', code: 'again' })
        await g.note.put({ account: 'ann', id: 'n1' })
      }
      return send(request, options)
    })
    const late = await open(shop, slow, { follow: false, create: false })
    requests = 0
    await late.account.delete('ann').catch((error: { code?: string }) => expect(error.code).toBe('node.restored'))
    expect(isSlow).toBe(false)
    expect(await g.account.exists('ann')).toBe(true)
    expect(await g.order.exists({ account: 'ann', no: '1' })).toBe(true)
    expect(await g.note.exists({ account: 'ann', id: 'n1' })).toBe(true)
    expect(await verify(g)).toMatchObject({ faults: {} })
  })
})
