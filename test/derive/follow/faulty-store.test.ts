import { expect, it } from 'vitest'
import { startFollower } from '../../../src/derive/follow/start-follower.js'
import { faulty } from '../../../src/store/faulty.js'
import { noting, scene } from './follower-fixture.js'

it('a follower on a faulty store handles every record', async () => {
  for (const seed of [1, 2, 3]) {
    const { store, time, write } = await scene({ shards: 2 })
    const shaky = faulty(store, { seed, rates: { throttled: 0.1, lost: 0.1, unsent: 0.1, failed: 0.1 } })
    const names = Array.from({ length: 40 }, (_, number) => `item ${number}`)
    await write(...names)
    const consumer = noting()
    const starting = startFollower(consumer, shaky, {
      create: true,
      clock: time.clock,
      sleep: time.sleep,
      listener: () => {},
    })
    await time.until(starting)
    const follower = await starting
    await time.until(follower.settled())
    await time.until(follower.stop())
    expect(new Set(consumer.seen)).toEqual(new Set(names))
    expect(shaky.faults.length).toBeGreaterThan(0)
  }
})
