import type { Layout } from '../layout/layout.js'
import type { Plan } from '../plan/plan.js'
import type { Sizes } from '../plan/price.js'
import { planTogether } from '../plan/read-together.js'
import { shifted } from '../plan/step.js'
import { pricedWrite } from '../plan/write-explained.js'
import { planBatch, planTransaction } from '../plan/write-several.js'
import { GraphError } from '../schema/error.js'
import { GraphCall, type Intent } from './call.js'
import type { Context } from './context.js'
import { given, optionsOf, RUN_OPTIONS } from './given.js'
import { read } from './reading.js'
import { writeEach } from './several.js'
import type { Call, RunOptions, Single } from './types/call.js'
import type { Session } from './types/opened.js'
import { receipt } from './writes.js'
import { write } from './writing.js'

interface Taken {
  readonly reads: readonly Intent<unknown>[]
  readonly writes: readonly Intent<unknown>[]
  /** Which calls they were. */
  readonly readAt: readonly number[]
  readonly writeAt: readonly number[]
}

function takenOf({ store }: Context, calls: readonly Single<unknown>[], where: string): Taken {
  given(Array.isArray(calls), `${where} takes a list of calls`)
  const intents = calls.map(call => (call instanceof GraphCall && call.isOn(store) ? call.taken() : undefined))
  const stray = intents.findIndex(intent => intent?.part === undefined)
  if (stray >= 0)
    throw new GraphError(
      'call.part',
      `call ${stray} cannot be a part of ${where}: give gets and writes of one item, of this graph`,
    )
  const at = (part: Intent<unknown>['part']) => intents.flatMap((intent, i) => (intent!.part === part ? [i] : []))
  const [readAt, writeAt] = [at('read'), at('write')]
  const again = writeAt.find(i => (calls[i] as unknown as GraphCall<unknown>).isBegun)
  given(again === undefined, `call ${again} was done by itself already: make it again for ${where}`)
  return { readAt, writeAt, reads: readAt.map(i => intents[i]!), writes: writeAt.map(i => intents[i]!) }
}

const plansOf = (intents: readonly Intent<unknown>[], sizes?: Sizes) =>
  intents.map(intent => intent.planPart?.() ?? intent.plan(sizes))

/** Several calls together: all or nothing, or each by itself in as few requests as they fit in. */
export function sessionOf(context: Context): Session {
  const { layout } = context
  return {
    $transact: (calls: readonly Single<unknown>[], options: RunOptions = {}) => {
      optionsOf('$transact', options, RUN_OPTIONS)
      const { reads, writes } = takenOf(context, calls, 'a transaction')
      if (reads.length > 0 && writes.length > 0)
        throw new GraphError('call.part', 'a transaction reads or writes, not both: make it two')
      const plan = (sizes?: Sizes, runOptions: RunOptions = options) =>
        reads.length > 0
          ? planTogether(layout, plansOf(reads, sizes), 'transaction')
          : planTransaction(layout, plansOf(writes, sizes), receipt(context, runOptions))
      const run: Intent<unknown>['run'] = async (sending, runOptions) => {
        if (calls.length === 0) return []
        if (reads.length > 0) return read(sending, plan())
        await write(sending, plan(undefined, runOptions), { several: true })
        return calls.map(() => undefined)
      }
      return new GraphCall(context, { name: '$transact', plan, run }, options) as Call<unknown> as Call<never>
    },
    $batch: (calls: readonly Single<unknown>[], options?: { progress?: (done: number, of: number) => void }) => {
      const { progress } = optionsOf('$batch', options, 'progress')
      const taken = takenOf(context, calls, 'a batch')
      return new GraphCall(context, {
        name: '$batch',
        plan: sizes => batchPlan(layout, taken, sizes),
        run: sending => runBatch(sending, taken, calls.length, progress),
      }) as Call<unknown> as Call<never>
    },
  } as Session
}

/** For explaining: the reads, then the writes, which do not wait for each other. */
function batchPlan(layout: Layout, { reads, writes }: Taken, sizes: Sizes = {}): Plan {
  const read = planTogether(layout, plansOf(reads, sizes), 'batch')
  const priced = plansOf(writes).map(plan => pricedWrite(layout, plan, sizes))
  const written = planBatch(layout, priced)
  return { steps: [...read.steps, ...shifted(written.steps, read.steps.length)], answer: read.answer }
}

async function runBatch(
  sending: Parameters<Intent<unknown>['run']>[0],
  { reads, writes, readAt, writeAt }: Taken,
  total: number,
  progress: ((done: number, of: number) => void) | undefined,
): Promise<unknown[]> {
  const { layout } = sending.context
  const answers: unknown[] = new Array(total).fill(undefined)
  if (reads.length > 0) {
    const rows = (await read(sending, planTogether(layout, plansOf(reads), 'batch'))) as unknown[]
    for (const [i, at] of readAt.entries()) answers[at] = rows[i]
  }
  progress?.(reads.length, total)
  if (writes.length === 0) return answers
  const plans = plansOf(writes)
  checkOnce(plans)
  const plan = planBatch(layout, plans)
  const failures = await writeEach(sending, plan, done => progress?.(reads.length + done, total))
  if (failures.length === 0) return answers
  const failed = failures.map(({ call, error }) => ({ call: writeAt[call]!, error }))
  throw new GraphError(
    'batch.failed',
    `${failed.length} of ${total} calls were not done: details.failed tells which, and why`,
    { failed },
  )
}

/** Two writes of one node or edge would be sent side by side: which comes last would be chance. */
function checkOnce(plans: readonly Plan[]): void {
  const written = plans.map(({ steps }) =>
    JSON.stringify(steps.at(-1)?.changes?.map(({ type, identity }) => [type, identity])),
  )
  if (new Set(written).size < written.length)
    throw new GraphError('write.transaction', 'a batch writes one node or edge twice: write one after the other')
}
