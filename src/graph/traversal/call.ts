import { explain } from '../../plan/explain.js'
import type { PricedPlan, PricedStep } from '../../plan/price/plan-price.js'
import type { Sizes } from '../../plan/price/read-price.js'
import { BudgetUsage, budgetError, type LeftOut, type OnBudget } from '../../traverse/budget-usage.js'
import { readTraversalCursor, traversalTextOf, writeTraversalCursor } from '../../traverse/cursor.js'
import type { ReachedNodes, Walk } from '../../traverse/need.js'
import type { Budget, TraversalData } from '../../traverse/traversal.js'
import { TraversalCache } from '../../traverse/traversal-cache.js'
import { type TraversalSizes, WaveEstimates, type WaveOptions, type WavePlan } from '../../traverse/wave-estimates.js'
import { parseOptions } from '../arguments.js'
import { type CallIntent, GraphCall } from '../calls/call.js'
import type { Context } from '../context.js'
import type { RequestSender } from '../run/request-sender.js'
import type { Explanation } from '../types/call.js'
import { assertTraversalSizes } from './traversal-sizes.js'
import { WalkReader } from './walk-reader.js'
import { describeWaves } from './waves-text.js'

/** A traversal, and how it is run. */
export interface TraversalPlan {
  readonly traversal: TraversalData
  readonly budget: Budget
  readonly onBudget: OnBudget
  readonly cursor: string | undefined
}

/** A result that may lack what the budget did not allow. */
export interface PartialOutcome<T> {
  readonly value: T
  readonly complete: boolean
  readonly leftOut: readonly LeftOut[]
  /** Where the same traversal goes on; undefined if it is complete. */
  readonly cursor: string | undefined
}

export interface WaveExplanation extends Explanation, Pick<WavePlan, 'waves' | 'requests' | 'units'> {}

/** A computation over what a traversal reads. */
interface TraversalWork<T> {
  readonly name: string
  /** What it reads apart from the steps of the traversal. */
  readonly reads: WaveOptions
  walk(): Walk<T>
  /** Waits until the caller has taken the nodes that were reached. */
  reached?(reached: ReachedNodes, reader: WalkReader): Promise<void>
}

/** A traversal as a call: nothing is read until it is awaited. */
export class GraphTraversalCall<T> extends GraphCall<T | PartialOutcome<T>> {
  constructor(
    context: Context,
    readonly planned: TraversalPlan,
    private readonly work: TraversalWork<T>,
  ) {
    super(context, intentOf(planned, work, context))
  }

  override plan(): PricedPlan {
    this.takeIntent()
    return { steps: planWaves(this.context, this.planned, this.work, {}).steps, answer: { shape: 'nothing' } }
  }

  /** The first wave as it is sent, and an example of the requests of each later one. */
  override explain(given?: TraversalSizes & Sizes): WaveExplanation {
    const { name } = this.work
    const sizes = parseOptions(name, given, 'degrees, items, itemBytes, existing')
    assertTraversalSizes(this.context.layout, sizes)
    this.takeIntent()
    const { waves, steps, requests, units, read } = planWaves(this.context, this.planned, this.work, sizes)
    const explained = explain({ steps, answer: { shape: 'nothing' } }, sizes).steps
    return {
      steps: explained,
      total: { requests: requests.expected, read, write: {} },
      waves,
      requests,
      units,
      toString: () => describeWaves({ waves, requests, units }, explained, this.planned.budget, sizes),
    }
  }
}

function intentOf<T>(
  planned: TraversalPlan,
  work: TraversalWork<T>,
  context: Context,
): CallIntent<T | PartialOutcome<T>> {
  return {
    name: work.name,
    runOptionNames: 'signal, deadlineMs, caps',
    countsUnits: planned.budget.units !== undefined,
    plan: () => ({ steps: planWaves(context, planned, work, {}).steps, answer: { shape: 'nothing' } }),
    run: sender => runTraversal(sender, planned, work),
  }
}

const numberSteps = (steps: readonly PricedStep[]): PricedStep[] =>
  steps.map((step, id) => ({ ...step, id, after: id > 0 ? [id - 1] : [] }))

function planWaves(
  context: Context,
  { traversal, budget }: TraversalPlan,
  { reads }: Pick<TraversalWork<unknown>, 'reads'>,
  sizes: TraversalSizes,
): WavePlan {
  const { layout, tenant } = context
  const plan = new WaveEstimates(layout, traversal, { ...sizes, tenant }, reads).addWaves().cappedBy(budget)
  return { ...plan, steps: numberSteps(plan.steps) }
}

async function runTraversal<T>(
  sender: RequestSender,
  { traversal, budget, onBudget, cursor }: TraversalPlan,
  work: TraversalWork<T>,
): Promise<T | PartialOutcome<T>> {
  const { layout, tenant, cursorCipher } = sender.context
  const text = traversalTextOf(traversal, tenant)
  const plain = cursor !== undefined && cursorCipher ? await cursorCipher.open(cursor, text) : cursor
  const cache = plain === undefined ? new TraversalCache() : readTraversalCursor(layout, traversal, tenant, plain)
  const usage = new BudgetUsage(budget, onBudget, () => sender.consumed.total)
  const reader = new WalkReader(sender, cache, usage, traversal.consistent === true)
  const value = await runWalk(work.walk(), reader, work)
  if (onBudget === 'error') return value
  const { leftOut } = usage
  const complete = leftOut.length === 0
  if (!complete && usage.progress === 0)
    throw budgetError(`more than its whole budget to read anything of ${leftOut[0]!.of}`)
  if (complete) return { value, complete, leftOut, cursor: undefined }
  const written = writeTraversalCursor(layout, traversal, tenant, cache)
  return { value, complete, leftOut, cursor: cursorCipher ? await cursorCipher.seal(written, text) : written }
}

/** Answers the needs of a walk until it is done. */
export async function runWalk<T>(
  walk: Walk<T>,
  reader: WalkReader,
  { reached }: Pick<TraversalWork<T>, 'reached'> = {},
): Promise<T> {
  let step = walk.next()
  while (!step.done) {
    const need = step.value
    if (need.kind !== 'reached') step = walk.next(await reader.answer(need))
    else {
      await reached?.(need, reader)
      step = walk.next()
    }
  }
  return step.value
}
