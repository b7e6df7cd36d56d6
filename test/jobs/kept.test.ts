import { describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { bigint, counter, edge, graph, node, open } from '../../src/index.js'
import { backfill, repair, verify } from '../../src/jobs/index.js'

describe('what nodes keep of their edges', () => {
  it('is told, mended and brought up where ids are big integers', async () => {
    const tweet = node('tweet', { id: bigint(), answers: counter(), asks: counter() }, { id: 'id' })
    const answer = edge('answer', { to: tweet, from: tweet }, {}, { count: { to: 'answers', from: 'asks' } })
    const made = graph('tweets', [tweet, answer])
    const store = memory()
    const g = await open(made, store)
    for (const id of [5n, 6n]) await g.tweet.put({ id })
    for (const from of [5n, 6n]) await g.answer.put({ to: 5n, from })
    expect((await verify(g)).faults).toEqual({})
    expect((await repair(g)).mended).toBe(0)
    expect((await backfill(made, store)).changed).toBe(0)
    expect(await g.tweet.get(5n)).toEqual({ id: 5n, answers: 2, asks: 1 })
  })
})
