import type { AbortSignalLike } from './abort-signal.js'
/** The time and waiting, which tests can stand in for. */
export interface Clock {
  /** Milliseconds that only grow. */
  now(): number
  /** Waits; rejects with the signal's reason as soon as it is aborted, leaving no timer behind. */
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

/** How often, how long and with which delays something is tried again. */
export interface BackoffOptions {
  /** How often a request is sent in a row without any progress, the first time included. 10 unless told otherwise. */
  readonly attempts?: number | undefined
  /** How long after the call the last attempt may start. 30,000 unless told otherwise. */
  readonly deadlineMs?: number | undefined
  /** The longest that the first delay may be; each one after may be twice as long. 25 unless told otherwise. */
  readonly baseDelayMs?: number | undefined
  /** The longest that any delay may be. 2,000 unless told otherwise. */
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
    if (!(value >= minimum)) throw new RangeError(`${name} must be at least ${minimum}, not ${value}`)
  }
  return { ...numbers, clock, random }
}

/** More would soon be infinite, and no number when the base is 0. */
const DOUBLINGS_MAX = 64

/**
 * Full jitter: anything from none at all to the cap, which doubles with each failure. Callers that failed together
 * spread out the most that way.
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
 * Waits after so many failures in a row of a call that began at `start`, by the clock; false, at once, when there is to
 * be no further attempt.
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
