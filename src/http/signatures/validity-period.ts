import { createErrorResponse, type ErrorResponse } from '../error-response.js'

const SECOND_MS = 1000
/** The allowed clock difference, and the validity of a signature without an expiry. */
const TOLERANCE_SECONDS = 15 * 60
const WEEK_SECONDS = 7 * 24 * 60 * 60

/** Returns the error of a signature's time: `date` as sent, and `X-Amz-Expires` of a signature in a query. */
export function validityErrorOf(date: string, expires: string | undefined, nowMs: number): ErrorResponse | undefined {
  const sentMs = parseBasicDateMs(date)
  if (sentMs === undefined)
    return createErrorResponse(
      'IncompleteSignatureException',
      `Date must be in ISO-8601 'basic format'. Got '${date}'. See http://en.wikipedia.org/wiki/ISO_8601`,
    )
  const validSeconds = expires === undefined ? TOLERANCE_SECONDS : Number(expires)
  if (expires !== undefined && !(/^\d+$/.test(expires) && validSeconds >= 1 && validSeconds <= WEEK_SECONDS))
    return createErrorResponse(
      'InvalidSignatureException',
      `X-Amz-Expires must be a number of seconds from 1 to ${WEEK_SECONDS}, got '${expires}'.`,
    )
  return expiryErrorOf(date, { sentMs, nowMs, validSeconds })
}

function parseBasicDateMs(date: string): number | undefined {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? []
  if (year === undefined) return undefined
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

const formatBasicDate = (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')

interface ValidityPeriod {
  readonly sentMs: number
  readonly nowMs: number
  readonly validSeconds: number
}

function expiryErrorOf(date: string, { sentMs, nowMs, validSeconds }: ValidityPeriod): ErrorResponse | undefined {
  const earliestMs = nowMs - validSeconds * SECOND_MS
  const latestMs = nowMs + TOLERANCE_SECONDS * SECOND_MS
  const now = formatBasicDate(nowMs)
  if (sentMs < earliestMs)
    return createErrorResponse(
      'InvalidSignatureException',
      `Signature expired: ${date} is now earlier than ${formatBasicDate(earliestMs)} (${now} - ${formatDuration(validSeconds)})`,
    )
  if (sentMs > latestMs)
    return createErrorResponse(
      'InvalidSignatureException',
      `Signature not yet current: ${date} is still later than ${formatBasicDate(latestMs)} (${now} + ${formatDuration(TOLERANCE_SECONDS)})`,
    )
  return undefined
}

/** Formats `15 min.`, or `90 sec.` if the minutes are not whole. */
const formatDuration = (seconds: number) => (seconds % 60 === 0 ? `${seconds / 60} min.` : `${seconds} sec.`)
