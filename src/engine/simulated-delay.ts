import { assertKnownOptions } from '../store/check-options.js'
import { drawRandom } from './seeded-random.js'

/** A duration in milliseconds: constant, or up to `jitterMs` longer as chosen by `seed`. */
export type Delay = number | { readonly ms: number; readonly jitterMs?: number | undefined }

/** A parsed delay. */
export class SimulatedDelay {
  readonly maxMs: number

  constructor(
    private readonly ms: number,
    private readonly jitterMs: number,
    private readonly seed: number,
  ) {
    this.maxMs = ms + jitterMs
  }

  /** Returns the duration, which is always the same for the same labels. */
  msOf(...labels: readonly (string | number)[]): number {
    return this.jitterMs === 0 ? this.ms : this.ms + Math.floor(drawRandom(this.seed, ...labels) * (this.jitterMs + 1))
  }
}

export function parseDelay(name: string, delay: Delay | undefined, seed: number): SimulatedDelay | undefined {
  if (delay === undefined) return undefined
  if (typeof delay === 'object') assertKnownOptions(name, delay, 'ms, jitterMs')
  const { ms, jitterMs = 0 } = typeof delay === 'number' ? { ms: delay } : delay
  if (isDuration(ms) && isDuration(jitterMs)) return new SimulatedDelay(ms, jitterMs, seed)
  throw new RangeError(`${name}: ${JSON.stringify(delay)} is not a delay; use whole milliseconds from 0.`)
}

const isDuration = (ms: number) => Number.isInteger(ms) && ms >= 0
