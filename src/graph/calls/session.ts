import type { Sizes } from '../../plan/price/read-price.js'
import { planCombinedRead } from '../../plan/read/combined-read.js'
import { renumberSteps } from '../../plan/step.js'
import { planBatch, planTransaction } from '../../plan/write/multi-write.js'
import { GraphError } from '../../schema/error.js'
import { assertArgument, assertFunction, isSameContext, parseOptions, RUN_OPTION_NAMES } from '../arguments.js'
import type { Context } from '../context.js'
import { runEachWrite } from '../run/batch-write.js'
import { runRead } from '../run/run-read.js'
import { runWrite } from '../run/run-write.js'
import { GraphTraversal } from '../traversal/builder.js'
import { createSampleCall, type SampleOptions } from '../traversal/sample.js'
import type { Call, ItemCall, RunOptions } from '../types/call.js'
import type { Session } from '../types/opened-graph.js'
import { type CallIntent, GraphCall } from './call.js'
import { receiptOptionsOf } from './write-call.js'

/** Calls of a transaction or a batch, and the indexes of reads and writes. */
interface TakenCalls {
  readonly intents: readonly CallIntent<unknown>[]
  readonly reads: readonly number[]
  readonly writes: readonly number[]
}

function takeCalls(
  context: Context,
  calls: readonly ItemCall<unknown>[],
  container: '$transact' | '$batch',
): TakenCalls {
  assertArgument(Array.isArray(calls), `${container}: the argument is not a list; give a list of calls.`)
  const intents = calls.map(call =>
    call instanceof GraphCall && isSameContext(context, call.context) ? call.takeIntent() : undefined,
  )
  const invalid = intents.findIndex(intent => !intent?.partOf)
  if (invalid >= 0)
    throw new GraphError(
      'call.part',
      `${container}: call ${invalid} cannot be part of it; give gets and writes of this graph and tenant.`,
    )
  const isWriting = ({ partOf }: CallIntent<unknown>) => partOf !== 'read'
  const indexesOf = (predicate: (intent: CallIntent<unknown>) => boolean) =>
    intents.flatMap((intent, i) => (predicate(intent!) ? [i] : []))
  const check = intents.findIndex(intent => intent!.partOf === 'check')
  if (check >= 0 && container === '$batch')
    throw new GraphError('call.part', `$batch: call ${check} is a check, which needs a transaction; use $transact.`)
  const writes = indexesOf(isWriting)
  const runBefore = writes.find(i => (calls[i] as unknown as GraphCall<unknown>).outcome)
  assertArgument(runBefore === undefined, `${container}: call ${runBefore} was already awaited; create a new call.`)
  return { intents: intents as CallIntent<unknown>[], reads: indexesOf(intent => !isWriting(intent)), writes }
}

const plansOf = ({ intents }: TakenCalls, indexes: readonly number[]) =>
  indexes.map(call => {
    try {
      return intents[call]!.plan(undefined, true)
    } catch (error) {
      if (error instanceof GraphError) Object.assign(error.details, { call })
      throw error
    }
  })

/** Creates the calls that combine others: transactions, and batches in the fewest requests. */
export function sessionOf(context: Context): Session {
  return {
    $transact: (calls: readonly ItemCall<unknown>[], options?: RunOptions) =>
      createTransaction(context, calls, options) as Call<unknown> as Call<never>,
    $traversal: (data: unknown) =>
      GraphTraversal.restore(context, data) as unknown as ReturnType<Session['$traversal']>,
    $sample: (options?: SampleOptions) =>
      createSampleCall(context, options) as unknown as ReturnType<Session['$sample']>,
    $batch: (calls: readonly ItemCall<unknown>[], options?: BatchOptions) =>
      createBatch(context, calls, options) as Call<unknown> as Call<never>,
  } as Session
}

function createTransaction(
  context: Context,
  calls: readonly ItemCall<unknown>[],
  options: RunOptions = {},
): GraphCall<unknown> {
  const { layout } = context
  const takenCalls = takeCalls(context, calls, '$transact')
  parseOptions('$transact', options, RUN_OPTION_NAMES)
  const { reads, writes } = takenCalls
  const hasWrites = writes.length > 0
  if (hasWrites && reads.length > 0)
    throw new GraphError(
      'call.part',
      '$transact: the calls mix reads and writes; send reads in a separate $transact, and use g.<node>.check(id, condition) for a condition on another item.',
    )
  const plan = (runOptions: RunOptions, sizes?: Sizes) =>
    hasWrites
      ? planTransaction(layout, plansOf(takenCalls, writes), receiptOptionsOf(context, runOptions))
      : planCombinedRead(layout, plansOf(takenCalls, reads), 'transactGetItems', sizes)
  const run: CallIntent<unknown>['run'] = async (sender, runOptions) => {
    if (!hasWrites) return runRead(sender, plan(runOptions))
    await runWrite(sender, plan(runOptions), { several: true })
    return calls.map(() => undefined)
  }
  return new GraphCall(context, { name: '$transact', plan: sizes => plan(options, sizes), run }, options)
}

interface BatchOptions {
  readonly progress?: (done: number, total: number) => void
}

function createBatch(
  context: Context,
  calls: readonly ItemCall<unknown>[],
  options: BatchOptions | undefined,
): GraphCall<unknown> {
  const { layout } = context
  const takenCalls = takeCalls(context, calls, '$batch')
  const { progress } = parseOptions('$batch', options, 'progress')
  assertFunction(progress, 'progress')
  const planReads = (sizes?: Sizes) =>
    planCombinedRead(layout, plansOf(takenCalls, takenCalls.reads), 'batchGetItem', sizes)
  return new GraphCall(context, {
    name: '$batch',
    // A batch is not atomic, so a token cannot make it idempotent.
    runOptionNames: 'signal, deadlineMs, caps',
    // Reads come first. The writes do not wait for each other.
    plan: (sizes = {}) => {
      const { steps, answer } = planReads(sizes)
      const writes = planBatch(layout, plansOf(takenCalls, takenCalls.writes))
      return { steps: [...steps, ...renumberSteps(writes.steps, steps.length)], answer }
    },
    run: async (sender, { signal }) => {
      const { reads, writes } = takenCalls
      const { length } = calls
      const results: unknown[] = calls.map(() => undefined)
      const rows = (await runRead(sender, planReads())) as unknown[]
      for (const [i, call] of reads.entries()) results[call] = rows[i]
      await progress?.(reads.length, length)
      const plan = planBatch(layout, plansOf(takenCalls, writes))
      const failures = await runEachWrite(sender, plan, done => progress?.(reads.length + done, length))
      if (failures.length === 0) return results
      signal?.throwIfAborted()
      throw batchError(
        failures.map(failure => ({ ...failure, call: writes[failure.call]! })),
        length,
      )
    },
  })
}

function batchError(failed: readonly { call: number; error: unknown }[], total: number): GraphError {
  // An exceeded cap or deadline ends the whole batch, whichever call reached it.
  const end = failed.map(({ error }) => error as GraphError).find(error => /^call\./.test(error?.code))
  return new GraphError(
    end?.code ?? 'batch.failed',
    `$batch: ${failed.length} of ${total} calls failed${end ? ` (${end.message})` : ''}; see 'details.failed'.`,
    { failed },
  )
}
