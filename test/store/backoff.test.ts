import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { chooseDelayMs, resolveBackoff, systemClock, waitForNextAttempt } from '../../src/store/backoff.js'
import { VirtualClock } from './scripted-store.js'

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('a delay is between zero and the base doubled for each failure, up to the cap', () => {
  const milliseconds = fc.nat({ max: 100_000 })
  fc.assert(
    fc.property(
      fc.nat({ max: 2_000 }),
      milliseconds,
      milliseconds,
      random,
      (failures, baseDelayMs, maxDelayMs, share) => {
        const delay = chooseDelayMs(failures, { baseDelayMs, maxDelayMs, random: () => share })
        const doubled = baseDelayMs === 0 ? 0 : baseDelayMs * 2 ** failures
        expect(delay).toBeGreaterThanOrEqual(0)
        expect(delay).toBeLessThanOrEqual(Math.min(maxDelayMs, doubled))
      },
    ),
  )
})

test('without a base there is no delay after any number of failures', () => {
  expect(chooseDelayMs(2_000, { baseDelayMs: 0, maxDelayMs: 100, random: () => 0.5 })).toBe(0)
})

test('a call makes at most the configured attempts and never sleeps past its deadline', async () => {
  const settings = fc.record({
    attempts: fc.integer({ min: 1, max: 20 }),
    deadlineMs: fc.nat({ max: 5_000 }),
    baseDelayMs: fc.nat({ max: 500 }),
    maxDelayMs: fc.nat({ max: 2_000 }),
  })
  await fc.assert(
    fc.asyncProperty(settings, fc.array(random, { minLength: 20, maxLength: 20 }), async (options, shares) => {
      const clock = new VirtualClock()
      let drawn = 0
      const told = resolveBackoff({ ...options, clock, random: () => shares[drawn++]! })
      const start = clock.now()
      let sent = 1
      while (await waitForNextAttempt(told, start, sent, undefined)) sent++
      expect(sent).toBeLessThanOrEqual(options.attempts)
      expect(clock.now()).toBeLessThanOrEqual(options.deadlineMs)
      // The call gave up for one of the two reasons, not earlier.
      const next = chooseDelayMs(sent - 1, { ...options, random: () => shares[sent - 1]! })
      expect(sent === options.attempts || clock.now() + next > options.deadlineMs).toBe(true)
    }),
  )
})

test.each([
  { attempts: 0 },
  { attempts: Number.NaN },
  { deadlineMs: -1 },
  { baseDelayMs: Number.NaN },
  { maxDelayMs: -5 },
])('%o is rejected', options => {
  expect(() => resolveBackoff(options)).toThrow(RangeError)
})

describe('the system clock', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('the system clock sleeps for the given time', async () => {
    let awake = false
    const sleeping = systemClock.sleep(100).then(() => {
      awake = true
    })
    await vi.advanceTimersByTimeAsync(99)
    expect(awake).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await sleeping
    expect(awake).toBe(true)
  })

  test('the system clock leaves no timer behind when aborted, and rejects with the reason', async () => {
    const controller = new AbortController()
    const sleeping = systemClock.sleep(100, controller.signal)
    expect(vi.getTimerCount()).toBe(1)
    controller.abort('enough')
    await expect(sleeping).rejects.toBe('enough')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('the system clock starts no timer if the signal is already aborted', async () => {
    await expect(systemClock.sleep(100, AbortSignal.abort('enough'))).rejects.toBe('enough')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('the system clock leaves no listener behind on a long-lived signal', async () => {
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    const sleeping = systemClock.sleep(100, signal)
    await vi.advanceTimersByTimeAsync(100)
    await sleeping
    expect(removed.mock.calls.map(call => call.slice(0, 2))).toEqual(added.mock.calls.map(call => call.slice(0, 2)))
    expect(added).toHaveBeenCalledTimes(1)
  })
})
