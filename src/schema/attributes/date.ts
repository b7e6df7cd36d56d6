import { type Attribute, attribute } from '../attribute.js'
import { GraphError } from '../error.js'
import { wrongStored, wrongType } from '../refusal.js'
import { storedText } from './string.js'

const YEAR_MAX = 9999

/** A moment, to the millisecond, stored as ISO 8601 in UTC, which sorts by time. */
export function date(): Attribute<Date> {
  return attribute({
    kind: 'date',
    encode(value, path) {
      if (!(value instanceof Date)) throw wrongType(path, 'a Date', value)
      const year = value.getUTCFullYear()
      if (year >= 0 && year <= YEAR_MAX) return { S: value.toISOString() }
      throw new GraphError('value.date', `${path}: give a valid date of the years 0000 to 9999`, { path, value })
    },
    decode(value, path = 'value') {
      const text = storedText(value, path)
      const date = new Date(text)
      if (Number.isNaN(date.getTime()) || !isWritten(text, date.toISOString()))
        throw wrongStored(path, 'an ISO 8601 date', value)
      return date
    },
  })
}

/** Whether a text is an ISO form of a moment: ours, or what others write for whole seconds and days. */
function isWritten(text: string, iso: string): boolean {
  return text === iso || text === iso.replace('.000Z', 'Z') || text === iso.replace('T00:00:00.000Z', '')
}
