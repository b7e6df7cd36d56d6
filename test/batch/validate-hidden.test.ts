import { describe, expect, it } from 'vitest'
import { openBatch, validate } from '../../src/batch/index.js'
import { memory } from '../../src/engine/memory.js'
import { counter, edge, embedded, graph, integer, node, open, string } from '../../src/index.js'

const user = node(
  'user',
  { id: string(), n: counter(), total: counter(), near: embedded({ w: integer() }) },
  { id: 'id' },
)
const follow = edge(
  'follow',
  { a: user, b: user },
  { w: integer() },
  {
    count: { b: 'n' },
    sum: { b: { into: 'total', of: 'w' } },
    embed: { b: { into: 'near', max: 10 } },
    by: { b: { as: 'none' } },
  },
)
const hidden = graph('hidden', [user, follow])

async function damaged(name: string) {
  const store = memory()
  const g = await open(hidden, store, { follow: false })
  for (const id of ['x', 'y', 'z']) await g.user.put({ id })
  await g.follow.put({ a: 'x', b: 'y', w: 2 })
  await g.follow.put({ a: 'z', b: 'y', w: 3 })
  const set = (value: object) =>
    store.updateItem({
      TableName: 'hidden',
      Key: { PK: { S: 'user#y' }, SK: { S: '#' } },
      UpdateExpression: 'SET #n = :v',
      ExpressionAttributeNames: { '#n': name },
      ExpressionAttributeValues: { ':v': value as never },
    })
  await set(name === 'near' ? { M: {} } : { N: '9' })
  const data = await openBatch(hidden, { from: { store }, threads: 1 })
  const codes = async (live?: object) => Object.keys((await validate(data, { live })).codes)
  return { g, set, data, codes }
}

describe('derived values of an end that finds no edges', () => {
  it.each([
    ['n', 'counter.drift'],
    ['total', 'counter.drift'],
    ['near', 'entry.drift'],
  ])('hidden derived values are findings if nothing changed in the live table: %s', async (name, code) => {
    const { g, data, codes } = await damaged(name)
    expect(await codes()).toEqual([code])
    expect(await codes(g)).toEqual([code])
    await g.user.put({ id: 'w' })
    await g.follow.put({ a: 'w', b: 'x', w: 1 })
    expect(await codes(g)).toEqual([code])
    data.close()
  })

  it('hidden derived values are no findings if they were corrected, an edge changed or the node was deleted since', async () => {
    const corrected = await damaged('n')
    await corrected.set({ N: '2' })
    expect(await corrected.codes(corrected.g)).toEqual([])
    const changed = await damaged('n')
    await changed.g.follow.update({ a: 'x', b: 'y' }, { w: 5 })
    expect(await changed.codes(changed.g)).toEqual([])
    const deleted = await damaged('n')
    await deleted.g.follow.delete({ a: 'x', b: 'y' })
    expect(await deleted.codes(deleted.g)).toEqual([])
    for (const { data } of [corrected, changed, deleted]) data.close()
  })
})
