/** Serializes work under the same key. Work under different keys runs concurrently. */
export class KeyedMutex {
  private readonly tails = new Map<string, Promise<unknown>>()

  async runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.tails.get(key)
    const current = previous ? previous.then(work, work) : work()
    this.tails.set(key, current)
    try {
      return await current
    } finally {
      if (this.tails.get(key) === current) this.tails.delete(key)
    }
  }
}
