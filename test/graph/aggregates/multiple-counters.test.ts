import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { counter, edge, graph, integer, node, oneOf, open, string } from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/index.js'

describe('several counters of one end', () => {
  const user = node('user', { id: string(), given: counter() }, { id: 'id' })
  const post = node(
    'post',
    { id: string(), likes: counter(), dislikes: counter(), warmth: counter(), minutes: counter() },
    { id: 'id' },
  )
  const counters = [
    { into: 'likes', where: { kind: 'like' } },
    { into: 'dislikes', where: { kind: 'dislike' } },
  ] as const
  const sums = [
    { into: 'warmth', of: 'warmth', where: { kind: 'like' } },
    { into: 'minutes', of: 'minutes' },
  ] as const
  const attributes = { kind: oneOf('like', 'dislike'), warmth: integer(), minutes: integer() }
  const options = { count: { post: counters, user: 'given' }, sum: { post: sums } } as const
  const blog = graph('blog', [user, post, edge('reacts', { user, post }, attributes, options)])
  const reaction = { user: 'ann', post: 'p', warmth: 3, minutes: 5 }

  it('several counters each count their own edges in one write of the node', async () => {
    const g = await open(blog, memory())
    await g.user.put({ id: 'ann' })
    await g.user.put({ id: 'bob' })
    await g.post.put({ id: 'p' })
    const put = g.reacts.put({ ...reaction, kind: 'like' })
    expect((await put.run()).consumed.total).toBe(10)
    await g.reacts.put({ ...reaction, user: 'bob', kind: 'dislike' })
    expect(await g.post.get('p')).toEqual({ id: 'p', likes: 1, dislikes: 1, warmth: 3, minutes: 10 })
    await g.reacts.update({ user: 'ann', post: 'p' }, { kind: 'dislike', minutes: 6 })
    expect(await g.post.get('p')).toEqual({ id: 'p', likes: 0, dislikes: 2, warmth: 0, minutes: 11 })
    await expect(g.post.delete('p')).rejects.toMatchObject({ code: 'node.edges' })
    for (const id of ['ann', 'bob']) await g.reacts.delete({ user: id, post: 'p' })
    expect(await g.post.get('p')).toEqual({ id: 'p', likes: 0, dislikes: 0, warmth: 0, minutes: 0 })
    await g.post.delete('p')
  })

  it('stream counters and transactional counters can be combined', async () => {
    const count = { post: [counters[0], { ...counters[1], by: 'stream' }] } as const
    const sum = { post: [{ ...sums[0], by: 'stream' }, sums[1]] } as const
    const mixed = graph('mixed', [user, post, edge('reacts', { user, post }, attributes, { count, sum })])
    const g = await open(mixed, memory())
    await g.post.put({ id: 'p' })
    await g.reacts.put({ ...reaction, kind: 'like' })
    await g.reacts.put({ ...reaction, user: 'bob', kind: 'dislike' })
    expect(await g.post.get('p')).toMatchObject({ likes: 1, minutes: 10 })
    await g.$settled()
    expect(await g.post.get('p')).toEqual({ id: 'p', likes: 1, dislikes: 1, warmth: 3, minutes: 10 })
    await g.reacts.put({ ...reaction, kind: 'dislike' })
    await g.reacts.delete({ user: 'bob', post: 'p' })
    await g.$settled()
    expect(await g.post.get('p')).toEqual({ id: 'p', likes: 0, dislikes: 1, warmth: 0, minutes: 5 })
    expect((await verify(g)).faults).toMatchObject({ 'edge.dangling': 1 })
    await g.$close()
  })

  it('counters of an undirected edge apply to both ends, and a self-loop is counted twice', async () => {
    const person = node(
      'person',
      { id: string(), friends: counter(), close: counter(), years: counter() },
      { id: 'id' },
    )
    const knows = (by: 'transaction' | 'stream') =>
      edge(
        'knows',
        { one: person, other: person },
        { years: integer() },
        {
          undirected: true,
          count: { one: ['friends', { into: 'close', by, where: { years: [7, 8] } }] },
          sum: { one: [{ into: 'years', of: 'years', by }] },
        },
      )
    for (const by of ['transaction', 'stream'] as const) {
      const g = await open(graph('people', [person, knows(by)]), memory())
      for (const id of ['a', 'b']) await g.person.put({ id })
      await g.knows.put({ one: 'a', other: 'b', years: 7 })
      await g.knows.put({ one: 'b', other: 'b', years: 8 })
      await g.$settled()
      expect(await g.person.get('a')).toEqual({ id: 'a', friends: 1, close: 1, years: 7 })
      expect(await g.person.get('b')).toEqual({ id: 'b', friends: 3, close: 3, years: 23 })
      await g.knows.update({ one: 'b', other: 'a' }, { years: 1 })
      await g.$settled()
      expect(await g.person.get('b')).toEqual({ id: 'b', friends: 3, close: 2, years: 17 })
      expect((await verify(g)).faults).toEqual({})
      await g.$close()
    }
  })

  it.each(['transaction', 'stream'] as const)('wrong counters are found and repaired separately: by %s', async by => {
    const count = { post: counters.map(each => ({ ...each, by })) }
    const sum = { post: sums.map(each => ({ ...each, by })) }
    const reacts = edge('reacts', { post, user }, attributes, { count, sum })
    const store = memory()
    const g = await open(graph('blog', [user, post, reacts]), store)
    await g.post.put({ id: 'p' })
    await g.user.put({ id: 'ann' })
    await g.reacts.put({ ...reaction, kind: 'like' })
    await g.$settled()
    const Key = g.post.keyOf('p')
    const set = { UpdateExpression: 'SET dislikes = :n, minutes = :n', ExpressionAttributeValues: { ':n': { N: '7' } } }
    await store.updateItem({ TableName: 'blog', Key, ...set })
    const found: string[] = []
    await verify(g, { onFault: ({ code, name }) => found.push(`${code} ${name}`) })
    expect(found.sort()).toEqual(['counter.drift dislikes', 'counter.drift minutes'])
    await repair(g)
    expect(await g.post.get('p')).toEqual({ id: 'p', likes: 1, dislikes: 0, warmth: 3, minutes: 5 })
    expect((await verify(g)).faults).toEqual({})
    await g.$close()
  })

  it('drift is reported for new and changed counters, and not for another order', async () => {
    const reacts = (given: readonly unknown[]) =>
      graph('blog', [user, post, edge('reacts', { user, post }, attributes, { count: { post: given } } as object)])
    const store = memory()
    await open(reacts(counters), store)
    await open(reacts([...counters].reverse()), store)
    const told = async (given: readonly unknown[]) => open(reacts(given), store).catch(error => error.message)
    expect(await told([...counters, 'minutes'])).toContain("type 'reacts': aggregate 'post.minutes'")
    expect(await told([counters[0], 'dislikes'])).toContain("type 'reacts': aggregate 'post.dislikes'")
  })
})
