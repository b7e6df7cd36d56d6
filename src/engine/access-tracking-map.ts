/** What a Map answers with, which compilers before TypeScript 5.6 know by another name. */
type MapMethodResult<Thing, Method extends 'entries' | 'values'> = ReturnType<Map<string, Thing>[Method]>

/**
 * Things by name, which are changed only by whoever was just given them here. So what was given out since the last look
 * is all that can have changed, and nobody has to look at the rest, however many there are.
 */
export class AccessTrackingMap<Thing> extends Map<string, Thing> {
  private readonly accessedNames = new Set<string>()

  /** Those that may be others than at the last look. */
  takeAccessed(): [name: string, thing: Thing][] {
    const accessed = Array.from(this.accessedNames, (name): [string, Thing] => [name, super.get(name)!])
    this.accessedNames.clear()
    return accessed
  }

  override get(name: string): Thing | undefined {
    const thing = super.get(name)
    if (thing !== undefined) this.accessedNames.add(name)
    return thing
  }

  override set(name: string, thing: Thing): this {
    this.accessedNames.add(name)
    return super.set(name, thing)
  }

  override delete(name: string): boolean {
    this.accessedNames.delete(name)
    return super.delete(name)
  }

  override clear(): void {
    this.accessedNames.clear()
    super.clear()
  }

  override values(): MapMethodResult<Thing, 'values'> {
    this.markAllAccessed()
    return super.values()
  }

  override entries(): MapMethodResult<Thing, 'entries'> {
    this.markAllAccessed()
    return super.entries()
  }

  override [Symbol.iterator](): MapMethodResult<Thing, 'entries'> {
    return this.entries()
  }

  override forEach(visit: (thing: Thing, name: string, all: Map<string, Thing>) => void): void {
    this.markAllAccessed()
    super.forEach(visit)
  }

  private markAllAccessed(): void {
    for (const name of this.keys()) this.accessedNames.add(name)
  }
}
