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
  let left = plans.map((_, at) => at)
  for (let times = 1; left.length > 0; times++) {
    const again: number[] = []
    let last: unknown
    // What was in another's way, or in a batch that one item spoiled, goes by itself.
    const slices = times === 1 ? slicesOf(plans) : left.map(at => [at])
    await inTurn(slices, times === 1 ? concurrency : Math.max(1, concurrency >> times), async slice => {
      const plan = planBatch(
        sending.context.layout,
        slice.map(at => plans[at]!),
      )
      for (const { call, error } of await writeEach(sending, plan)) {
        const fate = fateOf(error, slice.length)
        if (fate === 'stop') throw error
        if (fate === 'row') refused.set(slice[call]!, error as GraphError)
        else again.push(slice[call]!)
        last = error
      }
    })
    if (again.length > 0 && times === TIMES) throw last
    if (again.length > 0 && times > 1) await systemClock.sleep(PAUSE_MS * 2 ** times)
    left = again
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

const PASSING = new Set(['store.throttled', 'store.unknown', 'write.contended'])
/** With these it is not the row that is at fault. */
const GENERAL = /^(store|call|open|table|layout)\./

function fateOf(error: unknown, together: number): 'again' | 'row' | 'stop' {
  if (!isGraphError(error)) return 'stop'
  if (PASSING.has(error.code)) return 'again'
  const cause = (error.cause as { name?: string } | undefined)?.name
  if (error.code === 'store.refused' && cause === 'ValidationException') return together > 1 ? 'again' : 'row'
  return GENERAL.test(error.code) ? 'stop' : 'row'
}
