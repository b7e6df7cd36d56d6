const HIDDEN = '[secret]'

/**
 * A value that logs, JSON and error messages show as `[secret]`. Only `value` returns it.
 *
 * @example
 * ```ts
 * import { Secret } from 'edgewise'
 *
 * const secret = new Secret('DE12')
 * console.log(`${secret}`, secret.value)
 * ```
 */
export class Secret<T> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  /** The hidden value. */
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
