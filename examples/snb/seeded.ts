/** Numbers that are random and, for one seed, always the same. */
export class Seeded {
  constructor(private state: number) {}

  /** A number from 0 to 1, without 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from `min` to `max`. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(from: readonly T[]): T {
    return from[this.integer(0, from.length - 1)]!
  }

  /** Distinct members, at most `count`. */
  some<T>(from: readonly T[], count: number): T[] {
    const picked = new Set<T>()
    for (let tries = 0; picked.size < Math.min(count, from.length) && tries < 10 * count; tries++)
      picked.add(this.pick(from))
    return [...picked]
  }
}
