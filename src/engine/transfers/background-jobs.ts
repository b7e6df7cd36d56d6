import type { AbortSignalLike } from '../../store/abort-signal.js'

/** Work that continues after the response of its call. */
export class BackgroundJobs {
  private readonly running = new Set<Promise<void>>()
  private readonly abort = new AbortController()

  /** The job checks the signal between its steps, and reports its own failures. */
  start(job: (signal: AbortSignalLike) => Promise<void>): void {
    const run = job(this.abort.signal).finally(() => this.running.delete(run))
    this.running.add(run)
    // A job that was stopped by `stop` rejects with the reason of the signal.
    run.catch(() => {})
  }

  /** Ends all jobs, each at its next step. */
  async stop(): Promise<void> {
    this.abort.abort()
    await Promise.allSettled(this.running)
  }
}
