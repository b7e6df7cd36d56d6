import type { Sizes } from '../plan/price.js'
import { planTogether } from '../plan/read-together.js'
import { shifted } from '../plan/step.js'
import { pricedWrite } from '../plan/write-explained.js'
import { planBatch, planTransaction } from '../plan/write-several.js'
import { GraphError } from '../schema/error.js'
import { GraphCall, type Intent } from './call.js'
import type { Context } from './context.js'
import { given, givenFunction, isOf, optionsOf, RUN_OPTIONS } from './given.js'
import { read } from './reading.js'
import { writeEach } from './several.js'
import { type SampleOptions, sampleCall } from './traversal/sample.js'
import type { Call, RunOptions, Single } from './types/call.js'
import type { Session } from './types/opened.js'
import { receipt } from './writes.js'
import { write } from './writing.js'

/** Calls that are done together, and which of them read and write. */
interface Taken {
  readonly intents: readonly Intent<unknown>[]
  readonly reads: readonly number[]
  readonly writes: readonly number[]
}

function takenOf(context: Context, calls: readonly Single<unknown>[], where: 'a transaction' | 'a batch'): Taken {
  given(Array.isArray(calls), `${where} takes a list of calls`)
  const intents = calls.map(call =>
    call instanceof GraphCall && isOf(context, call.context) ? call.taken() : undefined,
  )
  const stray = intents.findIndex(intent => !intent?.part)
  if (stray >= 0)
    throw new GraphError(
      'call.part',
      `call ${stray} cannot be a part of ${where}: give gets and writes of this graph and tenant`,
    )
  const isWriting = ({ part }: Intent<unknown>) => part !== 'read'
  const at = (isAsked: (intent: Intent<unknown>) => boolean) =>
    intents.flatMap((intent, i) => (isAsked(intent!) ? [i] : []))
  const check = intents.findIndex(intent => intent!.part === 'check')
  if (check >= 0 && where === 'a batch')
    throw new GraphError(
      'call.part',
      `call ${check} is a check, which holds only the writes of a transaction; use $transact`,
    )
  const writes = at(isWriting)
  const again = writes.find(i => (calls[i] as unknown as GraphCall<unknown>).outcome)
  given(again === undefined, `call ${again} was done already: make it again`)
  return { intents: intents as Intent<unknown>[], reads: at(intent => !isWriting(intent)), writes }
}

const plansOf = ({ intents }: Taken, at: readonly number[]) =>
  at.map(call => {
    try {
      return intents[call]!.plan(undefined, true)
    } catch (error) {
      if (error instanceof GraphError) Object.assign(error.details, { call })
      throw error
    }
  })

/** Several calls together: all or nothing, or each by itself in as few requests as they fit in. */
export function sessionOf(context: Context): Session {
  const { layout } = context
  return {
    $transact: (calls: readonly Single<unknown>[], options: RunOptions = {}) => {
      const taken = takenOf(context, calls, 'a transaction')
      optionsOf('$transact', options, RUN_OPTIONS)
      const { reads, writes } = taken
      const writing = writes.length > 0
      if (writing && reads.length > 0)
        throw new GraphError(
          'call.part',
          '$transact: it mixes reads and writes; give it g.<node>.check(id, condition) for a condition on another item, and send reads on their own.',
        )
      const plan = (runOptions: RunOptions, sizes?: Sizes) =>
        writing
          ? planTransaction(layout, plansOf(taken, writes), receipt(context, runOptions))
          : planTogether(layout, plansOf(taken, reads), 'transactGetItems', sizes)
      const run: Intent<unknown>['run'] = async (sending, runOptions) => {
        if (!writing) return read(sending, plan(runOptions))
        await write(sending, plan(runOptions), { several: true })
        return calls.map(() => undefined)
      }
      return new GraphCall(
        context,
        { name: '$transact', plan: sizes => plan(options, sizes), run },
        options,
      ) as Call<unknown> as Call<never>
    },
    $sample: (options?: SampleOptions) => sampleCall(context, options) as unknown as ReturnType<Session['$sample']>,
    $batch: (calls: readonly Single<unknown>[], options?: { progress?: (done: number, of: number) => void }) => {
      const taken = takenOf(context, calls, 'a batch')
      const { progress } = optionsOf('$batch', options, 'progress')
      givenFunction(progress, 'progress')
      return new GraphCall(context, {
        name: '$batch',
        // No token makes it happen once.
        takes: 'signal, deadlineMs, caps',
        // The reads, then the writes, which do not wait for each other.
        plan: (sizes = {}) => {
          const { steps, answer } = planTogether(layout, plansOf(taken, taken.reads), 'batchGetItem', sizes)
          const priced = plansOf(taken, taken.writes).map(plan => pricedWrite(layout, plan, sizes))
          return { steps: [...steps, ...shifted(planBatch(layout, priced).steps, steps.length)], answer }
        },
        run: async (sending, { signal }) => {
          const { reads, writes } = taken
          const { length } = calls
          const answers: unknown[] = calls.map(() => undefined)
          const rows = (await read(sending, planTogether(layout, plansOf(taken, reads), 'batchGetItem'))) as unknown[]
          for (const [i, at] of reads.entries()) answers[at] = rows[i]
          await progress?.(reads.length, length)
          const plan = planBatch(layout, plansOf(taken, writes))
          const failures = await writeEach(sending, plan, done => progress?.(reads.length + done, length))
          if (!failures[0]) return answers
          signal?.throwIfAborted()
          throw batchError(
            failures.map(each => ({ ...each, call: writes[each.call]! })),
            length,
          )
        },
      }) as Call<unknown> as Call<never>
    },
  } as Session
}

function batchError(failed: readonly { call: number; error: unknown }[], total: number): GraphError {
  // A cap or a deadline ends the batch, whichever call it met.
  const end = failed.map(({ error }) => error as GraphError).find(error => /^call\./.test(error?.code))
  return new GraphError(
    end?.code ?? 'batch.failed',
    `${failed.length} of ${total} calls were not done: ${end?.message ?? 'details.failed tells which'}`,
    { failed },
  )
}
