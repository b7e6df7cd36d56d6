import type { Plan, RequestTemplate, RowsShape } from '../../plan/plan.js'
import { answerOf } from '../../plan/read/answer.js'
import { entriesOf, type ReadResponse } from '../../plan/read/entries.js'
import { nextRequests, type StepRequest } from '../../plan/read/next-requests.js'
import { GraphError } from '../../schema/error.js'
import { hasEntries } from '../../schema/map-values.js'
import { attachEtag } from '../calls/row-etag.js'
import { forEachConcurrently } from './concurrency.js'
import type { RequestSender } from './request-sender.js'

/** How many requests of one call are under way at once. */
const CONCURRENCY = 8

/** Runs a plan of reads, round by round. `mostRows`: more are refused instead of being held in memory. */
export async function runRead(sender: RequestSender, plan: Plan, mostRows?: number): Promise<unknown> {
  const { layout, environment } = sender.context
  const nowMs = environment.now()
  const responses: ReadResponse[][] = plan.steps.map(() => [])
  let rows = 0
  for (;;) {
    const requests = nextRequests(layout, plan, responses, nowMs)
    if (!requests[0]) {
      const value = answerOf(layout, plan, responses, nowMs)
      return plan.answer.shape === 'row'
        ? attachEtag(value, responses.at(-1)?.at(-1)?.Item?.[layout.names.etag]?.S)
        : value
    }
    // In the order of the requests, whichever is answered first.
    const received: ReadResponse[] = []
    const send = async ({ request }: StepRequest, at = 0) => {
      received[at] = (await sendReadRequest(sender, plan, request)) as ReadResponse
    }
    await (requests.length === 1 ? send(requests[0]!) : forEachConcurrently(requests, CONCURRENCY, send))
    for (const [i, answer] of received.entries()) {
      responses[requests[i]!.step]!.push(answer)
      rows += answer.Items?.length ?? 0
      assertAllProcessed(answer.UnprocessedKeys)
    }
    // What was read may be gone, or more than is asked for. Nothing is more than what is not said.
    if (
      rows > mostRows! &&
      entriesOf(layout, (plan.answer as RowsShape).selection, responses, nowMs).entries.length > mostRows!
    )
      throw new GraphError('read.max', `there are more than ${mostRows} rows: give all() a larger max, or use page()`)
  }
}

/** A start key that the store refuses comes from a cursor that somebody changed: without it the same query is served. */
async function sendReadRequest(sender: RequestSender, plan: Plan, request: RequestTemplate): Promise<unknown> {
  try {
    return await sender.send(request)
  } catch (error) {
    const isFromCursor = request.input.ExclusiveStartKey && plan.steps.some(step => step.request === request)
    if (!isFromCursor || (error as Error).name !== 'ValidationException') throw error
    const invalid = new GraphError('cursor.invalid', 'the cursor was changed; begin again without it')
    throw Object.assign(invalid, { cause: error })
  }
}

/** The store has tried again already: what is left is not missing. */
export function assertAllProcessed(unprocessed: object | undefined): void {
  if (hasEntries(unprocessed))
    throw new GraphError('store.throttled', 'the store refused it for now, however often it was tried')
}
