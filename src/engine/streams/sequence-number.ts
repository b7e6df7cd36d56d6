/** The service's numbers have 21 digits and more; with one length for all, their order is that of their texts. */
const DIGITS = 20

export function formatSequence(sequence: number): string {
  return `1${String(sequence).padStart(DIGITS, '0')}`
}

/** The sequence of a number that may be one of ours. */
export function parseSequence(text: string): number | undefined {
  const [, digits] = /^\+?1(\d{20})$/.exec(text) ?? []
  if (digits === undefined) return undefined
  const sequence = Number(digits)
  return Number.isSafeInteger(sequence) ? sequence : undefined
}

const PER_MS = 1000

/**
 * Sequences grow with time, so that those of a stream that is enabled again follow those of the one before, and within a
 * thousandth of a second, or while the clock stands or goes back, one by one.
 */
export function nextSequenceAfter(last: number, nowMs: number): number {
  return Math.max(last + 1, Math.floor(nowMs) * PER_MS)
}
