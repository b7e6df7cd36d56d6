import { type Attribute, createTypedAttribute } from '../attribute.js'

/** ISO 8601 in UTC, of the years 0000 to 9999; others leave out the milliseconds, or the time, where they are zero. */
const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{3})?Z)?$/

/** A moment, to the millisecond, stored as ISO 8601 in UTC, which sorts by time. */
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
      // A day that the month does not have is taken for one of the next.
      return ISO.test(text) && parsed.getUTCDate() === Number(text.slice(8, 10)) ? parsed : undefined
    },
    undefined,
    'value.date',
  )
}
