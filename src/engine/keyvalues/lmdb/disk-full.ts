import { statfsSync } from 'node:fs'

/** A failed write is attributed to a full disk when less than this is free. */
const FULL_BYTES = 2 ** 20

/**
 * Describes a failed write by its cause. LMDB reports a full disk as an I/O error, because the system writes only a
 * part of the data.
 */
export function describeWriteFailure(path: string, cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  return isDiskFull(path)
    ? `the disk is full (${message}), so free some space and write again.`
    : `the write failed (${message}), so check the disk and write again.`
}

/** Returns whether a disk is full, or false if the system cannot say. */
export function isDiskFull(path: string): boolean {
  try {
    const { blocks, bavail, bsize } = statfsSync(path)
    return blocks > 0 && bavail * bsize < FULL_BYTES
  } catch {
    return false
  }
}
