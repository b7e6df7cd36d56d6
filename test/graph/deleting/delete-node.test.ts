import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, embedded, graph, layout, metered, node, open, string, wrap } from '../../../src/index.js'
import { finishDeletes } from '../../../src/jobs/finish-deletes.js'
import { openSchool, START } from '../school.js'
import { mortal } from './crashing-store.js'

const since = new Date(START)

async function enrolled() {
  const store = memory()
  const g = await openSchool(store)
  await g.course.create({ id: 'math', title: 'Math' })
  for (const id of ['s1', 's2', 's3']) {
    await g.student.create({ id, name: id })
    await g.takes.put({ student: id, course: 'math', since, credits: 1 })
  }
  return { g, store }
}

describe('deleting a node', () => {
  it('deleting a node deletes its cascading edges', async () => {
    const { g, store } = await enrolled()
    await g.course.delete('math')
    expect(await g.course.exists('math')).toBe(false)
    expect(await g.takes.by.student('s1').all()).toEqual([])
    const left = await store.scan({ TableName: 'school' })
    expect(left.Items?.map(item => item._type?.S ?? 'layout').sort()).toEqual([
      'layout',
      'student',
      'student',
      'student',
    ])
  })

  it('a deletion that edges prevent is rejected, and the node does not change', async () => {
    const { g } = await enrolled()
    await expect(g.student.delete('s1')).rejects.toMatchObject({ code: 'node.edges' })
    expect(await g.student.get('s1')).toMatchObject({ name: 's1' })
    await g.takes.delete({ student: 's1', course: 'math' })
    await g.student.delete('s1')
    expect(await g.student.exists('s1')).toBe(false)
  })

  it.each(['restrict', 'keep', false])('an unknown policy is rejected, and no edge is deleted: %s', async word => {
    const user = node('user', { id: string() }, { id: 'id' })
    const follows = edge('follows', { a: user, b: user }, {}, { onDelete: { a: word as never } })
    const g = await open(graph('social', [user, follows]), memory())
    await g.$batch([g.user.put({ id: 'x' }), g.user.put({ id: 'y' })])
    await g.follows.put({ a: 'x', b: 'y' })
    await expect(g.user.delete('x')).rejects.toMatchObject({ code: 'node.edges' })
    expect(await g.follows.by.b('y').count()).toBe(1)
    await g.user.delete('y')
  })

  it('a deletion that edges prevent writes nothing', async () => {
    const { store } = await enrolled()
    const { store: counted, meter } = metered(store)
    const g = await openSchool(counted)
    meter.reset()
    await expect(g.student.delete('s1')).rejects.toMatchObject({ code: 'node.edges' })
    expect(meter.snapshot().requests).toEqual({ query: 1 })
  })

  it('an explained deletion looks for blocking edges before and after the mark', async () => {
    const { g, store } = await enrolled()
    await g.takes.delete({ student: 's1', course: 'math' })
    const { Items: existing = [] } = await store.scan({ TableName: 'school' })
    const call = g.student.delete('s1')
    const { steps, total } = call.explain({ existing })
    expect(steps).toMatchObject([
      { operation: 'Query', after: [] },
      { operation: 'UpdateItem', after: [0] },
      { operation: 'Query', after: [1] },
      { operation: 'GetItem', after: [2] },
      { operation: 'TransactWriteItems', after: [3] },
    ])
    const { requests, consumed } = await call.run()
    expect(total).toEqual({ requests, read: consumed.read, write: consumed.write })
  })

  it('an explained deletion assumes the given number and size of cascading edges', async () => {
    const { g } = await enrolled()
    const explained = g.course.delete('math').explain({ items: 100, itemBytes: 4_096 })
    expect(explained.steps).toMatchObject([
      { operation: 'UpdateItem' },
      { operation: 'Query', price: { read: { table: 100 } } },
      { operation: 'GetItem', price: { read: { table: 1 } } },
      { operation: 'DeleteItem' },
    ])
    expect(explained.toString()).toContain('the edges found are deleted')
    expect(explained.toString()).not.toContain('assuming')
  })

  it('a deletion of several requests is rejected in a transaction or a batch', async () => {
    const { g } = await enrolled()
    const refused = { code: 'node.cascade' }
    await expect(g.$transact([g.course.delete('math')])).rejects.toMatchObject(refused)
    await expect(g.$batch([g.course.delete('math')])).rejects.toMatchObject(refused)
    expect(() => g.$batch([g.course.delete('math')]).explain()).toThrow(expect.objectContaining(refused))
    expect(await g.course.exists('math')).toBe(true)
  })

  it('a call may choose a stricter policy than declared', async () => {
    const { g } = await enrolled()
    await g.takes.delete({ student: 's1', course: 'math' })
    await g.befriends.put({ one: 's1', other: 's2', since })
    await expect(g.student.delete('s1', { edges: 'refuse' })).rejects.toMatchObject({ code: 'node.edges' })
    await g.student.delete('s1', { edges: 'cascade' })
    expect(await g.befriends.by.one('s2').all()).toEqual([])
  })

  it('a deletion handles 10,000 edges, and the node reads as missing from the first moment', async () => {
    const hub = node('hub', { id: string() }, { id: 'id' })
    const spoke = edge('spoke', { hub, to: hub }, {}, { onDelete: { hub: 'cascade' } })
    const store = memory()
    const g = await open(graph('wheel', [hub, spoke]), store)
    await g.hub.create({ id: 'h' })
    await g.$batch(Array.from({ length: 10_000 }, (_, i) => g.spoke.put({ hub: 'h', to: `n${i}` })))
    const seen: PromiseLike<unknown>[] = []
    const told: number[] = []
    await g.hub.delete('h').run({
      progress: done => {
        told.push(done)
        seen.push(g.hub.get('h').then(row => row))
      },
    })
    expect(told.at(-1)).toBe(10_000)
    expect(new Set(await Promise.all(seen))).toEqual(new Set([undefined]))
    expect(await g.hub.get('h')).toBeUndefined()
    expect((await store.scan({ TableName: 'wheel', Select: 'COUNT' })).Count).toBe(1)
  })

  it('a deletion waits for its progress callback and rejects when the callback fails', async () => {
    const hub = node('hub', { id: string() }, { id: 'id' })
    const spoke = edge('spoke', { hub, to: hub }, {}, { onDelete: { hub: 'cascade' } })
    const g = await open(graph('wheel', [hub, spoke]), memory())
    await g.$batch([g.hub.put({ id: 'h' }), g.spoke.put({ hub: 'h', to: 'h' })])
    const away = async () => {
      throw new Error('the log is away')
    }
    await expect(g.hub.delete('h').run({ progress: away })).rejects.toThrow('the log is away')
    await g.hub.delete('h')
    expect(await g.spoke.scan().all()).toEqual([])
  })

  it('a deletion continues after a crash, by the same call or by a job, and a refused deletion stays refused', async () => {
    const { store } = await enrolled()
    const dying = mortal(store)
    const g = await openSchool(dying.store)
    for (const requests of [3, 4, 2]) {
      dying.left = requests
      await expect(g.course.delete('math')).rejects.toThrow('crashed')
      dying.left = Number.POSITIVE_INFINITY
      expect(await g.course.get('math')).toBeUndefined()
    }
    await expect(g.course.put({ id: 'math', title: 'x' })).rejects.toMatchObject({ code: 'node.deleting' })
    expect(await finishDeletes(g)).toBe(1)
    expect(await finishDeletes(g)).toBe(0)
    expect(await g.takes.by.student('s1').all()).toEqual([])
    await g.course.create({ id: 'math', title: 'Math again' })
    expect(await g.course.get('math')).toMatchObject({ title: 'Math again', seats: 0, pupils: {} })
  })

  it('a put does not undo a deletion that cascades over edges declared to be left', async () => {
    const hub = node('hub', { id: string() }, { id: 'id' })
    const spoke = edge('spoke', { hub, to: hub })
    const store = memory()
    const dying = mortal(store)
    const g = await open(graph('wheel', [hub, spoke]), dying.store, { create: true })
    await g.hub.put({ id: 'h' })
    await g.hub.put({ id: 'h' })
    await g.spoke.put({ hub: 'h', to: 'n' })
    dying.left = 2
    await expect(g.hub.delete('h', { edges: 'cascade' })).rejects.toThrow('crashed')
    dying.left = Number.POSITIVE_INFINITY
    await expect(g.hub.put({ id: 'h' })).rejects.toMatchObject({ code: 'node.deleting' })
    await expect(g.$transact([g.hub.put({ id: 'h' })])).rejects.toMatchObject({ code: 'node.deleting' })
    expect(await finishDeletes(g)).toBe(1)
    expect(await g.spoke.by.hub('h').all()).toEqual([])
    await g.hub.put({ id: 'h' })
    expect(await g.hub.exists('h')).toBe(true)
  })

  it('a node that counts remaining edges is never marked, wherever its deletion is interrupted', async () => {
    const hub = node('hub', { id: string(), spokes: counter(), held: embedded({}) }, { id: 'id' })
    const keeps = edge('keeps', { from: hub, at: hub }, {}, { onDelete: { from: 'cascade' } })
    const spoke = edge('spoke', { hub, to: hub }, {}, { count: { hub: 'spokes' }, onDelete: { to: 'refuse' } })
    const holds = edge('holds', { holder: hub, it: hub }, {}, { embed: { holder: { into: 'held', max: 9 } } })
    const store = memory()
    const dying = mortal(store)
    const g = await open(graph('wheel', [hub, keeps, spoke, holds]), dying.store, { create: true })
    for (const id of ['h', 'e', 'n']) await g.hub.put({ id })
    await g.spoke.put({ hub: 'h', to: 'n' })
    await g.holds.put({ holder: 'e', it: 'n' })
    await g.keeps.put({ from: 'h', at: 'n' })
    for (const id of ['h', 'e'])
      for (let requests = 0; requests < 5; requests++) {
        dying.left = requests
        const refused = await g.hub.delete(id).catch((error: Error) => error)
        dying.left = Number.POSITIVE_INFINITY
        expect(refused).toMatchObject(requests < 2 ? { message: 'crashed' } : { code: 'node.edges' })
        expect(await g.hub.exists(id)).toBe(true)
      }
    expect(await g.keeps.by.from('h').count()).toBe(1)
    await g.spoke.delete({ hub: 'h', to: 'n' })
    await g.hub.delete('h')
    expect(await g.hub.exists('h')).toBe(false)
  })

  it('the mark of a crashed call is removed when the node counts remaining edges by now', async () => {
    const hub = node('hub', { id: string(), spokes: counter() }, { id: 'id' })
    const spoke = edge('spoke', { hub, to: hub }, {}, { count: { hub: 'spokes' }, onDelete: { to: 'refuse' } })
    const store = memory()
    const g = await open(graph('wheel', [hub, spoke]), store)
    await g.$batch([g.hub.put({ id: 'h' }), g.hub.put({ id: 'n' })])
    await g.spoke.put({ hub: 'h', to: 'n' })
    // The mark of a call under an older declaration.
    await store.updateItem({
      TableName: 'wheel',
      Key: g.hub.keyOf('h') as never,
      UpdateExpression: 'SET #g = :g',
      ExpressionAttributeNames: { '#g': g.$layout.names.deletionMark },
      ExpressionAttributeValues: { ':g': { S: 'declared x' } },
    })
    expect(await g.hub.get('h')).toBeUndefined()
    await expect(g.hub.delete('h')).rejects.toMatchObject({ code: 'node.edges' })
    expect(await finishDeletes(g)).toBe(0)
    expect(await g.hub.get('h')).toEqual({ id: 'h', spokes: 1 })
  })

  it('finishDeletes removes the mark of a crashed call that an edge preceded, and finishes the others', async () => {
    const hub = node('hub', { id: string() }, { id: 'id' })
    const keeps = edge('keeps', { hub, to: hub }, {}, { onDelete: { hub: 'refuse' } })
    const spoke = edge('spoke', { from: hub, at: hub }, {}, { onDelete: { from: 'cascade' } })
    const store = memory()
    const dying = mortal(store)
    let beforeMark: (() => PromiseLike<void>) | undefined
    const watched = wrap(dying.store, async (operation, request, options, send) => {
      const isMark = operation !== 'query'
      if (isMark) await beforeMark?.()
      return send(request, options)
    })
    const other = await open(graph('wheel', [hub, keeps, spoke]), store)
    const g = await open(graph('wheel', [hub, keeps, spoke]), watched)
    const ids = ['a', 'b', 'c', 'd']
    for (const id of [...ids, 'n']) await g.hub.put({ id })
    for (const id of ids) await g.spoke.put({ from: id, at: 'n' })
    for (const id of ids) {
      beforeMark = id === 'b' ? () => other.keeps.put({ hub: id, to: 'n' }) : undefined
      dying.left = 2
      await expect(g.hub.delete(id)).rejects.toThrow('crashed')
    }
    beforeMark = undefined
    dying.left = Number.POSITIVE_INFINITY
    expect(await g.hub.get('b')).toBeUndefined()
    expect(await finishDeletes(g)).toBe(3)
    expect(await finishDeletes(g)).toBe(0)
    expect((await g.hub.scan().all()).map(({ id }) => id).sort()).toEqual(['b', 'n'])
    expect(await g.spoke.scan().all()).toEqual([{ from: 'b', at: 'n' }])
  })

  it.each(['re-created', 'deleted again', 'gone'])(
    'a deletion does not delete a node that is %s after another call finished',
    async how => {
      const hub = node('hub', { id: string() }, { id: 'id' })
      const spoke = edge('spoke', { hub, to: hub }, {}, { onDelete: { hub: 'cascade' } })
      const store = memory()
      const dying = mortal(store)
      const g = await open(graph('wheel', [hub, spoke]), dying.store, { create: true })
      for (const id of ['a', 'b']) {
        await g.hub.put({ id })
        await g.spoke.put({ hub: id, to: 'n' })
        dying.left = 2
        await expect(g.hub.delete(id)).rejects.toThrow('crashed')
        dying.left = Number.POSITIVE_INFINITY
      }
      const busy = wrap(store, async (operation, request, options, send) => {
        const answer = await send(request, options)
        if (operation !== 'scan') return answer
        await g.hub.delete('a')
        if (how === 'gone') return answer
        await g.hub.create({ id: 'a' })
        await g.spoke.put({ hub: 'a', to: 'm' })
        if (how === 're-created') return answer
        dying.left = 2
        await expect(g.hub.delete('a')).rejects.toThrow('crashed')
        dying.left = Number.POSITIVE_INFINITY
        return answer
      })
      expect(await finishDeletes(await open(graph('wheel', [hub, spoke]), busy))).toBe(1)
      const isThere = how === 're-created'
      expect(await g.hub.exists('a')).toBe(isThere)
      expect((await g.spoke.scan().all()).map(({ to }) => to)).toEqual(how === 'gone' ? [] : ['m'])
      await expect(g.hub.exists('b')).resolves.toBe(false)
      expect(await finishDeletes(g)).toBe(how === 'deleted again' ? 1 : 0)
      expect(await g.hub.exists('a')).toBe(isThere)
    },
  )

  it('finishDeletes handles each tenant, for every page size of its scan', async () => {
    const hub = node('hub', { id: string() }, { id: 'id' })
    const spoke = edge('spoke', { hub, to: hub }, {}, { onDelete: { hub: 'cascade' } })
    const dying = mortal(memory())
    const paged = wrap(dying.store, (operation, request, options, send) =>
      send(operation === 'scan' ? { ...request, Limit: 1 } : request, options),
    )
    const g = await open(graph('wheel', [hub, spoke], { tenant: true }), paged, { create: true })
    const tenants = ['a', 'b'].map(id => g.$tenant(id))
    for (const own of [...tenants, g.$tenant('c')]) {
      await own.hub.put({ id: 'h' })
      await own.spoke.put({ hub: 'h', to: 'n' })
    }
    for (const own of tenants) {
      dying.left = 2
      await expect(own.hub.delete('h')).rejects.toThrow('crashed')
    }
    dying.left = Number.POSITIVE_INFINITY
    expect(await finishDeletes(g)).toBe(2)
    for (const own of tenants) expect(await own.spoke.by.hub('h').all()).toEqual([])
    for (const own of tenants) await own.hub.create({ id: 'h' })
    expect(await g.$tenant('c').spoke.by.hub('h').all()).toEqual([{ hub: 'h', to: 'n' }])
  })

  it('finishDeletes continues after a node that it cannot finish because of an unreadable edge', async () => {
    const hub = node('hub', { id: string() }, { id: 'id' })
    const spoke = edge('spoke', { hub, to: hub }, {}, { onDelete: { hub: 'cascade' } })
    const keys = { hub: { PK: 'H#{id}', SK: 'H#{id}' }, spoke: { PK: 'H#{hub}', SK: 'S#{to}' } } as const
    const store = memory()
    const dying = mortal(store)
    const g = await open(layout(graph('wheel', [hub, spoke]), { keys, raw: true }), dying.store, { create: true })
    for (const id of ['a', 'b', 'c']) {
      await g.hub.put({ id })
      await g.spoke.put({ hub: id, to: 'n' })
    }
    const Item = { PK: { S: 'H#b' }, SK: { S: 'S#x' }, hub: { S: 'b' }, _type: { S: 'spoke' } }
    await store.putItem({ TableName: 'wheel', Item })
    for (const id of ['a', 'b', 'c']) {
      dying.left = 2
      await expect(g.hub.delete(id)).rejects.toThrow(/crashed|needs this value/)
      dying.left = Number.POSITIVE_INFINITY
    }
    const refused = { code: expect.stringMatching(/^(key|stored)/), message: expect.stringContaining('H#b H#b') }
    await expect(finishDeletes(g)).rejects.toMatchObject(refused)
    const left = (await store.scan({ TableName: 'wheel' })).Items!.map(({ PK }) => PK!.S!)
    expect(new Set(left.filter(key => key.startsWith('H#')))).toEqual(new Set(['H#b']))
    await store.deleteItem({ TableName: 'wheel', Key: { PK: Item.PK, SK: Item.SK } })
    expect(await finishDeletes(g)).toBe(1)
  })

  it('finishDeletes does not delete a node that was created again, also while another call deletes that', async () => {
    const hub = node('hub', { id: string() }, { id: 'id' })
    const spoke = edge('spoke', { hub, to: hub }, {}, { onDelete: { hub: 'cascade' } })
    const declared = graph('wheel', [hub, spoke])
    const store = memory()
    const g = await open(declared, store)
    const dying = mortal(store)
    const mortals = await open(declared, dying.store)
    let others: (() => Promise<void>) | undefined
    const slow = await open(
      declared,
      wrap(store, async (operation, request, options, send) => {
        const between = operation === 'query' ? others : undefined
        const answer = await send(request, options)
        if (between) others = undefined
        await between?.()
        return answer
      }),
    )
    await g.hub.put({ id: 'h' })
    await g.hub.put({ id: 'n' })
    others = async () => {
      await g.hub.delete('h')
      await g.hub.create({ id: 'h' })
      await g.spoke.put({ hub: 'h', to: 'n' })
      dying.left = 1
      await expect(mortals.hub.delete('h')).rejects.toThrow('crashed')
    }
    await expect(slow.hub.delete('h')).rejects.toMatchObject({ code: 'node.restored' })
    expect(await finishDeletes(g)).toBe(1)
    expect(await g.spoke.by.hub('h').all()).toEqual([])
    expect(await g.hub.exists('h')).toBe(false)
  })

  it('a deletion applies only under its condition', async () => {
    const { g } = await enrolled()
    await expect(g.course.delete('math').if(r => r.title.is('Art'))).rejects.toMatchObject({ code: 'write.condition' })
    expect(await g.course.exists('math')).toBe(true)
    await g.course.delete('math').if(r => r.title.is('Math'))
    expect(await g.course.exists('math')).toBe(false)
  })
})
