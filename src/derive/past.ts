import { isPassing } from './follow/passing.js'

/** Goes on past what fails by a fault of its own, and tells of the first such at the end. Whatever may pass ends it at once. */
export class Past {
  private readonly errors: unknown[] = []

  async do(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      if (isPassing(error)) throw error
      this.errors.push(error)
    }
  }

  tell(): void {
    for (const error of this.errors) throw error
  }
}
