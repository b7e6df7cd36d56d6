const DAY_MS = 24 * 3600 * 1000

/** Returns whether two times are on the same day in UTC. */
export function isSameDay(ms: number, otherMs: number): boolean {
  return dayOf(ms) === dayOf(otherMs)
}

export function nextMidnightMs(ms: number): number {
  return (dayOf(ms) + 1) * DAY_MS
}

const dayOf = (ms: number) => Math.floor(ms / DAY_MS)
