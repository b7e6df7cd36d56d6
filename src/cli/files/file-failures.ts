import { CommandFailure } from '../command-failure.js'

/** Describes why a file cannot be read. */
export function toReadFailure(path: string, { code, message }: NodeJS.ErrnoException): CommandFailure {
  if (code === 'ENOENT') return new CommandFailure(`${path}: the file does not exist; check the path.`)
  if (code === 'EISDIR') return new CommandFailure(`${path}: this is a folder; name a file.`)
  return new CommandFailure(`${path}: the file cannot be read (${message}); check the path and its permissions.`)
}

/** Describes why a file cannot be written; the advice names the option that selects another file. */
export const toWriteFailure = (path: string, { code }: NodeJS.ErrnoException, advice: string): CommandFailure =>
  new CommandFailure(`${path}: the file cannot be written (${code}); ${advice}.`)

/** Describes why a folder for files cannot be created or written. */
export const toFolderFailure = (folder: string, { message }: Error): CommandFailure =>
  new CommandFailure(`${folder}: the folder cannot be written (${message}); give another folder.`)

/** Describes a file that has lost data since its checkpoint was saved. */
export const toTruncatedFailure = (path: string, advice: string): CommandFailure =>
  new CommandFailure(`${path}: the file is shorter than its checkpoint states; ${advice}.`)

/** Describes a checkpoint that a run with other parameters saved. */
export const toForeignCheckpointFailure = (path: string, advice: string): CommandFailure =>
  new CommandFailure(`${path}: the checkpoint belongs to another interrupted run; ${advice}.`)

/** The advice for a checkpoint file that a command cannot use. */
export const OTHER_CHECKPOINT = 'give another file with --checkpoint'
