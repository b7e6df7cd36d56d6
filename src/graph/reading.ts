import { answerOf } from '../plan/answer.js'
import { type Answer, entriesOf } from '../plan/found.js'
import { next, type Sent } from '../plan/next.js'
import type { Draft, Plan, RowsShape } from '../plan/plan.js'
import { GraphError } from '../schema/error.js'
import { hasAny } from '../schema/map-values.js'
import { remember } from './etags.js'
import { inTurn } from './in-turn.js'
import type { Sending } from './sending.js'

/** How many requests of one call are under way at once. */
const CONCURRENCY = 8

/** Runs a plan of reads, round by round. `mostRows`: more are refused instead of being held in memory. */
export async function read(sending: Sending, plan: Plan, mostRows?: number): Promise<unknown> {
  const { layout, surroundings } = sending.context
  const nowMs = surroundings.now()
  const answered: Answer[][] = plan.steps.map(() => [])
  let rows = 0
  for (;;) {
    const open = next(layout, plan, answered, nowMs)
    if (!open[0]) {
      const value = answerOf(layout, plan, answered, nowMs)
      return plan.answer.shape === 'row'
        ? remember(value, answered.at(-1)?.at(-1)?.Item?.[layout.names.etag]?.S)
        : value
    }
    // In the order of the requests, whichever is answered first.
    const answers: Answer[] = []
    const send = async ({ request }: Sent, at = 0) => {
      answers[at] = (await sendRead(sending, plan, request)) as Answer
    }
    await (open.length === 1 ? send(open[0]!) : inTurn(open, CONCURRENCY, send))
    for (const [i, answer] of answers.entries()) {
      answered[open[i]!.step]!.push(answer)
      rows += answer.Items?.length ?? 0
      refuseLeft(answer.UnprocessedKeys)
    }
    // What was read may be gone, or more than is asked for. Nothing is more than what is not said.
    if (
      rows > mostRows! &&
      entriesOf(layout, (plan.answer as RowsShape).found, answered, nowMs).entries.length > mostRows!
    )
      throw new GraphError('read.max', `there are more than ${mostRows} rows: give all() a larger max, or use page()`)
  }
}

/** A start key that the store refuses comes from a cursor that somebody changed: without it the same query is served. */
async function sendRead(sending: Sending, plan: Plan, request: Draft): Promise<unknown> {
  try {
    return await sending.send(request)
  } catch (error) {
    const isFromCursor = request.input.ExclusiveStartKey && plan.steps.some(step => step.request === request)
    if (!isFromCursor || (error as Error).name !== 'ValidationException') throw error
    const invalid = new GraphError('cursor.invalid', 'the cursor was changed; begin again without it')
    throw Object.assign(invalid, { cause: error })
  }
}

/** The store has tried again already: what is left is not missing. */
export function refuseLeft(undone: object | undefined): void {
  if (hasAny(undone))
    throw new GraphError('store.throttled', 'the store refused it for now, however often it was tried')
}
