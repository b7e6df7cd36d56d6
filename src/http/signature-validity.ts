import { type Fault, refusal } from './faults.js'

const SECOND_MS = 1000
/** How far clocks may differ, and how long a signature is valid that states no time of its own. */
const TOLERANCE_SECONDS = 15 * 60
const WEEK_SECONDS = 7 * 24 * 60 * 60

/** What is wrong with the time of a signature: `date` as sent, and the `X-Amz-Expires` of one in a query. */
export function validityFault(date: string, expires: string | undefined, nowMs: number): Fault | undefined {
  const sentMs = basicDateMs(date)
  if (sentMs === undefined)
    return refusal(
      'IncompleteSignatureException',
      `Date must be in ISO-8601 'basic format'. Got '${date}'. See http://en.wikipedia.org/wiki/ISO_8601`,
    )
  const validSeconds = expires === undefined ? TOLERANCE_SECONDS : Number(expires)
  if (expires !== undefined && !(/^\d+$/.test(expires) && validSeconds >= 1 && validSeconds <= WEEK_SECONDS))
    return refusal(
      'InvalidSignatureException',
      `X-Amz-Expires must be a number of seconds from 1 to ${WEEK_SECONDS}, got '${expires}'.`,
    )
  return expiryFault(date, { sentMs, nowMs, validSeconds })
}

function basicDateMs(date: string): number | undefined {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? []
  if (year === undefined) return undefined
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

const basicDate = (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')

interface Validity {
  readonly sentMs: number
  readonly nowMs: number
  readonly validSeconds: number
}

function expiryFault(date: string, { sentMs, nowMs, validSeconds }: Validity): Fault | undefined {
  const earliestMs = nowMs - validSeconds * SECOND_MS
  const latestMs = nowMs + TOLERANCE_SECONDS * SECOND_MS
  const now = basicDate(nowMs)
  if (sentMs < earliestMs)
    return refusal(
      'InvalidSignatureException',
      `Signature expired: ${date} is now earlier than ${basicDate(earliestMs)} (${now} - ${durationText(validSeconds)})`,
    )
  if (sentMs > latestMs)
    return refusal(
      'InvalidSignatureException',
      `Signature not yet current: ${date} is still later than ${basicDate(latestMs)} (${now} + ${durationText(TOLERANCE_SECONDS)})`,
    )
  return undefined
}

/** `15 min.`, or `90 sec.` where the minutes are not whole. */
const durationText = (seconds: number) => (seconds % 60 === 0 ? `${seconds / 60} min.` : `${seconds} sec.`)
