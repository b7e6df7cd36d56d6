import { describe, expect, it } from 'vitest'
import { deadLetters, replay } from '../../src/derive/replay.js'
import { names, noting, scene } from './follow/scene.js'

describe('dead letters', () => {
  it('are replayed when their fault was mended, and then are gone', async () => {
    const { write, follow, time, store } = await scene()
    const consumer = noting()
    const isOdd = (name: string) => /[13]$/.test(name)
    consumer.fails = name => (isOdd(name) ? new Error('poison') : undefined)
    await write(...names(4))
    const follower = await follow(consumer, { attempts: 1 })
    await time.until(follower.settled())
    await follower.stop()

    const listed = async () => {
      const letters = []
      for await (const letter of deadLetters(consumer, store)) letters.push(letter)
      return letters
    }
    const [first, second] = await listed()
    expect([first, second].map(letter => letter?.record.dynamodb?.Keys?.PK?.S)).toEqual(['a1', 'a3'])
    expect(await replay(consumer, store)).toMatchObject({
      handled: 0,
      failures: [{ letter: first }, { letter: second }],
    })

    consumer.fails = () => undefined
    expect(await replay(consumer, store, { ids: [second!.id] })).toEqual({ handled: 1, failures: [] })
    expect((await listed()).map(({ id }) => id)).toEqual([first!.id])
    expect(await replay(consumer, store)).toEqual({ handled: 1, failures: [] })
    expect(await listed()).toEqual([])
    expect(consumer.seen).toEqual(['a0', 'a2', 'a3', 'a1'])
  })
})
