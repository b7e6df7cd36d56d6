/** The time of the next background work. It is a single number, because every operation checks it. */
export class Schedule {
  nextMs = Number.POSITIVE_INFINITY

  /** Schedules work for this time. */
  add(ms: number): void {
    if (ms < this.nextMs) this.nextMs = ms
  }

  clear(): void {
    this.nextMs = Number.POSITIVE_INFINITY
  }
}
