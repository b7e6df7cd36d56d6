import type { RootDatabase } from 'lmdb'
import { describeWriteFailure } from './disk-full.js'
import type { LmdbBytes } from './lmdb-bytes.js'
import { withoutLmdbOutput } from './quiet-console.js'

export interface CommitHooks {
  /** Returns whether the error means that the work was rejected before it wrote anything. */
  isRefusal(error: unknown): boolean
  /** Runs within the transaction after all work. Returns whether readers must wait for the commit. */
  beforeCommit(): boolean
  /** Runs after the transaction was rolled back. */
  afterFailure(): void
}

interface Job {
  readonly work: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

/** Settles a job's promise after the commit. */
type SettleJob = () => void

/** Executes queued writes. Waiting writes share a transaction, a commit and a flush. */
export class CommitQueue {
  private waiting: Job[] = []
  private running: Promise<void> | undefined
  private committing: Promise<void> | undefined
  /** Whether readers must wait for the current commit. */
  private isBlockingReaders = false
  private hasLastFailed = false
  /** The transaction ID of LMDB. */
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

  /** Resolves when all queued writes are done. */
  async drain(): Promise<void> {
    while (this.running) await this.running
    // LMDB closes after the flush of its last transaction, which never happens if that failed. An empty transaction
    // makes the flush happen.
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
      // A transaction that failed to begin took no jobs. They must fail too, or the loop would retry them forever.
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

  /** If the state cannot be restored from disk, the store must not continue. */
  private rollBack(): void {
    try {
      this.bytes.resetReadTransaction()
      this.hooks().afterFailure()
    } catch (error) {
      this.bytes.unusableReason ??= `${this.path}: a write failed and the folder can no longer be read (${error}); open the store again.`
    }
  }

  /** LMDB reports the cause of a failed commit in a separate promise. */
  private async toWriteError(error: unknown): Promise<unknown> {
    const { commitError } = error as { commitError?: Promise<never> }
    if (!commitError) return error
    const result = this.isWritten()
      ? 'the write was not flushed and may or may not have been stored'
      : 'nothing was written'
    const cause = await commitError.catch((reason: unknown) => reason)
    return new Error(`${this.path}: ${result}; ${describeWriteFailure(this.path, cause)}`, { cause })
  }

  /** LMDB shows a transaction to readers before it is flushed, even if the flush then fails. */
  private isWritten(): boolean {
    try {
      // The types of LMDB do not declare this member.
      const { lastTxnId } = this.database.getStats() as { lastTxnId: number }
      return lastTxnId >= this.transaction
    } catch {
      return true
    }
  }

  private runJobs(jobs: readonly Job[]): SettleJob[] {
    this.bytes.isWriting = true
    this.transaction = this.database.getWriteTxnId()
    // Work that throws may have changed any data.
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
