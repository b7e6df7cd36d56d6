import { explain } from '../../plan/explain.js'
import type { Plan, Step } from '../../plan/plan.js'
import type { Sizes } from '../../plan/price.js'
import { readCursor, writeCursor } from '../../traverse/cursor.js'
import { type TraversalSizes, WaveEstimates, type WavePlan } from '../../traverse/explain.js'
import { Known } from '../../traverse/known.js'
import type { Walk } from '../../traverse/need.js'
import { budgetError, type LeftOut, type OnBudget, Spending } from '../../traverse/spending.js'
import type { Budget, Traversal } from '../../traverse/traversal.js'
import type { Visit } from '../../traverse/visit.js'
import { GraphCall, type Intent } from '../call.js'
import type { Context } from '../context.js'
import { optionsOf } from '../given.js'
import type { Sending } from '../sending.js'
import type { Explanation } from '../types/call.js'
import { wavesText } from './explained-text.js'
import { WalkReader } from './reader.js'

/** A traversal, and how it is run. */
export interface TraversalPlan {
  readonly traversal: Traversal
  readonly budget: Budget
  readonly onBudget: OnBudget
  readonly cursor: string | undefined
}

/** A result that may lack what the budget did not allow. */
export interface PartialResult<T> {
  readonly value: T
  readonly complete: boolean
  readonly leftOut: readonly LeftOut[]
  /** Where the same traversal goes on; undefined if it is complete. */
  readonly cursor: string | undefined
}

export interface TraversalExplanation extends Explanation, Pick<WavePlan, 'waves' | 'requests' | 'units'> {}

/** A computation over what a traversal reads. */
interface Work<T> {
  readonly name: string
  /** Whether the result reads the nodes of the last step. */
  readonly readsNodes: boolean
  walk(): Walk<T>
  /** Waits until the caller has taken the nodes that were reached. */
  reached?(visits: readonly Visit[], reader: WalkReader): Promise<void>
}

/** A traversal as a call: nothing is read until it is awaited. */
export class TraversalCall<T> extends GraphCall<T | PartialResult<T>> {
  constructor(
    context: Context,
    readonly planned: TraversalPlan,
    private readonly work: Work<T>,
  ) {
    super(context, intentOf(planned, work, context))
  }

  /** The first wave as it is sent, and an example of the requests of each later one. */
  override explain(given?: TraversalSizes & Sizes): TraversalExplanation {
    const { name } = this.work
    const sizes = optionsOf(name, given, 'degrees, items, itemBytes, there')
    this.taken()
    const { waves, steps, requests, units, read } = wavesOf(this.context, this.planned, this.work, sizes)
    const explained = explain({ steps, answer: { shape: 'nothing' } }, sizes).steps
    return {
      steps: explained,
      total: { requests: requests.expected, read, write: {} },
      waves,
      requests,
      units,
      toString: () => wavesText({ waves, requests, units }, explained, this.planned.budget, sizes),
    }
  }
}

function intentOf<T>(planned: TraversalPlan, work: Work<T>, context: Context): Intent<T | PartialResult<T>> {
  return {
    name: work.name,
    takes: 'signal, deadlineMs, caps',
    counts: planned.budget.units !== undefined,
    plan: (): Plan => ({ steps: numbered(wavesOf(context, planned, work, {}).steps), answer: { shape: 'nothing' } }),
    run: sending => runWork(sending, planned, work),
  }
}

const numbered = (steps: readonly Step[]): Step[] =>
  steps.map((step, id) => ({ ...step, id, after: id > 0 ? [id - 1] : [] }))

function wavesOf(
  context: Context,
  { traversal, budget }: TraversalPlan,
  { readsNodes }: Pick<Work<unknown>, 'readsNodes'>,
  sizes: TraversalSizes,
): WavePlan {
  const plan = new WaveEstimates(context.layout, traversal, sizes, context.tenant).of(readsNodes).within(budget)
  return { ...plan, steps: numbered(plan.steps) }
}

async function runWork<T>(
  sending: Sending,
  { traversal, budget, onBudget, cursor }: TraversalPlan,
  work: Work<T>,
): Promise<T | PartialResult<T>> {
  const { layout, tenant } = sending.context
  const known = cursor === undefined ? new Known() : readCursor(layout, traversal, tenant, cursor)
  const spending = new Spending(budget, onBudget, () => sending.tally.total)
  const reader = new WalkReader(sending, known, spending, traversal.consistent === true)
  const value = await drive(work.walk(), reader, work)
  if (onBudget === 'error') return value
  const { leftOut } = spending
  const complete = leftOut.length === 0
  if (!complete && spending.progress === 0)
    throw budgetError(`more than its whole budget to read anything of ${leftOut[0]!.of}`)
  return { value, complete, leftOut, cursor: complete ? undefined : writeCursor(layout, traversal, tenant, known) }
}

/** Answers the needs of a walk until it is done. */
export async function drive<T>(
  walk: Walk<T>,
  reader: WalkReader,
  { reached }: Pick<Work<T>, 'reached'> = {},
): Promise<T> {
  let step = walk.next()
  while (!step.done) {
    const need = step.value
    if (need.kind !== 'reached') step = walk.next(await reader.answer(need))
    else {
      await reached?.(need.visits, reader)
      step = walk.next()
    }
  }
  return step.value
}
