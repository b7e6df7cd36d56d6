import { statfsSync } from 'node:fs'

/** Where less is free, a write that failed is taken to have failed for want of room. */
const FULL_BYTES = 2 ** 20

/**
 * What LMDB says of a failed write, in the words of what caused it. LMDB reports a full disk as an input or output error:
 * the system writes a part, and then no more.
 */
export function describeWriteFailure(path: string, cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  return isDiskFull(path)
    ? `the disk that holds ${path} is full (${message}); free some space and write again`
    : message
}

/** Whether a disk has no room; not where the system does not tell. */
export function isDiskFull(path: string): boolean {
  try {
    const { blocks, bavail, bsize } = statfsSync(path)
    return blocks > 0 && bavail * bsize < FULL_BYTES
  } catch {
    return false
  }
}
