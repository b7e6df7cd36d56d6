/** When there is next something to do that nobody asks for. Looked at before every operation, so it is one number. */
export class Schedule {
  nextMs = Number.POSITIVE_INFINITY

  /** There will be something to do then. */
  add(ms: number): void {
    if (ms < this.nextMs) this.nextMs = ms
  }

  clear(): void {
    this.nextMs = Number.POSITIVE_INFINITY
  }
}
