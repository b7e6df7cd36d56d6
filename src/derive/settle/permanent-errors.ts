import { isTransient } from '../follow/transient-errors.js'

/** Goes on past what fails by a fault of its own, and tells of the first such at the end. Whatever may pass ends it at once. */
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
