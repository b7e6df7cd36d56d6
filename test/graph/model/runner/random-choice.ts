/** Random choices that follow from a seed. */
export class Choice {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  draw(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A non-negative integer less than `count`. */
  below(count: number): number {
    return Math.floor(this.draw() * count)
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!
  }

  chance(rate: number): boolean {
    return this.draw() < rate
  }

  /** Some of them, in their order. */
  some<T>(choices: readonly T[], rate = 0.5): T[] {
    return choices.filter(() => this.chance(rate))
  }
}
