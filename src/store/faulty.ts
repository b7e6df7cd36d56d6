import type { BatchGetItemInput, BatchGetItemOutput, BatchWriteItemInput } from '../dynamodb/operations/batches.js'
import type { TransactWriteItemsInput } from '../dynamodb/operations/transactions.js'
import { assertKnownOptions } from './check-options.js'
import { shuffleResponses, splitBatchGet, splitBatchWrite } from './faulty-batches.js'
import {
  Crashed,
  createCancellationError,
  createConflictError,
  createConnectionResetError,
  createInProgressError,
  createInternalServerError,
  createThrottlingError,
} from './faulty-errors.js'
import { OPERATION_TRAITS } from './operation-traits.js'
import type { Operation, OperationInput, OperationOutput, Store } from './port.js'
import { type OperationSender, streamMethodsOf, type WrappedStore, wrap } from './wrap.js'

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
export type FaultKind = keyof typeof DEFAULT_RATES | 'crashed'

/** How often each happens to a call that it can happen to. */
const DEFAULT_RATES = {
  throttled: 0.05,
  lost: 0.04,
  unsent: 0.03,
  failed: 0.03,
  conflict: 0.04,
  inProgress: 0.05,
  unprocessed: 0.1,
  disordered: 0.1,
}

type FaultRates = Record<keyof typeof DEFAULT_RATES, number>

/** What goes wrong, how often, and in which order. */
export interface FaultyOptions {
  /** The same seed and the same calls in the same order have the same faults. */
  readonly seed: number
  /** How often, from 0 to 1, each kind of fault happens to a call; where any are given, the others do not happen. */
  readonly rates?: Partial<FaultRates> | undefined
  /**
   * How many calls are let through before the process is taken to have ended, or a range from which the seed chooses.
   * The call after them is done or not, as the seed decides, and it and all later ones fail with `Crashed`.
   */
  readonly crashAfter?: number | { readonly min: number; readonly max: number } | undefined
}

/** Something that went wrong on purpose. */
export interface InjectedFault {
  /** The number of the call that it happened to, from 1. */
  readonly call: number
  readonly operation: Operation
  readonly kind: FaultKind
  /** Whether the request was carried out all the same; of a batch left unprocessed, a part of it was. */
  readonly done: boolean
}

interface FaultLog {
  /** What went wrong so far, in the order of the calls. Once crashed, only the first call after it is listed. */
  readonly faults: readonly InjectedFault[]
}

/** A store with faults. It reads streams where the given store does. */
export type FaultyStore<Given extends Store = Store> = WrappedStore<Given> & FaultLog

/**
 * A store that fails now and then as DynamoDB and the network to it do. Requests on tables and reads of streams only
 * fail after a crash. Reads of streams are not counted as calls, so that polling does not change the faults.
 */
export function faulty<Given extends Store>(store: Given, options: FaultyOptions): FaultyStore<Given> {
  const { seed, rates: givenRates, crashAfter } = checkFaultyOptions(options)
  const rates = resolveRates(givenRates)
  const lastBeforeCrash = chooseLastCall(seed, crashAfter)
  const faults: InjectedFault[] = []
  const tokens = new Set<string>()
  let calls = 0
  const wrapped = wrap(store, async (operation, request, options, send) => {
    const call = ++calls
    const random = createCallRandom(seed, call)
    const recordFault = (kind: FaultKind, done: boolean) => {
      faults.push({ call, operation, kind, done })
    }
    if (call > lastBeforeCrash) {
      const isDone = call === lastBeforeCrash + 1 && random() < 0.5
      if (call === lastBeforeCrash + 1) recordFault('crashed', isDone)
      if (isDone) await send(request, options)
      throw new Crashed(lastBeforeCrash)
    }
    const kind = chooseFaultKind(operation, request, rates, tokens, random())
    return kind === undefined
      ? send(request, options)
      : failCall(kind, { operation, request, random, recordFault, send: sentRequest => send(sentRequest, options) })
  })
  return Object.assign(
    wrapped,
    withCrash(streamMethodsOf(store), () => calls > lastBeforeCrash && new Crashed(lastBeforeCrash)),
    { faults },
  )
}

/** The same methods, which reject once the process is taken to have ended. */
function withCrash(methods: object, crashIfDue: () => Error | false): object {
  const reads = Object.entries(methods).map(([name, read]) => [
    name,
    async (...args: unknown[]) => {
      const crashError = crashIfDue()
      if (crashError) throw crashError
      return read(...args)
    },
  ])
  return Object.fromEntries(reads)
}

function checkFaultyOptions(options: FaultyOptions): FaultyOptions {
  const usage = 'faulty() takes options by name, with a seed: faulty(store, { seed: 7 })'
  if (typeof options !== 'object' || options === null) throw new TypeError(usage)
  assertKnownOptions('faulty()', options, 'seed, rates, crashAfter')
  // Without one, any two runs would have the same faults, and nobody had chosen them.
  if (typeof options.seed !== 'number') throw new TypeError(usage)
  return options
}

const ZERO_RATES = Object.fromEntries(Object.keys(DEFAULT_RATES).map(kind => [kind, 0])) as FaultRates

function resolveRates(givenRates: Partial<FaultRates> | undefined): FaultRates {
  const definedRates = Object.entries(givenRates ?? {}).filter(([, rate]) => rate !== undefined)
  const rates: FaultRates = givenRates ? { ...ZERO_RATES, ...Object.fromEntries(definedRates) } : DEFAULT_RATES
  const unknownKind = Object.keys(rates).find(kind => !Object.hasOwn(DEFAULT_RATES, kind))
  if (unknownKind !== undefined) throw new RangeError(`there is no fault '${unknownKind}'`)
  const totalRate = Object.values(rates).reduce((total, rate) => total + rate, 0)
  if (!(totalRate <= 1) || Object.values(rates).some(rate => rate < 0))
    throw new RangeError('the rates of faults must be at least 0, and together at most 1')
  return rates
}

function chooseLastCall(seed: number, crashAfter: FaultyOptions['crashAfter']): number {
  if (crashAfter === undefined) return Number.POSITIVE_INFINITY
  if (typeof crashAfter !== 'number') assertKnownOptions('crashAfter', crashAfter, 'min, max')
  const { min, max } = typeof crashAfter === 'number' ? { min: crashAfter, max: crashAfter } : crashAfter
  // Of anything else it would never crash, and show nothing.
  if (!Number.isInteger(min) || !Number.isInteger(max) || min < 0 || max < min)
    throw new RangeError('crashAfter is a whole number from 0, or a range of such')
  return min + Math.floor(createCallRandom(seed, 0)() * (max - min + 1))
}

/** Which fault befalls a call: those that can share the line from 0 to 1 by their rates. */
function chooseFaultKind(
  operation: Operation,
  request: object,
  rates: FaultRates,
  tokens: Set<string>,
  randomNumber: number,
): keyof FaultRates | undefined {
  const possibleFaults = possibleFaultKinds(operation, hasSentToken(request, tokens))
  let start = 0
  for (const kind of possibleFaults) {
    const end = start + rates[kind]
    if (randomNumber >= start && randomNumber < end) return kind
    start = end
  }
  return undefined
}

/** Whether a transaction's token was sent before; notes that it was. */
function hasSentToken(request: object, tokens: Set<string>): boolean {
  const { ClientRequestToken: token } = request as Partial<TransactWriteItemsInput>
  if (typeof token !== 'string') return false
  return tokens.has(token) || !tokens.add(token)
}

function possibleFaultKinds(operation: Operation, isRepeatedToken: boolean): (keyof FaultRates)[] {
  const { effect, target } = OPERATION_TRAITS[operation]
  if (target === 'tables') return []
  const isBatch = operation === 'batchGetItem' || operation === 'batchWriteItem'
  const canConflict = operation === 'transactGetItems' || (effect === 'write' && !isBatch)
  return [
    'throttled',
    'lost',
    'unsent',
    'failed',
    ...(canConflict ? (['conflict'] as const) : []),
    ...(isRepeatedToken ? (['inProgress'] as const) : []),
    ...(isBatch ? (['unprocessed'] as const) : []),
    ...(operation === 'batchGetItem' ? (['disordered'] as const) : []),
  ]
}

interface FaultyCall<Name extends Operation> {
  readonly operation: Name
  readonly request: OperationInput<Name>
  readonly random: () => number
  readonly recordFault: (kind: FaultKind, done: boolean) => void
  readonly send: OperationSender<Name>
}

async function failCall<Name extends Operation>(
  kind: keyof FaultRates,
  call: FaultyCall<Name>,
): Promise<OperationOutput<Name>> {
  const { operation, request, random, recordFault, send } = call
  if (kind === 'unprocessed' || kind === 'disordered') return answerPartially(kind, call)
  const isDone = kind === 'lost' || (kind === 'failed' && random() < 0.5)
  recordFault(kind, isDone)
  // What the store refuses for good is refused: an answer is lost only where there is one.
  if (isDone) await send(request)
  switch (kind) {
    case 'throttled':
      throw createThrottlingError()
    case 'conflict':
      throw createConflictFor(operation, request, random)
    case 'inProgress':
      throw createInProgressError()
    case 'failed':
      throw createInternalServerError()
    default:
      throw createConnectionResetError()
  }
}

function createConflictFor(operation: Operation, request: object, random: () => number): Error {
  if (operation !== 'transactWriteItems' && operation !== 'transactGetItems') return createConflictError()
  const count = (request as { TransactItems?: readonly unknown[] }).TransactItems?.length ?? 0
  const firstConflict = Math.floor(random() * count)
  return createCancellationError(Array.from({ length: count }, (_, i) => i === firstConflict || random() < 0.2))
}

/** A batch of one is done or refused, never left: it is passed on. */
async function answerPartially<Name extends Operation>(
  kind: 'unprocessed' | 'disordered',
  { operation, request, random, recordFault, send }: FaultyCall<Name>,
): Promise<OperationOutput<Name>> {
  const part = splitBatch(operation, request, random)
  if (!part) return send(request)
  recordFault(kind, true)
  if (kind === 'disordered')
    return shuffleResponses((await send(request)) as BatchGetItemOutput, random) as OperationOutput<Name>
  const output = await send(part.request as OperationInput<Name>)
  return { ...(output as object), ...part.unprocessed } as OperationOutput<Name>
}

function splitBatch(operation: Operation, request: object, random: () => number) {
  return operation === 'batchGetItem'
    ? splitBatchGet(request as BatchGetItemInput, random)
    : splitBatchWrite(request as BatchWriteItemInput, random)
}

/** Numbers from 0 to 1 that follow from the seed and the number of the call alone (mulberry32). */
function createCallRandom(seed: number, call: number): () => number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(call + 1, 0xc2b2ae35)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
