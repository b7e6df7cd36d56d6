import type { BatchGetItemAnswer, BatchGetItemRequest, BatchWriteItemRequest } from '../dynamodb/operations/batches.js'
import type { TransactWriteItemsRequest } from '../dynamodb/operations/transactions.js'
import { disordered, partOfGet, partOfWrite } from './faulty-batches.js'
import {
  Crashed,
  cancelledByConflict,
  conflict,
  hangUp,
  inProgress,
  internalError,
  throttled,
} from './faulty-errors.js'
import { checkKnown } from './known-options.js'
import { OPERATIONS } from './operations.js'
import type { Answer, Operation, Request, Store } from './port.js'
import { type Send, streamReadsOf, type Wrapped, wrap } from './wrap.js'

/**
 * What can go wrong:
 * - `throttled`: refused for want of capacity, nothing done;
 * - `lost`: done, and the answer lost on the way;
 * - `unsent`: the same error, nothing done;
 * - `failed`: the service failed, done or not;
 * - `conflict`: a write met a transaction, or a transaction another request; nothing done;
 * - `inProgress`: a transaction whose token was sent before is still under way; nothing done;
 * - `unprocessed`: a part of a batch is left undone, and the answer says so;
 * - `disordered`: a batch of reads is answered in another order;
 * - `crashed`: the caller's process ended; see `crashAfter`.
 */
export type FaultKind = keyof typeof RATES | 'crashed'

/** How often each happens to a call that it can happen to. */
const RATES = {
  throttled: 0.05,
  lost: 0.04,
  unsent: 0.03,
  failed: 0.03,
  conflict: 0.04,
  inProgress: 0.05,
  unprocessed: 0.1,
  disordered: 0.1,
}

type Rates = Record<keyof typeof RATES, number>

/** What goes wrong, how often, and in which order. */
export interface FaultyOptions {
  /** The same seed and the same calls in the same order have the same faults. */
  readonly seed: number
  /** How often, from 0 to 1, each kind of fault happens to a call; where any are given, the others do not happen. */
  readonly rates?: Partial<Rates> | undefined
  /**
   * How many calls are let through before the process is taken to have ended, or a range from which the seed chooses.
   * The call after them is done or not, as the seed decides, and it and all later ones fail with `Crashed`.
   */
  readonly crashAfter?: number | { readonly min: number; readonly max: number } | undefined
}

/** Something that went wrong on purpose. */
export interface Fault {
  /** The number of the call that it happened to, from 1. */
  readonly call: number
  readonly operation: Operation
  readonly kind: FaultKind
  /** Whether the request was carried out all the same; of a batch left unprocessed, a part of it was. */
  readonly done: boolean
}

interface Faults {
  /** What went wrong so far, in the order of the calls. Once crashed, only the first call after it is listed. */
  readonly faults: readonly Fault[]
}

/** A store with faults. It reads streams where the given store does. */
export type Faulty<Given extends Store = Store> = Wrapped<Given> & Faults

/**
 * A store that fails now and then as DynamoDB and the network to it do. Requests on tables and reads of streams only
 * fail after a crash. Reads of streams are not counted as calls, so that polling does not change the faults.
 */
export function faulty<Given extends Store>(store: Given, options: FaultyOptions): Faulty<Given> {
  const { seed, rates: given, crashAfter } = givenOptions(options)
  const rates = ratesOf(given)
  const last = lastCall(seed, crashAfter)
  const faults: Fault[] = []
  const tokens = new Set<string>()
  let calls = 0
  const wrapped = wrap(store, async (operation, request, options, send) => {
    const call = ++calls
    const draw = drawing(seed, call)
    const note = (kind: FaultKind, done: boolean) => {
      faults.push({ call, operation, kind, done })
    }
    if (call > last) {
      const isDone = call === last + 1 && draw() < 0.5
      if (call === last + 1) note('crashed', isDone)
      if (isDone) await send(request, options)
      throw new Crashed(last)
    }
    const kind = kindOf(operation, request, rates, tokens, draw())
    return kind === undefined
      ? send(request, options)
      : fail(kind, { operation, request, draw, note, send: each => send(each, options) })
  })
  return Object.assign(
    wrapped,
    untilCrash(streamReadsOf(store), () => calls > last && new Crashed(last)),
    { faults },
  )
}

/** The same methods, which reject once the process is taken to have ended. */
function untilCrash(methods: object, crash: () => Error | false): object {
  const reads = Object.entries(methods).map(([name, read]) => [
    name,
    async (...given: unknown[]) => {
      const crashed = crash()
      if (crashed) throw crashed
      return read(...given)
    },
  ])
  return Object.fromEntries(reads)
}

function givenOptions(options: FaultyOptions): FaultyOptions {
  const wrong = 'faulty() takes options by name, with a seed: faulty(store, { seed: 7 })'
  if (typeof options !== 'object' || options === null) throw new TypeError(wrong)
  checkKnown('faulty()', options, 'seed, rates, crashAfter')
  // Without one, any two runs would have the same faults, and nobody had chosen them.
  if (typeof options.seed !== 'number') throw new TypeError(wrong)
  return options
}

const NEVER = Object.fromEntries(Object.keys(RATES).map(kind => [kind, 0])) as Rates

function ratesOf(given: Partial<Rates> | undefined): Rates {
  const known = Object.entries(given ?? {}).filter(([, rate]) => rate !== undefined)
  const rates: Rates = given ? { ...NEVER, ...Object.fromEntries(known) } : RATES
  const unknown = Object.keys(rates).find(kind => !Object.hasOwn(RATES, kind))
  if (unknown !== undefined) throw new RangeError(`there is no fault '${unknown}'`)
  const sum = Object.values(rates).reduce((total, rate) => total + rate, 0)
  if (!(sum <= 1) || Object.values(rates).some(rate => rate < 0))
    throw new RangeError('the rates of faults must be at least 0, and together at most 1')
  return rates
}

function lastCall(seed: number, crashAfter: FaultyOptions['crashAfter']): number {
  if (crashAfter === undefined) return Number.POSITIVE_INFINITY
  if (typeof crashAfter !== 'number') checkKnown('crashAfter', crashAfter, 'min, max')
  const { min, max } = typeof crashAfter === 'number' ? { min: crashAfter, max: crashAfter } : crashAfter
  // Of anything else it would never crash, and show nothing.
  if (!Number.isInteger(min) || !Number.isInteger(max) || min < 0 || max < min)
    throw new RangeError('crashAfter is a whole number from 0, or a range of such')
  return min + Math.floor(drawing(seed, 0)() * (max - min + 1))
}

/** Which fault befalls a call: those that can share the line from 0 to 1 by their rates. */
function kindOf(
  operation: Operation,
  request: object,
  rates: Rates,
  tokens: Set<string>,
  drawn: number,
): keyof Rates | undefined {
  const possible = possibleKinds(operation, isRepeated(request, tokens))
  let from = 0
  for (const kind of possible) {
    const to = from + rates[kind]
    if (drawn >= from && drawn < to) return kind
    from = to
  }
  return undefined
}

/** Whether a transaction's token was sent before; notes that it was. */
function isRepeated(request: object, tokens: Set<string>): boolean {
  const { ClientRequestToken: token } = request as Partial<TransactWriteItemsRequest>
  if (typeof token !== 'string') return false
  return tokens.has(token) || !tokens.add(token)
}

function possibleKinds(operation: Operation, repeated: boolean): (keyof Rates)[] {
  const { effect, on } = OPERATIONS[operation]
  if (on === 'tables') return []
  const isBatch = operation === 'batchGetItem' || operation === 'batchWriteItem'
  const meetsOthers = operation === 'transactGetItems' || (effect === 'write' && !isBatch)
  return [
    'throttled',
    'lost',
    'unsent',
    'failed',
    ...(meetsOthers ? (['conflict'] as const) : []),
    ...(repeated ? (['inProgress'] as const) : []),
    ...(isBatch ? (['unprocessed'] as const) : []),
    ...(operation === 'batchGetItem' ? (['disordered'] as const) : []),
  ]
}

interface Failing<Name extends Operation> {
  readonly operation: Name
  readonly request: Request<Name>
  readonly draw: () => number
  readonly note: (kind: FaultKind, done: boolean) => void
  readonly send: Send<Name>
}

async function fail<Name extends Operation>(kind: keyof Rates, failing: Failing<Name>): Promise<Answer<Name>> {
  const { operation, request, draw, note, send } = failing
  if (kind === 'unprocessed' || kind === 'disordered') return inPart(kind, failing)
  const isDone = kind === 'lost' || (kind === 'failed' && draw() < 0.5)
  note(kind, isDone)
  // What the store refuses for good is refused: an answer is lost only where there is one.
  if (isDone) await send(request)
  switch (kind) {
    case 'throttled':
      throw throttled()
    case 'conflict':
      throw conflictOf(operation, request, draw)
    case 'inProgress':
      throw inProgress()
    case 'failed':
      throw internalError()
    default:
      throw hangUp()
  }
}

function conflictOf(operation: Operation, request: object, draw: () => number): Error {
  if (operation !== 'transactWriteItems' && operation !== 'transactGetItems') return conflict()
  const count = (request as { TransactItems?: readonly unknown[] }).TransactItems?.length ?? 0
  const certain = Math.floor(draw() * count)
  return cancelledByConflict(Array.from({ length: count }, (_, i) => i === certain || draw() < 0.2))
}

/** A batch of one is done or refused, never left: it is passed on. */
async function inPart<Name extends Operation>(
  kind: 'unprocessed' | 'disordered',
  { operation, request, draw, note, send }: Failing<Name>,
): Promise<Answer<Name>> {
  const part = partOf(operation, request, draw)
  if (!part) return send(request)
  note(kind, true)
  if (kind === 'disordered') return disordered((await send(request)) as BatchGetItemAnswer, draw) as Answer<Name>
  const answer = await send(part.request as Request<Name>)
  return { ...(answer as object), ...part.unprocessed } as Answer<Name>
}

function partOf(operation: Operation, request: object, draw: () => number) {
  return operation === 'batchGetItem'
    ? partOfGet(request as BatchGetItemRequest, draw)
    : partOfWrite(request as BatchWriteItemRequest, draw)
}

/** Numbers from 0 to 1 that follow from the seed and the number of the call alone (mulberry32). */
function drawing(seed: number, call: number): () => number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(call + 1, 0xc2b2ae35)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
