/** The return type of a method of Map. TypeScript before 5.6 has another name for it, so it is derived. */
type MapMethodResult<Value, Method extends 'entries' | 'values'> = ReturnType<Map<string, Value>[Method]>

/**
 * A map that records which entries were read or written. Only callers that got a value from here can change it, so a
 * save looks at the accessed entries and skips all others, however many there are.
 */
export class AccessTrackingMap<Value> extends Map<string, Value> {
  private readonly accessedNames = new Set<string>()

  /** Returns the entries that were accessed since the last call, which may have changed. */
  takeAccessed(): [name: string, value: Value][] {
    const accessed = Array.from(this.accessedNames, (name): [string, Value] => [name, super.get(name)!])
    this.accessedNames.clear()
    return accessed
  }

  override get(name: string): Value | undefined {
    const value = super.get(name)
    if (value !== undefined) this.accessedNames.add(name)
    return value
  }

  override set(name: string, value: Value): this {
    this.accessedNames.add(name)
    return super.set(name, value)
  }

  override delete(name: string): boolean {
    this.accessedNames.delete(name)
    return super.delete(name)
  }

  override clear(): void {
    this.accessedNames.clear()
    super.clear()
  }

  override values(): MapMethodResult<Value, 'values'> {
    this.markAllAccessed()
    return super.values()
  }

  override entries(): MapMethodResult<Value, 'entries'> {
    this.markAllAccessed()
    return super.entries()
  }

  override [Symbol.iterator](): MapMethodResult<Value, 'entries'> {
    return this.entries()
  }

  override forEach(visit: (value: Value, name: string, all: Map<string, Value>) => void): void {
    this.markAllAccessed()
    super.forEach(visit)
  }

  private markAllAccessed(): void {
    for (const name of this.keys()) this.accessedNames.add(name)
  }
}
