import type {
  BatchGetItemInput,
  BatchGetItemOutput,
  ConsumedCapacity,
  GetItemInput,
  GetItemOutput,
} from '../../dynamodb/operation-types.js'
import type { RequestTemplate, TemplateInput } from '../../plan/plan.js'
import type { Code } from '../../schema/codes.js'
import { GraphError } from '../../schema/error.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { failureKindOf, isConflict, isFailedRead } from '../../store/failure-kind.js'
import { OPERATION_TRAITS } from '../../store/operation-traits.js'
import type { CallOptions } from '../../store/port.js'
import { assertArgument, assertFunction, assertNumber, NO_OPTIONS, parseCaps } from '../arguments.js'
import type { Caps, Context, TraceEvent } from '../context.js'
import type { RunOptions } from '../types/call.js'
import { ConsumedUnits } from './consumed-units.js'

interface ResponseMembers {
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[]
}

type SendOperation = (input: object, options?: CallOptions) => Promise<unknown>

/** The longest delay that timers accept is about 24.8 days. Timers take whole milliseconds. */
const MAX_TIMER_MS = 2e9

/** Sends the requests of one call and counts them. */
export class RequestSender {
  /** The units consumed so far. */
  readonly consumed = new ConsumedUnits()
  requests = 0
  private readonly caps: Caps
  private readonly deadline: AbortSignalLike | undefined
  readonly signal: AbortSignalLike | undefined
  private readonly countsUnits: boolean

  constructor(
    readonly context: Context,
    options: RunOptions,
    counts: boolean,
    private readonly call?: TraceEvent,
  ) {
    // Most calls have no options.
    if (options !== NO_OPTIONS) assertRunOptions(options)
    const { signal, deadlineMs, caps } = options
    this.caps = caps ? { ...context.caps, ...parseCaps(caps) } : context.caps
    this.countsUnits = counts || this.caps.units !== undefined || !!context.listener
    this.deadline = deadlineMs! < MAX_TIMER_MS ? AbortSignal.timeout(deadlineMs! | 0) : undefined
    this.signal = signal && this.deadline ? AbortSignal.any([signal, this.deadline]) : (signal ?? this.deadline)
  }

  /**
   * Sends a request. Store errors are converted to GraphError, except for failed conditions, which the caller
   * evaluates.
   */
  async send({ operation, input }: RequestTemplate): Promise<unknown> {
    if (this.context.state.isClosed) throw new GraphError('call.closed', 'graph: it is closed; open it again.')
    this.assertNotEnded()
    const { requests, units } = this.caps
    // An unset cap is undefined, and comparisons with undefined are false.
    if (this.requests >= requests!) throw capError(`requests: ${requests}`)
    if (this.consumed.total >= units!) throw capError(`units: ${units}`)
    this.requests++
    const request = this.countsUnits ? { ...input, ReturnConsumedCapacity: 'INDEXES' } : input
    const scope = this.context.listener?.({
      kind: 'request',
      name: operation,
      input: request,
      ...(this.call && { call: this.call }),
    })
    try {
      const store = this.context.store as unknown as Record<string, SendOperation>
      const send = () => store[operation]!(request, this.signal && { abortSignal: this.signal })
      const response = (await (scope ? scope.run(send) : send())) as ResponseMembers
      if (!this.countsUnits) return response
      const { consumed } = this
      const before = consumed.total
      for (const capacity of [response.ConsumedCapacity ?? []].flat())
        consumed.add(OPERATION_TRAITS[operation].effect, capacity)
      scope?.end({ units: consumed.total - before })
      return response
    } catch (error) {
      scope?.end({ error })
      // The SDK throws its own error for a request that is aborted in flight.
      this.assertNotEnded()
      throw error
    }
  }

  /** Reads of items by key, for `readItemByKey` and `readItemsByKey`. */
  getItem(input: GetItemInput): Promise<GetItemOutput> {
    return this.send({ operation: 'getItem', input: input as unknown as TemplateInput }) as Promise<GetItemOutput>
  }

  batchGetItem(input: BatchGetItemInput): Promise<BatchGetItemOutput> {
    return this.send({
      operation: 'batchGetItem',
      input: input as unknown as TemplateInput,
    }) as Promise<BatchGetItemOutput>
  }

  /** Throws if the signal was aborted or the deadline has passed. */
  assertNotEnded(): void {
    if (this.deadline?.aborted)
      throw new GraphError(
        'call.deadline',
        'call: its deadline has passed, and writes that were already sent may be applied; read before you write again.',
      )
    this.signal?.throwIfAborted()
  }
}

function assertRunOptions({ signal, deadlineMs, progress }: RunOptions): void {
  assertNumber(deadlineMs, 'deadlineMs')
  assertFunction(progress, 'progress')
  assertArgument(
    !signal || !!signal.throwIfAborted,
    'signal: the value is not an AbortSignal; give the signal of an AbortController.',
  )
}

const capError = (cap: string) =>
  new GraphError('call.cap', `call: it would exceed its cap (${cap}); raise the cap, or request less.`)

/** Converts a store error to a GraphError. A GraphError or an abort is returned unchanged. */
export function toStoreError(error: unknown): unknown {
  if (error instanceof GraphError) return error
  // When connections to several addresses fail, only the inner errors have the cause.
  const { name = '', message = '', errors = [] } = (error ?? {}) as Partial<AggregateError>
  const wrapped = (code: Code, problem: string, advice: string) =>
    Object.assign(new GraphError(code, `store: ${problem} (${message}${errors}); ${advice}.`), { cause: error })
  const failure = failureKindOf(error)
  const setting = SETTINGS.find(({ isMissing }) => isMissing({ name, message }))
  if (setting) return Object.assign(new GraphError('store.settings', setting.text), { cause: error })
  if (isConflict(error))
    return wrapped(
      'write.contended',
      'concurrent transactions kept changing the same item',
      "retry later, or let the stream keep the counters of busy nodes (by: 'stream')",
    )
  if (failure === 'refused')
    return wrapped('store.throttled', 'it throttled the request and all retries', 'retry later')
  if (failure === 'absent')
    return wrapped(
      'store.absent',
      'cannot connect to DynamoDB',
      "check that it is running and that 'endpoint' is correct",
    )
  if (failure === 'unknown' && isFailedRead(error))
    return wrapped('store.unknown', 'a read failed because its response was lost', 'retry it')
  if (failure === 'unknown')
    return wrapped(
      'store.unknown',
      'the response was lost, so the write may have been applied',
      'read before you write again',
    )
  if (name === 'ResourceNotFoundException')
    return wrapped('store.table', 'the table does not exist', 'create it, or check its name and region')
  return /Exception$/.test(name)
    ? wrapped('store.refused', `it rejected the request with ${name}`, 'correct the request or the permissions')
    : error
}

/** Settings that the AWS SDK reports as missing before it sends a request. */
const SETTINGS: readonly { isMissing(error: Pick<Error, 'name' | 'message'>): boolean; readonly text: string }[] = [
  {
    isMissing: ({ message }) => message === 'Region is missing',
    text: "DynamoDB: no AWS region is configured; set AWS_REGION, or pass 'region' to dynamodb().",
  },
  {
    isMissing: ({ name }) => name === 'CredentialsProviderError',
    text: "DynamoDB: no AWS credentials were found; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or pass 'credentials' to dynamodb().",
  },
]

/**
 * Resolves to the outcome of a write whose response was lost. When the lookup is throttled or exceeds a cap, the
 * outcome stays unknown and the original error is thrown.
 */
export function resolveLostWrite<T>(lostError: unknown, lookup: Promise<T>): Promise<T> {
  return lookup.catch(error => {
    throw /throttled|absent|unknown|cap$/.test((toStoreError(error) as GraphError | undefined)?.code ?? '')
      ? lostError
      : error
  })
}
