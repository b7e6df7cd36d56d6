import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { ServiceException } from '../dynamodb/exception.js'
import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import { hexOf } from '../layout/hex.js'
import type { Known } from '../plan/change-part.js'
import { chunksOf } from '../plan/chunks.js'
import { type Answer, itemsIn } from '../plan/found.js'
import { keyText, kindOf } from '../plan/identity.js'
import type { About, Plan, Refused, Step } from '../plan/plan.js'
import { lateWrite } from '../plan/write.js'
import { askedKeys } from '../plan/write-plan.js'
import { refusalError } from '../plan/write-refusal.js'
import { refusedAs, type WriteRequest } from '../plan/write-request.js'
import { GraphError } from '../schema/error.js'
import { mapValues } from '../schema/map-values.js'
import { delayMs } from '../store/backoff.js'
import { failureOf } from '../store/failures.js'
import { refuseLeft } from './reading.js'
import { lookedUp, type Sending } from './sending.js'

/** How often an outcome that nobody knows is looked up and the write, or the rest of a batch, sent again. */
export const SETTLINGS = 5
const TOKEN_BYTES = 18

/** The own item of what was written, before and after, where the plan or the store tells. */
export interface Written {
  readonly old?: Item | undefined
  readonly new?: Item | undefined
  /** The answer that told the one before was lost. */
  readonly lost?: boolean
}

/** Runs a writing step of a plan, the last unless said. Of several calls, an error says which it was. */
export async function write(
  sending: Sending,
  plan: Plan,
  { step = plan.steps.at(-1)!, several = false }: { readonly step?: Step; readonly several?: boolean } = {},
): Promise<Written> {
  try {
    return await written(sending, plan, step)
  } catch (error) {
    if (!several && error instanceof GraphError) delete (error.details as { call?: number }).call
    throw error
  }
}

/** Reads what it needs, fills it in, sends it, and again where the ground has moved. */
async function written(sending: Sending, plan: Plan, step: Step): Promise<Written> {
  const reads = step.after.map(id => plan.steps[id]!)
  const { layout, backoff } = sending.context
  const times = step.again ? Math.max(step.again.times, backoff.attempts) : 1
  for (let tried = 1; ; tried++) {
    const sent = lateWrite(layout, step, reads[0] && (await readAll(sending, reads)))
    if (!sent) return {}
    const outcome = await sendOnce(sending, sent)
    const { refused, at = 0 } = outcome
    if (refused === undefined) return outcome
    const about = sent.parts[at]!.about
    if (refused === 'nothing' || (refused === 'done' && about.call < 0)) return {}
    // It was sent again after a lost answer, and found what it had written.
    if (refused === 'done') return { old: sent.old, new: outcome.new, lost: !sent.old }
    if (refused === 'write.exists') throw refusalError(refused, found(sending, about, outcome.new))
    if (refused !== 'again') throw refusalError(refused, about)
    if (tried >= times) throw new GraphError('write.contended', 'others changed it each time: try later')
    // Those that met would meet again.
    await pause(sending, tried)
  }
}

/** Waits the longer, the more often it was tried. Where the call may not wait so long, its next request is refused. */
export const pause = ({ context: { backoff }, signal }: Sending, tried: number): Promise<void> =>
  backoff.clock.sleep(delayMs(tried, backoff), signal).catch(() => {})

/** What a create has found: the one edge that a node may have can be another than the one that was asked for. */
function found({ context: { layout } }: Sending, about: About, item: Item | undefined): About {
  const { type } = kindOf(layout, about.type)
  const identity = mapValues(about.identity, (asked, slot) => item?.[layout.names.of(type, slot)] ?? asked)
  return { ...about, identity }
}

/** What is there of all that steps ask for, and what is not. */
async function readAll(sending: Sending, steps: readonly Step[]): Promise<Known> {
  const { layout } = sending.context
  const known = new Map<string, Item | null>()
  for (const { request } of steps)
    for (const keys of chunksOf(askedKeys(layout, request, known), BATCH_GET_KEYS)) {
      for (const key of keys) known.set(keyText(layout, key), null)
      const isOne = request.operation === 'getItem'
      const items = isOne ? itemsIn([(await sending.send(request)) as Answer]) : await readBatch(sending, keys)
      for (const item of items) known.set(keyText(layout, item), item)
    }
  return known
}

export async function readBatch(sending: Sending, Keys: readonly Key[]): Promise<readonly Item[]> {
  const table = sending.context.layout.design.name
  const input = { RequestItems: { [table]: { Keys, ConsistentRead: true } } }
  const answer = (await sending.send({ operation: 'batchGetItem', input })) as Answer
  refuseLeft(answer.UnprocessedKeys)
  return itemsIn([answer])
}

interface Outcome extends Written {
  readonly refused?: Refused
  /** Which part of the request was refused; the first unless said. */
  readonly at?: number
}

/** One write, sent until it is known what became of it. */
async function sendOnce(sending: Sending, sent: WriteRequest): Promise<Outcome> {
  const { operation, input } = sent.request
  const { ReturnValues } = input
  const isTransaction = operation === 'transactWriteItems'
  // The service's own token only lets the same bytes be sent again: it is new for each write.
  const request = isTransaction
    ? { operation, input: { ...input, ClientRequestToken: hexOf(sending.context.surroundings.random(TOKEN_BYTES)) } }
    : sent.request
  const [{ refused: reason, sets, expects }] = sent.parts as [WriteRequest['parts'][number]]
  let lost: unknown
  for (let left = SETTLINGS; ; left--) {
    try {
      const { Attributes } = (await sending.send(request)) as { Attributes?: Item }
      return {
        old: ReturnValues === 'ALL_OLD' ? Attributes : sent.old,
        new: ReturnValues === 'ALL_NEW' ? Attributes : sent.new,
      }
    } catch (error) {
      const refused = conditionOf(sending, sent, error as Failed)
      // Others may have moved on what was lost.
      if (lost && sent.adds && refused?.refused === 'again') throw lost
      if (refused) return refused
      if (failureOf(error) !== 'unknown' || (isTransaction && sent.settle)) throw error
      // What no etag tells is read again, and written where there is still something to write.
      if (isTransaction) return { refused: 'again' }
      const settled = await lookedUp(error, settle(sending, sent))
      // It may have been refused, and what is gone be deleted by another.
      if (settled && reason === 'write.condition' && !sets) throw error
      if (settled) return { ...settled, lost: ReturnValues === 'ALL_OLD' }
      // An item that is not as it was read any more refuses it.
      if ((sent.adds && expects === undefined) || left === 0) throw error
      lost = error
    }
  }
}

/** Whether a write whose answer was lost has happened: our etag is there, or what was to go is gone. */
async function settle(sending: Sending, { settle: mark, old, new: made }: WriteRequest): Promise<Written | undefined> {
  if (!mark) return undefined
  const [item] = await readBatch(sending, [mark.key])
  const isDone = mark.sets ? item?.[sending.context.layout.names.etag]?.S === mark.sets : !item
  return isDone ? { old, new: made ?? item } : undefined
}

interface Failed extends Partial<ServiceException> {
  readonly Item?: Item
}

/** What a failed condition means: a part whose item is not as it was read has only moved on. */
function conditionOf(sending: Sending, sent: WriteRequest, error: Failed): Outcome | undefined {
  const { name, Item, CancellationReasons: reasons = [{ Code: name, Item }] } = error
  // Of a single write it is an exception of that name.
  const at = reasons.findIndex(({ Code }) => /^ConditionalCheckFailed/.test(`${Code}`))
  if (at < 0) return undefined
  const shown = reasons[at]!.Item
  const { layout, surroundings } = sending.context
  return { refused: refusedAs(layout, sent, at, shown, surroundings.now()), at, new: shown }
}
