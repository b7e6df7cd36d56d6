import type { StandardResult, StandardSchema } from '../../src/schema/standard-schema.js'

/** A Standard Schema validator like those of zod, valibot and arktype. */
export function validator<T>(
  validate: (value: unknown) => StandardResult<T> | Promise<StandardResult<T>>,
): StandardSchema<T> {
  return { '~standard': { version: 1, vendor: 'test', validate } }
}

export const shortText = validator<string>(value =>
  typeof value === 'string' && value.length < 5
    ? { value: value.trim() }
    : { issues: [{ message: 'too long', path: ['a', { key: 0 }] }] },
)
