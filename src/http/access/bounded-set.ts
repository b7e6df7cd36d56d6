/** A set that stops growing at its limit, so that a client cannot fill the memory with new values. */
export class BoundedSet {
  private readonly values = new Set<string>()

  constructor(private readonly limit: number) {}

  has(value: string): boolean {
    return this.values.has(value)
  }

  add(value: string): void {
    if (this.values.size < this.limit) this.values.add(value)
  }
}
