import type { AbortSignalLike } from './abort-signal.js'
/** The time source and the delay function, which tests can replace. */
export interface Clock {
  /** Returns monotonic milliseconds. */
  now(): number
  /** Waits for the given milliseconds. Rejects with the signal's reason on abort and clears its timer. */
  sleep(delayMs: number, signal?: AbortSignalLike): Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const abort = () => {
        clearTimeout(timer)
        reject(signal!.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }, delayMs)
      signal?.addEventListener('abort', abort, { once: true })
    }),
}

/** How often, for how long and with which delays a request is retried. */
export interface BackoffOptions {
  /** The maximum number of consecutive attempts without progress, including the first. The default is 10. */
  readonly attempts?: number | undefined
  /** The latest start of an attempt, in milliseconds after the call. The default is 30,000. */
  readonly deadlineMs?: number | undefined
  /** The maximum first delay in milliseconds; the maximum doubles with each retry. The default is 25. */
  readonly baseDelayMs?: number | undefined
  /** The maximum of any delay in milliseconds. The default is 2,000. */
  readonly maxDelayMs?: number | undefined
  readonly clock?: Clock | undefined
  /** A number in [0, 1). */
  readonly random?: (() => number) | undefined
}

export interface BackoffSettings {
  readonly attempts: number
  readonly deadlineMs: number
  readonly baseDelayMs: number
  readonly maxDelayMs: number
  readonly clock: Clock
  readonly random: () => number
}

export function resolveBackoff(options: BackoffOptions = {}): BackoffSettings {
  const { attempts = 10, deadlineMs = 30_000, baseDelayMs = 25, maxDelayMs = 2_000 } = options
  const { clock = systemClock, random = Math.random } = options
  const numbers = { attempts, deadlineMs, baseDelayMs, maxDelayMs }
  for (const [name, value] of Object.entries(numbers)) {
    const minimum = name === 'attempts' ? 1 : 0
    if (!(value >= minimum)) throw new RangeError(`${name}: ${value} is out of range; give a number from ${minimum}.`)
  }
  return { ...numbers, clock, random }
}

/** A larger exponent gives Infinity, and Infinity times a base of 0 is NaN. */
const DOUBLINGS_MAX = 64

/**
 * Chooses a delay with full jitter: a random time between zero and a cap that doubles with each failure. Full jitter
 * spreads out callers that failed at the same moment best.
 */
export function chooseDelayMs(
  failures: number,
  settings: Pick<BackoffSettings, 'baseDelayMs' | 'maxDelayMs' | 'random'>,
) {
  return (
    settings.random() * Math.min(settings.maxDelayMs, settings.baseDelayMs * 2 ** Math.min(failures, DOUBLINGS_MAX))
  )
}

/**
 * Waits before the next attempt of a call that started at `start`. Resolves to false without waiting when the limits
 * allow no further attempt.
 */
export async function waitForNextAttempt(
  settings: BackoffSettings,
  startMs: number,
  failures: number,
  signal: AbortSignalLike | undefined,
): Promise<boolean> {
  const { attempts, clock, deadlineMs } = settings
  if (failures >= attempts) return false
  const delay = chooseDelayMs(failures - 1, settings)
  if (clock.now() + delay > startMs + deadlineMs) return false
  await clock.sleep(delay, signal)
  return true
}
