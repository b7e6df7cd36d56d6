import { expect, it } from 'vitest'
import type { Gap } from '../../../src/derive/follow/gap.js'
import { engineHooksOf } from '../../../src/engine/hooks.js'
import { noting, scene } from './follower-fixture.js'

const BOUND = { retainedBytes: 32 * 1024 }
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix} ${i}`)

it.each([true, false])(
  'a follower that falls behind bounded records reports one gap (on an embedded store: %s)',
  async inProcess => {
    const made = await scene(BOUND)
    const { time, store, write, follow } = made
    const gaps: Gap[] = []
    const consumer = noting()
    const options = { onGap: (gap: Gap) => gaps.push(gap), heal: async () => undefined, pollMs: 1000 }
    const follower = await follow(consumer, options, inProcess ? engineHooksOf(store) : undefined)
    await write('first')
    await time.until(follower.settled())
    expect(gaps).toEqual([])
    await write(...names('lost', 500))
    await time.pass(60_000)
    await time.until(follower.settled())
    expect(gaps.map(({ reason }) => reason)).toEqual(['trimmed'])
    expect(consumer.seen).not.toContain('lost 0')
    expect(consumer.seen.at(-1)).toBe('lost 499')
    await write('next')
    await time.pass(60_000)
    await time.until(follower.settled())
    expect(gaps).toHaveLength(1)
    expect(consumer.seen.at(-1)).toBe('next')
    await follower.stop()
  },
)

it('a follower that keeps up with bounded records reports no gap', async () => {
  const { time, store, write, follow } = await scene(BOUND)
  const gaps: Gap[] = []
  const consumer = noting()
  const follower = await follow(consumer, { onGap: gap => gaps.push(gap), pollMs: 1000 }, engineHooksOf(store))
  for (let i = 0; i < 20; i++) {
    await write(...names(`round ${i},`, 20))
    await time.pass(5000)
  }
  await time.until(follower.settled())
  expect(consumer.seen).toHaveLength(400)
  expect(gaps).toEqual([])
  await follower.stop()
})
