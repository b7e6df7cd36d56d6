import { expect, it } from 'vitest'
import { RateLimiter } from '../../src/batch/rate-limiter.js'

const clockAt = (startMs: number) => {
  const clock = {
    nowMs: startMs,
    now: () => clock.nowMs,
    sleep: async (delayMs: number) => {
      clock.nowMs += delayMs
    },
  }
  return clock
}

it('a rate limit lets as many units a second pass as it is given', async () => {
  const clock = clockAt(500)
  const rate = new RateLimiter(10, clock)
  for (let request = 0; request < 6; request++) {
    await rate.ready()
    rate.use(25)
  }
  // The sixth request waits until the 125 units before it are within the rate.
  expect(clock.now()).toBe(500 + 12_500)
})

it('without a rate nothing waits', async () => {
  const clock = clockAt(0)
  const rate = new RateLimiter(undefined, clock)
  rate.use(1e9)
  await rate.ready()
  expect(clock.now()).toBe(0)
})
