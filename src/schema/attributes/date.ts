import { type Attribute, createTypedAttribute } from '../attribute.js'

/** ISO 8601 in UTC, years 0000 to 9999. Other writers may omit zero milliseconds or a zero time. */
const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{3})?Z)?$/

/**
 * Declares a moment to the millisecond, read and written as a `Date`. It is stored as ISO 8601 in UTC, which sorts by
 * time.
 *
 * @example
 * ```ts
 * import { date, node, string } from 'edgewise'
 *
 * const session = node('session', { token: string(), expiresAt: date() }, { id: 'token', expires: 'expiresAt' })
 * ```
 */
export function date(): Attribute<Date> {
  return createTypedAttribute(
    'date',
    'S',
    'a Date of the years 0000 to 9999',
    value => {
      const iso = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : ''
      return ISO.test(iso) ? { S: iso } : undefined
    },
    text => {
      const parsed = new Date(text)
      // JavaScript parses February 30 as March 2, so the day of the month is compared.
      return ISO.test(text) && parsed.getUTCDate() === Number(text.slice(8, 10)) ? parsed : undefined
    },
    undefined,
    'value.date',
  )
}
