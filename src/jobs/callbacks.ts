import { told } from '../graph/told.js'
import type { AbortSignalLike } from '../store/abort-signal.js'

/** What a callback threw, until the job has ended. */
class Thrown extends Error {
  constructor(readonly error: unknown) {
    super()
  }
}

/** Calls back, and waits for it. What it throws ends the job. */
export async function calledBack(call: () => unknown): Promise<void> {
  try {
    await call()
  } catch (error) {
    throw new Thrown(error)
  }
}

/** The work of a job, which fails as a call does; what a callback threw is told as it is, whatever it is called. */
export async function toldOfJob<T>(work: Promise<T>, signal?: AbortSignalLike): Promise<T> {
  try {
    return await told(work, signal)
  } catch (error) {
    throw error instanceof Thrown ? error.error : error
  }
}
