const ROUNDS = 5

/** A piece of work that is repeated: `index` counts the repetitions. */
export type Work = (index: number) => unknown

/** Returns the nanoseconds of one repetition. Repetitions are awaited one by one. */
export async function nanoseconds(work: Work, repetitions: number): Promise<number> {
  const start = process.hrtime.bigint()
  for (let index = 0; index < repetitions; index++) {
    const result = work(index)
    // The await also runs a lazy call.
    if (isThenable(result)) await result
  }
  return Number(process.hrtime.bigint() - start) / repetitions
}

function isThenable(result: unknown): boolean {
  return typeof (result as { then?: unknown } | undefined)?.then === 'function'
}

export function median(figures: readonly number[]): number {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)]!
}

export interface Comparison {
  /** Medians of the rounds. */
  readonly subject: number
  readonly floor: number
  readonly ratio: number
}

/** Measures work and a floor in alternating rounds, so that both have the same noise. Returns the median ratio. */
export async function compare(subject: Work, floor: Work, repetitions: number): Promise<Comparison> {
  await nanoseconds(subject, repetitions)
  await nanoseconds(floor, repetitions)
  const rounds: { subject: number; floor: number }[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ subject: await nanoseconds(subject, repetitions), floor: await nanoseconds(floor, repetitions) })
  return {
    subject: median(rounds.map(round => round.subject)),
    floor: median(rounds.map(round => round.floor)),
    ratio: median(rounds.map(round => round.subject / round.floor)),
  }
}

/** Returns the repetitions per second with the given concurrency. */
export async function perSecond(work: Work, inFlight: number, roundMs: number): Promise<number> {
  const start = performance.now()
  let done = 0
  const worker = async () => {
    while (performance.now() - start < roundMs) {
      await work(done)
      done++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  return (done * 1000) / (performance.now() - start)
}

/** Returns the bytes on and outside the heap after a garbage collection. */
export function usedBytes(): number {
  if (!globalThis.gc) throw new Error('run node with --expose-gc')
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Returns pseudorandom numbers that are equal in every run. */
export function sequence(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
