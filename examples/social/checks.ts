import type { Attribute } from 'edgewise'

/** A Standard Schema validator. Validators of zod, valibot or arktype work as well. */
type Check = Parameters<Attribute<string>['check']>[0]

const check = (holds: (text: string) => boolean, what: string): Check => ({
  '~standard': {
    version: 1,
    vendor: 'social',
    validate: value =>
      typeof value === 'string' && holds(value) ? { value } : { issues: [{ message: `give ${what}` }] },
  },
})

export const matching = (pattern: RegExp, what: string) => check(text => pattern.test(text), what)

export const lettersUpTo = (max: number) =>
  check(text => text.trim() !== '' && [...text].length <= max, `1 to ${max} letters`)
