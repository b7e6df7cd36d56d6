const HIDDEN = '[secret]'

/** A value that is shown nowhere unless it is asked for: not in a log, not in JSON, not in a message. */
export class Secret<T> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  /** What it is. */
  get value(): T {
    return this.#value
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return HIDDEN
  }
}
