import { type Attribute, kept } from '../attribute.js'

/** The years 0000 to 9999: others have a sign and more digits. */
const ISO_CHARACTERS = 24

/** A moment, to the millisecond, stored as ISO 8601 in UTC, which sorts by time. */
export function date(): Attribute<Date> {
  return kept(
    'date',
    'S',
    'a Date of the years 0000 to 9999',
    value => {
      const iso = value instanceof Date ? value.toJSON() : undefined
      return iso?.length === ISO_CHARACTERS ? iso : undefined
    },
    text => {
      const made = new Date(text)
      const iso = made.toJSON() ?? ''
      // Our own form, and those that others write for whole seconds and days.
      return text === iso || text === iso.replace('.000Z', 'Z') || text === iso.slice(0, 10) ? made : undefined
    },
    undefined,
    'value.date',
  )
}
