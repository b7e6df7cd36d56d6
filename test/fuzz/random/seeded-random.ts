/** A pseudorandom generator that depends on the seed only (mulberry32). */
export class Chance {
  private state: number

  constructor(seed: number, stream = 0) {
    this.state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35)
    // Similar seeds begin with similar states.
    for (let i = 0; i < 4; i++) this.fraction()
  }

  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Returns a whole number from 0 (inclusive) to the bound (exclusive). */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound)
  }

  /** Returns a whole number between two inclusive bounds. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  happens(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new RangeError('there is nothing to pick from')
    return choices[this.below(choices.length)]!
  }

  /** Chooses an alternative by weight. */
  way<T>(...ways: readonly (readonly [weight: number, make: () => T])[]): T {
    let left = this.fraction() * ways.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, make] of ways) {
      left -= weight
      if (left < 0) return make()
    }
    return ways.at(-1)![1]()
  }

  /** Creates a random number of elements within inclusive bounds. */
  several<T>(least: number, most: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.between(least, most) }, (_, index) => make(index))
  }

  /** Selects each choice with the probability. */
  some<T>(choices: readonly T[], probability = 0.5): T[] {
    return choices.filter(() => this.happens(probability))
  }

  /** Shuffles the elements. */
  shuffled<T>(given: readonly T[]): T[] {
    const rest = [...given]
    return given.map(() => rest.splice(this.below(rest.length), 1)[0]!)
  }

  /** Returns an object to spread with the probability, or else an empty object. */
  maybe<T extends object>(probability: number, make: () => T): T | Record<never, never> {
    return this.happens(probability) ? make() : {}
  }
}
