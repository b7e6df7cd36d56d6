import type { Item } from '../../dynamodb/attribute-value.js'
import { BATCH_WRITE_ITEMS, TRANSACT_ITEMS } from '../../dynamodb/limits.js'
import type { Context } from '../../graph/context.js'
import { type BatchFailure, runBatchWrite } from '../../graph/run/batch-write.js'
import { forEachConcurrently } from '../../graph/run/concurrency.js'
import { type RequestSender, toStoreError } from '../../graph/run/request-sender.js'
import { runWrite } from '../../graph/run/run-write.js'
import type { Plan } from '../../plan/plan.js'
import { traitsOf } from '../../plan/type-traits.js'
import { batchRequestsOf, planTransaction } from '../../plan/write/multi-write.js'
import { GraphError } from '../../schema/error.js'
import { systemClock } from '../../store/backoff.js'

/** The write of a row. */
export interface RowWrite {
  readonly plan: Plan
  /** The request of the row within a batch, if it can be part of one. */
  readonly batchRequest: BatchRequest | undefined
  /** Number of rows of this kind that share a request. */
  readonly groupSize: number
}

type BatchRequest = { readonly PutRequest: { readonly Item: Item } }

/** Writes of different items, which may run in any order. */
export interface WriteRound {
  readonly writes: readonly RowWrite[]
  readonly concurrency: number
}

const MAX_ATTEMPTS = 6
const PAUSE_MS = 250

/**
 * Rows per transaction. One rejected row makes the others of its transaction run again alone, so the number is small.
 */
const TRANSACTION_ROWS = 10

export function createRowWrite({ layout, isEmbedded }: Context, plan: Plan): RowWrite {
  const batchRequest = batchRequestsOf(layout, plan, 0)[0]?.part as BatchRequest | undefined
  if (batchRequest) return { plan, batchRequest, groupSize: BATCH_WRITE_ITEMS }
  const { sideKinds, requiredEnds } = traitsOf(layout, plan.steps.at(-1)!.changes![0]!.type)
  // On AWS, a transaction would cost more for a row that already exists and does not need one.
  const sharesTransactions = isEmbedded && (requiredEnds.length > 0 || sideKinds.some(({ role }) => role === 'mirror'))
  // Reserve writes for side items of the replaced row, which must be deleted.
  const maxRows = Math.floor(TRANSACT_ITEMS / (1 + 2 * (sideKinds.length + requiredEnds.length)))
  return { plan, batchRequest, groupSize: sharesTransactions ? Math.max(1, Math.min(TRANSACTION_ROWS, maxRows)) : 1 }
}

/** Runs all writes of a round. Returns the errors of rejected rows by index, and throws all other errors. */
export async function writeRound(
  sender: RequestSender,
  { writes, concurrency }: WriteRound,
): Promise<ReadonlyMap<number, GraphError>> {
  const refused = new Map<number, GraphError>()
  let slices = groupWrites(writes)
  for (let attempt = 1; slices.length > 0; attempt++) {
    const toRetry: number[] = []
    let done = 0
    let shouldWait = false
    await forEachConcurrently(slices, Math.max(1, concurrency >> (2 * (attempt - 1))), async slice => {
      const failures = await writeSlice(sender, writes, slice)
      done += slice.length - failures.length
      for (const { call, error } of failures) {
        const outcome = classifyFailure(error, slice.length, attempt)
        // Stop if a whole attempt made no progress, instead of sending all remaining rows to a failing store.
        const isStalled = attempt > 1 && done === 0 && outcome === 'later'
        if (outcome === 'stop' || isStalled || (attempt === MAX_ATTEMPTS && outcome !== 'row')) throw error
        if (outcome === 'row') refused.set(call, error as GraphError)
        else toRetry.push(call)
        shouldWait ||= outcome === 'again' || outcome === 'later'
      }
    })
    if (shouldWait) await systemClock.sleep(PAUSE_MS * 2 ** attempt)
    // Retry each row alone, because contention or one rejected row may fail a whole batch.
    slices = toRetry.map(index => [index])
  }
  return refused
}

/** Groups writes: 25 puts per batch, a few rows per transaction, and the others alone. */
function groupWrites(writes: readonly RowWrite[]): number[][] {
  const slices: number[][] = []
  const openSlices = new Map<number, number[]>()
  for (const [index, { groupSize }] of writes.entries()) {
    const slice = openSlices.get(groupSize) ?? []
    openSlices.set(groupSize, slice)
    if (slice.push(index) < groupSize) continue
    slices.push(slice)
    openSlices.delete(groupSize)
  }
  return [...slices, ...openSlices.values()]
}

/** Runs one batch, one transaction or one write. Returns the writes that failed. */
async function writeSlice(
  sender: RequestSender,
  writes: readonly RowWrite[],
  slice: number[],
): Promise<readonly BatchFailure[]> {
  const pending: { calls: readonly number[] } = { calls: slice }
  const { plan, batchRequest } = writes[slice[0]!]!
  try {
    if (batchRequest) {
      const RequestItems = { [sender.context.layout.design.name]: slice.map(index => writes[index]!.batchRequest!) }
      await runBatchWrite(sender, { request: { operation: 'batchWriteItem', input: { RequestItems } } }, pending)
    } else if (slice.length === 1) await runWrite(sender, plan)
    else
      await runWrite(
        sender,
        planTransaction(
          sender.context.layout,
          slice.map(index => writes[index]!.plan),
        ),
      )
    return []
  } catch (error) {
    return pending.calls.map(call => ({ call, error: toStoreError(error) }))
  }
}

/** Codes of errors of a store that is busy or unreachable. */
const BUSY_CODES: ReadonlySet<string> = new Set(['store.absent', 'store.throttled', 'store.unknown'])
/** Codes of errors that are not the row's fault. */
const NOT_ROW_CODES = /^(store|call|open|table|layout)\./

/**
 * Decides whether a write is retried, at once, alone or later; whether the row is rejected; or whether the load stops.
 */
function classifyFailure(
  error: unknown,
  groupSize: number,
  attempt: number,
): 'again' | 'alone' | 'later' | 'row' | 'stop' {
  if (!GraphError.is(error)) return 'stop'
  const { code, cause } = error
  if (code === 'write.contended') return 'again'
  // The owner may be among the other rows of this round.
  if (code === 'owner.absent' && attempt < MAX_ATTEMPTS) return 'again'
  if (BUSY_CODES.has(code)) return 'later'
  const isRefused = code === 'store.refused' && (cause as Partial<Error> | undefined)?.name === 'ValidationException'
  if (NOT_ROW_CODES.test(code) && !isRefused) return 'stop'
  return groupSize > 1 ? 'alone' : 'row'
}
