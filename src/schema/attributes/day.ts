import type { Attribute } from '../attribute.js'
import { createFormattedAttribute, parseFormat } from './fixed-text.js'

const DAY = parseFormat('0000-00-00')
const YEAR_MONTH = parseFormat('0000-00')
const MONTH_AT = 5
const DAY_AT = 8

/**
 * Declares a calendar day without a time or a time zone, as the text `yyyy-mm-dd` of the years 0000 to 9999. It sorts
 * by time, also in keys of other programs.
 *
 * @example
 * ```ts
 * import { day, node, ulid } from 'edgewise'
 *
 * const visit = node('visit', { id: ulid(), on: day() }, { id: 'id', by: { on: { in: ['on'] } } })
 * ```
 */
export function day(): Attribute<string> {
  return createFormattedAttribute('day', DAY, `a calendar day such as '2026-01-31'`, 'value.day', isCalendarDay)
}

/**
 * Declares a month of a year, as the text `yyyy-mm` of the years 0000 to 9999. It sorts by time, also in keys of other
 * programs.
 *
 * @example
 * ```ts
 * import { node, string, yearMonth } from 'edgewise'
 *
 * const bill = node('bill', { no: string(), month: yearMonth() }, { id: 'no', by: { month: { in: ['month'] } } })
 * ```
 */
export function yearMonth(): Attribute<string> {
  return createFormattedAttribute('yearMonth', YEAR_MONTH, `a month such as '2026-01'`, 'value.yearMonth', isMonth)
}

/** JavaScript reads February 30 as March 2, so the day of the month is compared. */
function isCalendarDay(text: string): boolean {
  const time = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(time.getTime()) && time.getUTCDate() === Number(text.slice(DAY_AT))
}

function isMonth(text: string): boolean {
  const month = Number(text.slice(MONTH_AT))
  return month >= 1 && month <= 12
}
