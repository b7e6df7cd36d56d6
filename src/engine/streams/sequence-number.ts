/** The service's numbers have 21 digits or more. With a fixed length, their order as text is their numeric order. */
const DIGITS = 20

export function formatSequence(sequence: number): string {
  return `1${String(sequence).padStart(DIGITS, '0')}`
}

/** Parses a sequence number, or returns undefined if it cannot be one of this engine. */
export function parseSequence(text: string): number | undefined {
  const [, digits] = /^\+?1(\d{20})$/.exec(text) ?? []
  if (digits === undefined) return undefined
  const sequence = Number(digits)
  return Number.isSafeInteger(sequence) ? sequence : undefined
}

const PER_MS = 1000

/**
 * Returns the next sequence number. Numbers grow with time, so that those of a stream that is enabled again follow
 * those of the previous one. Within a millisecond, or while the clock stands still or is set back, they increase by
 * one.
 */
export function nextSequenceAfter(last: number, nowMs: number): number {
  return Math.max(last + 1, Math.floor(nowMs) * PER_MS)
}
