import type { Item } from '../../dynamodb/attribute-value.js'
import { BATCH_WRITE_ITEMS, TRANSACT_ITEMS } from '../../dynamodb/limits.js'
import type { Context } from '../../graph/context.js'
import { inTurn } from '../../graph/in-turn.js'
import { type Sending, storeError } from '../../graph/sending.js'
import { type Failure, writeBatch } from '../../graph/several.js'
import { write } from '../../graph/writing.js'
import type { Plan } from '../../plan/plan.js'
import { batchedOf, planTransaction } from '../../plan/write-several.js'
import { traitsOf } from '../../plan/write-traits.js'
import type { GraphError } from '../../schema/error.js'
import { systemClock } from '../../store/backoff.js'
import { isGraphError } from '../rows/graph-error.js'

/** The write of a row. */
export interface RowWrite {
  readonly plan: Plan
  /** What a batch has of it, where it can go in one. */
  readonly part: BatchPart | undefined
  /** How many such go in one request. */
  readonly together: number
}

type BatchPart = { readonly PutRequest: { readonly Item: Item } }

/** Writes of different items, of which any may be done first. */
export interface Round {
  readonly writes: readonly RowWrite[]
  readonly concurrency: number
}

const TIMES = 6
const PAUSE_MS = 250

/** One row that is refused sends the others of its transaction again, each by itself. */
const TRANSACTION_ROWS = 10

export function rowWrite({ layout, embedded }: Context, plan: Plan): RowWrite {
  const part = batchedOf(layout, plan, 0)[0]?.part as BatchPart | undefined
  if (part) return { plan, part, together: BATCH_WRITE_ITEMS }
  const { sides, checked } = traitsOf(layout, plan.steps.at(-1)!.changes![0]!.type)
  // Elsewhere it would cost more where a row turns out to be there already, and need no transaction.
  const isShared = embedded && (checked.length > 0 || sides.some(({ role }) => role === 'mirror'))
  // A row that replaces another takes away what that one left elsewhere.
  const most = Math.floor(TRANSACT_ITEMS / (1 + 2 * (sides.length + checked.length)))
  return { plan, part, together: isShared ? Math.max(1, Math.min(TRANSACTION_ROWS, most)) : 1 }
}

/** Does all writes of a round, and tells for which the row is to blame. Whatever else goes wrong is thrown. */
export async function writeRound(
  sending: Sending,
  { writes, concurrency }: Round,
): Promise<ReadonlyMap<number, GraphError>> {
  const refused = new Map<number, GraphError>()
  let slices = slicesOf(writes)
  for (let times = 1; slices.length > 0; times++) {
    const again: number[] = []
    let done = 0
    let waits = false
    await inTurn(slices, Math.max(1, concurrency >> (2 * (times - 1))), async slice => {
      const failures = await writeSlice(sending, writes, slice)
      done += slice.length - failures.length
      for (const { call, error } of failures) {
        const fate = fateOf(error, slice.length, times)
        // A store that does nothing more, however little it is asked, is not asked for the rest.
        const isOut = times > 1 && done === 0 && fate === 'later'
        if (fate === 'stop' || isOut || (times === TIMES && fate !== 'row')) throw error
        if (fate === 'row') refused.set(call, error as GraphError)
        else again.push(call)
        waits ||= fate === 'again' || fate === 'later'
      }
    })
    if (waits) await systemClock.sleep(PAUSE_MS * 2 ** times)
    // What was in another's way, or in a batch that one item spoiled, goes by itself.
    slices = again.map(at => [at])
  }
  return refused
}

/** Whole items without a condition go 25 at a time, what takes transactions a few at a time, the others each by itself. */
function slicesOf(writes: readonly RowWrite[]): number[][] {
  const slices: number[][] = []
  const begun = new Map<number, number[]>()
  for (const [at, { together }] of writes.entries()) {
    const slice = begun.get(together) ?? []
    begun.set(together, slice)
    if (slice.push(at) < together) continue
    slices.push(slice)
    begun.delete(together)
  }
  return [...slices, ...begun.values()]
}

/** One batch or one transaction, or what a single write takes. Tells which were not done. */
async function writeSlice(sending: Sending, writes: readonly RowWrite[], slice: number[]): Promise<readonly Failure[]> {
  const left: { calls: readonly number[] } = { calls: slice }
  const { plan, part } = writes[slice[0]!]!
  try {
    if (part) {
      const RequestItems = { [sending.context.layout.design.name]: slice.map(at => writes[at]!.part!) }
      await writeBatch(sending, { request: { operation: 'batchWriteItem', input: { RequestItems } } }, left)
    } else if (slice.length === 1) await write(sending, plan)
    else
      await write(
        sending,
        planTransaction(
          sending.context.layout,
          slice.map(at => writes[at]!.plan),
        ),
      )
    return []
  } catch (error) {
    return left.calls.map(call => ({ call, error: storeError(error) }))
  }
}

/** With these it is not the row that is at fault. */
const GENERAL = /^(store|call|open|table|layout)\./

/** Whether it is tried again, by itself at once, or when the store may be better; whether the row is refused, or all ends. */
function fateOf(error: unknown, together: number, times: number): 'again' | 'alone' | 'later' | 'row' | 'stop' {
  if (!isGraphError(error)) return 'stop'
  const { code, cause } = error
  if (code === 'write.contended') return 'again'
  // The owner may be among the other rows of this round.
  if (code === 'owner.absent' && times < TIMES) return 'again'
  if (/^store\.(absent|throttled|unknown)$/.test(code)) return 'later'
  const isRefused = code === 'store.refused' && (cause as Partial<Error> | undefined)?.name === 'ValidationException'
  if (GENERAL.test(code) && !isRefused) return 'stop'
  return together > 1 ? 'alone' : 'row'
}
