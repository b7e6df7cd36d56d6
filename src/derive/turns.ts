/** Work under one name is done one after the other, work under several at once. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>()

  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(name)
    const done = before ? before.then(work, work) : work()
    this.last.set(name, done)
    try {
      return await done
    } finally {
      if (this.last.get(name) === done) this.last.delete(name)
    }
  }
}
