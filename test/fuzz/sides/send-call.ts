import type { Call } from '../random/operation.js'
import { type Outcome, plain, refusalOf } from './outcome.js'
import type { Side } from './side.js'

/** More pages than any table of a round has items. */
const MOST_PAGES = 400

/** Sends a call and reads all of its pages and segments. */
export async function ask(side: Side, call: Call): Promise<Outcome> {
  const pages: unknown[] = []
  try {
    for (const request of segments(call)) await follow(side, { ...call, request }, pages)
  } catch (error) {
    return { refusal: refusalOf(error) }
  }
  return { pages: pages.map(page => plain(page) as Record<string, never>) }
}

/** Replaces a segment of a scan by all segments, because the boundaries of segments are unspecified. */
function segments({ operation, request }: Call): Record<string, unknown>[] {
  const { TotalSegments, Segment, ExclusiveStartKey } = request
  if (operation !== 'scan' || ExclusiveStartKey !== undefined) return [request]
  if (typeof TotalSegments !== 'number' || typeof Segment !== 'number' || Segment >= TotalSegments) return [request]
  return Array.from({ length: TotalSegments }, (_, Segment) => ({ ...request, Segment }))
}

async function follow(side: Side, { operation, request }: Call, pages: unknown[]): Promise<void> {
  let ExclusiveStartKey = request.ExclusiveStartKey
  for (let count = 0; count < MOST_PAGES; count++) {
    const asked = ExclusiveStartKey === undefined ? request : { ...request, ExclusiveStartKey }
    const { $metadata: _, ...page } = (await side.send(operation, asked)) as Record<string, unknown>
    pages.push(page)
    ExclusiveStartKey = page.LastEvaluatedKey
    if (ExclusiveStartKey === undefined || (operation !== 'query' && operation !== 'scan')) return
  }
  throw Object.assign(new Error(`more than ${MOST_PAGES} pages`), { name: 'EndlessPages' })
}
