import { isTransient } from '../follow/transient-errors.js'

/**
 * Collects permanent errors, so that the remaining work runs before the first of them is thrown. Transient errors are
 * thrown at once.
 */
export class PermanentErrors {
  private readonly errors: unknown[] = []

  async collectFrom(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      if (isTransient(error)) throw error
      this.errors.push(error)
    }
  }

  throwFirst(): void {
    for (const error of this.errors) throw error
  }
}
