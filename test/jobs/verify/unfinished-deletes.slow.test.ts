import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, node, open, string, wrap } from '../../../src/index.js'
import { finishDeletes, repair, verify } from '../../../src/jobs/index.js'

const person = node('person', { id: string() }, { id: 'id' })
const made = (onDelete: 'cascade' | 'refuse') =>
  graph('people', [
    person,
    edge('likes', { from: person, to: person }, {}, { by: { to: { as: 'mirror' } }, onDelete: { to: onDelete } }),
  ])

describe.each(['cascade', 'refuse'] as const)('an interrupted deletion with edges that %s', onDelete => {
  it('verify and repair report an interrupted deletion until it is finished', async () => {
    const store = memory()
    const g = await open(made(onDelete), store)
    for (const id of ['ann', 'bob', 'eve']) await g.person.put({ id })
    let isDead = false
    const mortal = wrap(store, async (_, request, options, send) => {
      if (isDead) throw new Error('died')
      const isMark = JSON.stringify(request).includes('_going') && 'UpdateExpression' in request
      // An edge is added after the first read and before the mark.
      if (isMark) await g.likes.put({ from: 'ann', to: 'bob' })
      const answer = await send(request, options)
      isDead = isMark
      return answer
    })
    const h = await open(made(onDelete), mortal)
    await expect(h.person.delete('bob')).rejects.toThrow('died')
    expect(await g.person.get('bob')).toBeUndefined()
    const found: unknown[] = []
    expect((await verify(g, { onFault: fault => found.push(fault) })).faults).toEqual({ 'deletion.unfinished': 1 })
    expect(found).toMatchObject([{ type: 'person', row: { id: 'bob' } }])
    expect(await repair(g)).toMatchObject({ faults: { 'deletion.unfinished': 1 }, repaired: 0 })
    await finishDeletes(g)
    expect((await verify(g)).faults).toEqual({})
    expect(await g.person.get('bob')).toEqual(onDelete === 'refuse' ? { id: 'bob' } : undefined)
    expect(await g.likes.scan().all()).toHaveLength(onDelete === 'refuse' ? 1 : 0)
  })

  it('a deletion is not reported while it is in progress', async () => {
    const store = memory()
    const g = await open(made(onDelete), store)
    for (const id of ['ann', 'bob']) await g.person.put({ id })
    if (onDelete === 'cascade') await g.likes.put({ from: 'ann', to: 'bob' })
    let faults: unknown
    const watched = wrap(store, async (_, request, options, send) => {
      const answer = await send(request, options)
      if (JSON.stringify(request).includes('_going') && 'UpdateExpression' in request) faults = verify(g)
      return answer
    })
    await (await open(made(onDelete), watched)).person.delete('bob')
    expect(await faults).toMatchObject({ faults: {} })
    expect(await g.person.get('bob')).toBeUndefined()
  })
})
