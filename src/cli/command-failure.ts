import { getSystemErrorName } from 'node:util'
import { STOP_EXIT_CODES, type StopSignalError } from './terminal/stop-signal.js'

/** A failure of a command, with a message for its user. */
export class CommandFailure extends Error {}

/** Incorrect usage of a command. */
export class UsageFailure extends CommandFailure {}

/** A command stopped by a signal; it exits like a process that the signal ended. */
export class InterruptedFailure extends CommandFailure {
  readonly exitCode: number

  constructor(message: string, { signal }: StopSignalError) {
    super(message)
    this.exitCode = STOP_EXIT_CODES[signal]
  }
}

/** Adds the place of an error to its message, which already states the problem and advice. */
export const toPlacedFailure = (place: string, message: string): CommandFailure =>
  new CommandFailure(`${place}: ${message}`)

/** Describes a full disk, on which the same command can continue later. */
const toFullDiskFailure = ({ message }: Error): CommandFailure =>
  new CommandFailure(`disk: the disk is full (${message}); free some space and run the same command again.`)

/** Describes standard output that does not accept the text of a command. */
export const toOutputFailure = ({ message }: Error): CommandFailure =>
  new CommandFailure(`standard output: the text cannot be written (${message}); check the file and its disk.`)

/** Returns the message for the user, or undefined for an unexpected error. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof CommandFailure) return error.message
  // The error may come from a second copy of the package.
  if (error instanceof Error && error.name === 'GraphError')
    return `${error.message} (${(error as { code?: string }).code})`
  if (error instanceof Error && isDiskFull(error)) return toFullDiskFailure(error).message
  return undefined
}

const DISK_FULL_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

/** Finds the system error of a file, or of a disk store, whose error has LMDB's error with the errno as its cause. */
function isDiskFull({ code, cause }: NodeJS.ErrnoException): boolean {
  const number = (cause as { code?: unknown } | undefined)?.code
  return (
    DISK_FULL_CODES.has(code) ||
    (typeof number === 'number' && number > 0 && DISK_FULL_CODES.has(getSystemErrorName(-number)))
  )
}
