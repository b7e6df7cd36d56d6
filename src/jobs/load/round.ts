import { BATCH_WRITE_ITEMS } from '../../dynamodb/limits.js'
import { inTurn } from '../../graph/in-turn.js'
import type { Sending } from '../../graph/sending.js'
import { writeEach } from '../../graph/several.js'
import type { Plan } from '../../plan/plan.js'
import { planBatch } from '../../plan/write-several.js'
import type { GraphError } from '../../schema/error.js'
import { systemClock } from '../../store/backoff.js'
import { isGraphError } from '../rows/graph-error.js'

/** Writes of different items, of which any may be done first. */
export interface Round {
  readonly plans: readonly Plan[]
  readonly concurrency: number
}

const TIMES = 6
const PAUSE_MS = 250

/** Does all writes of a round, and tells for which the row is to blame. Whatever else goes wrong is thrown. */
export async function writeRound(
  sending: Sending,
  { plans, concurrency }: Round,
): Promise<ReadonlyMap<number, GraphError>> {
  const refused = new Map<number, GraphError>()
  let slices = slicesOf(plans)
  for (let times = 1; slices.length > 0; times++) {
    const again: number[] = []
    let done = 0
    await inTurn(slices, Math.max(1, concurrency >> (2 * (times - 1))), async slice => {
      const plan = planBatch(
        sending.context.layout,
        slice.map(at => plans[at]!),
      )
      const failures = await writeEach(sending, plan)
      done += slice.length - failures.length
      for (const { call, error } of failures) {
        const fate = fateOf(error, slice.length)
        // A store that does nothing more, however little it is asked, is not asked for the rest.
        const isOut = times > 1 && done === 0 && fate === 'later'
        if (fate === 'stop' || isOut || (times === TIMES && fate !== 'row')) throw error
        if (fate === 'row') refused.set(slice[call]!, error as GraphError)
        else again.push(slice[call]!)
      }
    })
    if (again.length > 0) await systemClock.sleep(PAUSE_MS * 2 ** times)
    // What was in another's way, or in a batch that one item spoiled, goes by itself.
    slices = again.map(at => [at])
  }
  return refused
}

/** Whole items without a condition go 25 at a time, the others each by itself. */
function slicesOf(plans: readonly Plan[]): number[][] {
  const slices: number[][] = []
  let batch: number[] = []
  for (const [at, plan] of plans.entries()) {
    if (!isBatched(plan)) slices.push([at])
    else if (batch.push(at) === BATCH_WRITE_ITEMS) {
      slices.push(batch)
      batch = []
    }
  }
  return batch.length > 0 ? [...slices, batch] : slices
}

export function isBatched({ steps }: Plan): boolean {
  const { operation, input } = steps[0]!.request
  return operation === 'putItem' && !input.ConditionExpression
}

/** With these it is not the row that is at fault. */
const GENERAL = /^(store|call|open|table|layout)\./

/** Whether it is tried again at once, or when the store may be better; whether the row is refused, or all ends. */
function fateOf(error: unknown, together: number): 'again' | 'later' | 'row' | 'stop' {
  if (!isGraphError(error)) return 'stop'
  const { code, cause } = error
  if (code === 'write.contended') return 'again'
  if (/^store\.(absent|throttled|unknown)$/.test(code)) return 'later'
  if (code === 'store.refused' && (cause as Partial<Error> | undefined)?.name === 'ValidationException')
    return together > 1 ? 'again' : 'row'
  return GENERAL.test(code) ? 'stop' : 'row'
}
