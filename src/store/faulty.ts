import type {
  BatchGetItemInput,
  BatchGetItemOutput,
  BatchWriteItemInput,
  TransactWriteItemsInput,
} from '../dynamodb/operation-types.js'
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
 * The kinds of injected faults:
 * - `throttled`: rejected for lack of capacity, not applied;
 * - `lost`: applied, but the response is lost;
 * - `unsent`: the same error as `lost`, not applied;
 * - `failed`: an internal server error, applied or not;
 * - `conflict`: a conflict with a transaction, not applied;
 * - `inProgress`: a transaction with the same token is still in progress, not applied;
 * - `unprocessed`: a part of a batch stays unprocessed, and the response lists it;
 * - `disordered`: a batch read returns its items in a different order;
 * - `crashed`: the calling process ended; see `crashAfter`.
 */
export type FaultKind = keyof typeof DEFAULT_RATES | 'crashed'

/** The default probability of each kind of fault, for calls to which it applies. */
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

/** Options of `faulty()`: the kinds, the rates and the order of the faults. */
export interface FaultyOptions {
  /** Determines the faults: the same seed and the same calls in the same order give the same faults. */
  readonly seed: number
  /** The probability, from 0 to 1, of each kind of fault per call. Kinds that `rates` does not name do not happen. */
  readonly rates?: Partial<FaultRates> | undefined
  /**
   * The number of calls before the simulated crash, or a range from which the seed chooses. The seed decides whether
   * the next call is applied. That call and all later calls fail with `Crashed`.
   */
  readonly crashAfter?: number | { readonly min: number; readonly max: number } | undefined
}

/** A fault that the store injected. */
export interface InjectedFault {
  /** The number of the affected call, starting at 1. */
  readonly call: number
  readonly operation: Operation
  readonly kind: FaultKind
  /** Whether the store applied the request. For an unprocessed batch, a part of it was applied. */
  readonly done: boolean
}

interface FaultLog {
  /** The injected faults in the order of the calls. After a crash, the list contains only the first failing call. */
  readonly faults: readonly InjectedFault[]
}

/** A store with injected faults. It reads streams if the wrapped store does. */
export type FaultyStore<Input extends Store = Store> = WrappedStore<Input> & FaultLog

/**
 * Wraps a store so that calls fail as they do with DynamoDB and a real network.
 *
 * Requests on tables and reads of streams fail only after a crash. Stream reads do not count as calls, so polling does
 * not change which calls fail.
 *
 * @param store - The store to wrap, such as `memory()`.
 * @returns The wrapped store, with the injected faults in `faults`.
 * @throws {TypeError | RangeError} if an option is missing, unknown or invalid.
 * @example
 * ```ts
 * import { memory } from 'edgewise/engine'
 * import { faulty } from 'edgewise/testing'
 *
 * const store = faulty(memory(), { seed: 1, rates: { throttled: 0.1, lost: 0.05 } })
 * ```
 */
export function faulty<Input extends Store>(store: Input, options: FaultyOptions): FaultyStore<Input> {
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

/** The same methods; each rejects after the simulated crash. */
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
  const usage = 'faulty(): the seed is missing; give options by name, as in faulty(store, { seed: 7 }).'
  if (typeof options !== 'object' || options === null) throw new TypeError(usage)
  assertKnownOptions('faulty()', options, 'seed, rates, crashAfter')
  // A default seed would give any two runs the same faults without a visible choice.
  if (typeof options.seed !== 'number') throw new TypeError(usage)
  return options
}

const ZERO_RATES = Object.fromEntries(Object.keys(DEFAULT_RATES).map(kind => [kind, 0])) as FaultRates

function resolveRates(givenRates: Partial<FaultRates> | undefined): FaultRates {
  const definedRates = Object.entries(givenRates ?? {}).filter(([, rate]) => rate !== undefined)
  const rates: FaultRates = givenRates ? { ...ZERO_RATES, ...Object.fromEntries(definedRates) } : DEFAULT_RATES
  const unknownKind = Object.keys(rates).find(kind => !Object.hasOwn(DEFAULT_RATES, kind))
  if (unknownKind !== undefined)
    throw new RangeError(`rates: there is no fault '${unknownKind}'; use ${Object.keys(DEFAULT_RATES).join(', ')}.`)
  const totalRate = Object.values(rates).reduce((total, rate) => total + rate, 0)
  if (!(totalRate <= 1) || Object.values(rates).some(rate => rate < 0))
    throw new RangeError('rates: a rate is negative, or the rates add up to more than 1; give rates from 0 to 1.')
  return rates
}

function chooseLastCall(seed: number, crashAfter: FaultyOptions['crashAfter']): number {
  if (crashAfter === undefined) return Number.POSITIVE_INFINITY
  if (typeof crashAfter !== 'number') assertKnownOptions('crashAfter', crashAfter, 'min, max')
  const { min, max } = typeof crashAfter === 'number' ? { min: crashAfter, max: crashAfter } : crashAfter
  // Other values would never crash the store and would hide the mistake.
  if (!Number.isInteger(min) || !Number.isInteger(max) || min < 0 || max < min)
    throw new RangeError(
      'crashAfter: the value is not a number of calls; give a whole number from 0, or a range { min, max }.',
    )
  return min + Math.floor(createCallRandom(seed, 0)() * (max - min + 1))
}

/** Chooses the fault of a call: the applicable kinds divide the range from 0 to 1 by their rates. */
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

/** Records the token of a transaction and returns whether it was sent before. */
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
  // A request that the store itself rejects stays rejected: only an existing response can get lost.
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

/** A batch of one entry cannot be left unprocessed in part, so it is passed on. */
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

/** Random numbers from 0 to 1 that depend only on the seed and the number of the call (mulberry32). */
function createCallRandom(seed: number, call: number): () => number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(call + 1, 0xc2b2ae35)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
