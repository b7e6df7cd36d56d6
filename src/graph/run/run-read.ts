import type { Plan, RequestTemplate, RowsShape } from '../../plan/plan.js'
import { answerOf } from '../../plan/read/answer.js'
import { entriesOf, type ReadResponse, type StepResponses } from '../../plan/read/entries.js'
import { nextRequests, type StepRequest } from '../../plan/read/next-requests.js'
import { GraphError } from '../../schema/error.js'
import { attachEtag } from '../calls/row-etag.js'
import { forEachConcurrently } from './concurrency.js'
import { assertAllProcessed } from './read-items.js'
import type { RequestSender } from './request-sender.js'

/** The number of concurrent requests of one call. */
const CONCURRENCY = 8

/**
 * Runs a plan of reads in rounds of concurrent requests. More than `maxRows` rows are rejected, because they would
 * fill the memory.
 */
export async function runRead(sender: RequestSender, plan: Plan, maxRows?: number): Promise<unknown> {
  const { layout } = sender.context
  const { responses, nowMs } = await readResponses(sender, plan, maxRows)
  const value = answerOf(layout, plan, responses, nowMs)
  return plan.answer.shape === 'row' ? attachEtag(value, responses.at(-1)?.at(-1)?.Item?.[layout.names.etag]?.S) : value
}

/** Sends the requests of a plan of reads. Returns the responses, and the time for expiry checks. */
export async function readResponses(
  sender: RequestSender,
  plan: Plan,
  maxRows?: number,
): Promise<{ responses: StepResponses; nowMs: number }> {
  const { layout, environment } = sender.context
  const nowMs = environment.now()
  const responses: ReadResponse[][] = plan.steps.map(() => [])
  let rows = 0
  for (;;) {
    const requests = nextRequests(layout, plan, responses, nowMs)
    if (requests.length === 0) return { responses, nowMs }
    // Responses are stored in the order of the requests, whichever arrives first.
    const received: ReadResponse[] = []
    const send = async ({ request }: StepRequest, at = 0) => {
      received[at] = (await sendReadRequest(sender, plan, request)) as ReadResponse
    }
    await (requests.length === 1 ? send(requests[0]!) : forEachConcurrently(requests, CONCURRENCY, send))
    for (const [i, response] of received.entries()) {
      responses[requests[i]!.step]!.push(response)
      rows += response.Items?.length ?? 0
      assertAllProcessed(response.UnprocessedKeys)
    }
    // Rows may be expired, or exceed the limit. An undefined limit compares as false.
    if (
      rows > maxRows! &&
      entriesOf(layout, (plan.answer as RowsShape).selection, responses, nowMs).entries.length > maxRows!
    )
      throw new GraphError(
        'read.max',
        `all(): there are more than ${maxRows} rows; give all() a larger max, or use page().`,
      )
  }
}

/**
 * DynamoDB rejects a start key only when the cursor was changed, because the same query without the cursor is valid.
 */
async function sendReadRequest(sender: RequestSender, plan: Plan, request: RequestTemplate): Promise<unknown> {
  try {
    return await sender.send(request)
  } catch (error) {
    const isFromCursor = request.input.ExclusiveStartKey && plan.steps.some(step => step.request === request)
    if (!isFromCursor || (error as Error).name !== 'ValidationException') throw error
    const invalid = new GraphError('cursor.invalid', 'cursor: it was changed; begin again without it.')
    throw Object.assign(invalid, { cause: error })
  }
}
