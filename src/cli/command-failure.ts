import { getSystemErrorName } from 'node:util'
import { STOP_EXIT_CODES, type StopSignalError } from './terminal/stop-signal.js'

/** What a command could not do, in words for whoever ran it. */
export class CommandFailure extends Error {}

/** What cannot be asked of a command. */
export class UsageFailure extends CommandFailure {}

/** A command that a signal stopped; it exits as a process that the signal ended. */
export class InterruptedFailure extends CommandFailure {
  readonly exitCode: number

  constructor(message: string, { signal }: StopSignalError) {
    super(message)
    this.exitCode = STOP_EXIT_CODES[signal]
  }
}

/** What to tell whoever ran it; undefined where nobody foresaw the error. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof CommandFailure) return error.message
  // It may come from another copy of the package than this one.
  if (error instanceof Error && error.name === 'GraphError')
    return `${error.message} (${(error as { code?: string }).code})`
  if (error instanceof Error && isDiskFull(error))
    return `the disk is full; free some space and run the same command again (${error.message})`
  return undefined
}

const DISK_FULL_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

/** Of a file, or of a store on disk, whose error has that of LMDB as its cause, with the number that the system gave. */
function isDiskFull({ code, cause }: NodeJS.ErrnoException): boolean {
  const number = (cause as { code?: unknown } | undefined)?.code
  return (
    DISK_FULL_CODES.has(code) ||
    (typeof number === 'number' && number > 0 && DISK_FULL_CODES.has(getSystemErrorName(-number)))
  )
}
