/** What a Map answers with, which compilers before TypeScript 5.6 know by another name. */
type Iterated<Thing, Method extends 'entries' | 'values'> = ReturnType<Map<string, Thing>[Method]>

/**
 * Things by name, which are changed only by whoever was just given them here. So what was given out since the last look
 * is all that can have changed, and nobody has to look at the rest, however many there are.
 */
export class Register<Thing> extends Map<string, Thing> {
  private readonly given = new Set<string>()

  /** Those that may be others than at the last look. */
  takeGiven(): [name: string, thing: Thing][] {
    const given = Array.from(this.given, (name): [string, Thing] => [name, super.get(name)!])
    this.given.clear()
    return given
  }

  override get(name: string): Thing | undefined {
    const thing = super.get(name)
    if (thing !== undefined) this.given.add(name)
    return thing
  }

  override set(name: string, thing: Thing): this {
    this.given.add(name)
    return super.set(name, thing)
  }

  override delete(name: string): boolean {
    this.given.delete(name)
    return super.delete(name)
  }

  override clear(): void {
    this.given.clear()
    super.clear()
  }

  override values(): Iterated<Thing, 'values'> {
    this.giveAll()
    return super.values()
  }

  override entries(): Iterated<Thing, 'entries'> {
    this.giveAll()
    return super.entries()
  }

  override [Symbol.iterator](): Iterated<Thing, 'entries'> {
    return this.entries()
  }

  override forEach(visit: (thing: Thing, name: string, all: Map<string, Thing>) => void): void {
    this.giveAll()
    super.forEach(visit)
  }

  private giveAll(): void {
    for (const name of this.keys()) this.given.add(name)
  }
}
