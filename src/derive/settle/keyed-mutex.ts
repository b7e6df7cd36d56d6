/** Work under one name is done one after the other, work under several at once. */
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
