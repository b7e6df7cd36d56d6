import type { RootDatabase } from 'lmdb'
import { describeWriteFailure } from './disk-full.js'
import type { LmdbBytes } from './lmdb-bytes.js'
import { withoutLmdbOutput } from './quiet-console.js'

export interface CommitHooks {
  /** Whether work that threw this wrote nothing before. */
  isRefusal(error: unknown): boolean
  /** Within the transaction, after the work of all. Answers whether readers have to wait for it. */
  beforeCommit(): boolean
  /** Nothing of the transaction is there. */
  afterFailure(): void
}

interface Job {
  readonly work: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

/** How a job ended, to be told once that is committed. */
type SettleJob = () => void

/** Writes that wait for one another share a transaction, a commit and a flush. */
export class CommitQueue {
  private waiting: Job[] = []
  private running: Promise<void> | undefined
  private committing: Promise<void> | undefined
  /** Whether readers have to wait for what is being committed. */
  private isBlockingReaders = false
  private hasLastFailed = false
  /** By LMDB's count. */
  private transaction = 0

  constructor(
    private readonly database: RootDatabase<Buffer, string>,
    private readonly bytes: LmdbBytes,
    private readonly path: string,
    private readonly hooks: () => CommitHooks,
  ) {}

  write<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ work, resolve, reject })
      this.running ??= this.run()
    })
  }

  pendingCommit(): Promise<void> | undefined {
    return this.isBlockingReaders ? this.committing : undefined
  }

  /** Resolves when all that was asked for is done. */
  async drain(): Promise<void> {
    while (this.running) await this.running
    // LMDB closes after the flush of what it began last, which never comes where that failed; of nothing it does.
    if (this.hasLastFailed && this.bytes.isAlive()) await this.database.childTransaction(() => {}).catch(() => {})
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      this.committing = this.commitWaiting()
      await this.committing
    }
    this.running = undefined
  }

  private async commitWaiting(): Promise<void> {
    let jobs: readonly Job[] = []
    let outcomes: readonly SettleJob[] = []
    try {
      this.bytes.checkOpen()
      this.bytes.resetReadTransaction()
      this.bytes.checkAlive()
      await withoutLmdbOutput(() =>
        this.database.childTransaction(() => {
          jobs = this.takeWaiting()
          outcomes = this.runJobs(jobs)
        }),
      )
    } catch (error) {
      this.hasLastFailed = true
      // One that was not begun has taken none; tried again and again, it would let nothing else run.
      if (jobs.length === 0) jobs = this.takeWaiting()
      this.rollBack()
      this.isBlockingReaders = false
      const failure = await withoutLmdbOutput(() => this.toWriteError(error))
      for (const { reject } of jobs) reject(failure)
      return
    }
    this.isBlockingReaders = false
    this.hasLastFailed = false
    for (const settle of outcomes) settle()
  }

  private takeWaiting(): readonly Job[] {
    const jobs = this.waiting
    this.waiting = []
    return jobs
  }

  /** What cannot go back to what is on disk must not go on. */
  private rollBack(): void {
    try {
      this.bytes.resetReadTransaction()
      this.hooks().afterFailure()
    } catch (error) {
      this.bytes.unusableReason ??= `a write failed, and what is on disk cannot be read by this process any more: ${error}`
    }
  }

  /** LMDB tells why a commit failed apart from the failure. */
  private async toWriteError(error: unknown): Promise<unknown> {
    const { commitError } = error as { commitError?: Promise<never> }
    if (!commitError) return error
    const what = this.isWritten()
      ? 'what was written could not be flushed, and may be there or not'
      : 'nothing was written'
    const cause = await commitError.catch((reason: unknown) => reason)
    return new Error(`${what}: ${describeWriteFailure(this.path, cause)}`, { cause })
  }

  /** LMDB lets readers see a transaction before it is flushed, also where that then fails. */
  private isWritten(): boolean {
    try {
      // Its types leave out what it tells.
      const { lastTxnId } = this.database.getStats() as { lastTxnId: number }
      return lastTxnId >= this.transaction
    } catch {
      return true
    }
  }

  private runJobs(jobs: readonly Job[]): SettleJob[] {
    this.bytes.isWriting = true
    this.transaction = this.database.getWriteTxnId()
    // Work that throws may have changed anything.
    this.isBlockingReaders = true
    try {
      const outcomes = jobs.map(job => this.runJob(job))
      this.isBlockingReaders = this.hooks().beforeCommit()
      return outcomes
    } finally {
      this.bytes.isWriting = false
    }
  }

  private runJob({ work, resolve, reject }: Job): SettleJob {
    try {
      const result = work()
      return () => resolve(result as never)
    } catch (error) {
      if (!this.hooks().isRefusal(error)) throw error
      return () => reject(error)
    }
  }
}
