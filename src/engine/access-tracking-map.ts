/** The return type of a method of Map. TypeScript before 5.6 has another name for it, so it is derived. */
type MapMethodResult<Thing, Method extends 'entries' | 'values'> = ReturnType<Map<string, Thing>[Method]>

/**
 * A map that records which entries were read or written. Only callers that got a thing from here can change it, so a
 * save looks at the accessed entries and skips all others, however many there are.
 */
export class AccessTrackingMap<Thing> extends Map<string, Thing> {
  private readonly accessedNames = new Set<string>()

  /** Returns the entries that were accessed since the last call, which may have changed. */
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
