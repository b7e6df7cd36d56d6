import type { ConsumedCapacity } from '../dynamodb/operations/capacity.js'
import type { Draft } from '../plan/plan.js'
import type { Code } from '../schema/codes.js'
import { GraphError } from '../schema/error.js'
import type { AbortSignalLike } from '../store/abort-signal.js'
import { failureOf, isConflict, isFailedRead } from '../store/failures.js'
import { OPERATIONS } from '../store/operations.js'
import type { CallOptions } from '../store/port.js'
import type { Caps, Context, Traced } from './context.js'
import { capsOf, given, givenFunction, givenNumber } from './given.js'
import type { RunOptions } from './types/call.js'
import { Tally } from './units.js'

interface Told {
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[]
}

type Sender = (input: object, options?: CallOptions) => Promise<unknown>

/** No timer takes it, and no call takes weeks. Timers take whole numbers. */
const TOO_LONG_MS = 2e9

/** Sends the requests of one call, and keeps account of them. */
export class Sending {
  /** What it took so far. */
  readonly tally = new Tally()
  requests = 0
  private readonly caps: Caps
  private readonly deadline: AbortSignalLike | undefined
  readonly signal: AbortSignalLike | undefined
  private readonly counts: boolean

  constructor(
    readonly context: Context,
    { signal, deadlineMs, caps, progress }: RunOptions,
    counts: boolean,
    private readonly call?: Traced,
  ) {
    givenNumber(deadlineMs, 'deadlineMs')
    givenFunction(progress, 'progress')
    given(!signal || !!signal.throwIfAborted, 'signal is an AbortSignal')
    this.caps = { ...context.caps, ...capsOf(caps) }
    this.counts = counts || this.caps.units !== undefined || !!context.listener
    this.deadline = deadlineMs! < TOO_LONG_MS ? AbortSignal.timeout(deadlineMs! | 0) : undefined
    this.signal = signal && this.deadline ? AbortSignal.any([signal, this.deadline]) : (signal ?? this.deadline)
  }

  /** Whatever the store throws comes out as a GraphError, but for refused conditions, which the caller reads. */
  async send({ operation, input }: Draft): Promise<unknown> {
    if (this.context.state.closed) throw new GraphError('call.closed', 'the graph was closed: open it again')
    this.refuseEnded()
    const { requests, units } = this.caps
    // Nothing is as much as what is not said.
    if (this.requests >= requests!) throw atCap(`requests: ${requests}`)
    if (this.tally.total >= units!) throw atCap(`units: ${units}`)
    this.requests++
    const request = this.counts ? { ...input, ReturnConsumedCapacity: 'INDEXES' } : input
    const scope = this.context.listener?.({
      kind: 'request',
      name: operation,
      input: request,
      ...(this.call && { call: this.call }),
    })
    try {
      const store = this.context.store as unknown as Record<string, Sender>
      const send = () => store[operation]!(request, this.signal && { abortSignal: this.signal })
      const answer = (await (scope ? scope.run(send) : send())) as Told
      if (!this.counts) return answer
      const { tally } = this
      const before = tally.total
      for (const capacity of [answer.ConsumedCapacity ?? []].flat()) tally.add(OPERATIONS[operation].effect, capacity)
      scope?.end({ units: tally.total - before })
      return answer
    } catch (error) {
      scope?.end({ error })
      // The SDK has an error of its own for what is aborted under way.
      this.refuseEnded()
      throw error
    }
  }

  private refuseEnded(): void {
    if (this.deadline?.aborted) throw new GraphError('call.deadline', 'the deadline is past: what was sent may be done')
    this.signal?.throwIfAborted()
  }
}

const atCap = (cap: string) =>
  new GraphError('call.cap', `it is not done, at its cap (${cap}): raise it, or ask for less`)

const CONTENDED =
  "gave up because concurrent transactions kept changing the same item; retry later, or let the stream keep the counters of busy nodes (by: 'stream')"

/** An error of the store in our words. Those that are ours already, and aborts, stay what they are. */
export function storeError(error: unknown): unknown {
  if (error instanceof GraphError) return error
  // Where several addresses were tried in vain, only the errors within tell of them.
  const { name = '', message = '', errors = [] } = (error ?? {}) as Partial<AggregateError>
  const told = (code: Code, words: string) =>
    Object.assign(new GraphError(code, `${words}: ${message}${errors}`), { cause: error })
  const failure = failureOf(error)
  const setting = SETTINGS.find(({ isMissing }) => isMissing({ name, message }))
  if (setting) return Object.assign(new GraphError('store.settings', setting.text), { cause: error })
  if (isConflict(error)) return told('write.contended', CONTENDED)
  if (failure === 'refused') return told('store.throttled', 'the store refused it for now, however often it was tried')
  if (failure === 'absent') return told('store.absent', 'nothing answers: start it, or mend the endpoint')
  if (failure === 'unknown' && isFailedRead(error))
    return told('store.unknown', 'a read failed because its response was lost; retry it')
  if (failure === 'unknown') return told('store.unknown', 'the answer was lost, so it may be done')
  if (name === 'ResourceNotFoundException') return told('store.table', 'the table is not there')
  return /Exception$/.test(name) ? told('store.refused', `the store refused it with ${name}`) : error
}

/** Settings that the AWS SDK reports as missing before it sends a request. */
const SETTINGS: readonly { isMissing(error: Pick<Error, 'name' | 'message'>): boolean; readonly text: string }[] = [
  {
    isMissing: ({ message }) => message === 'Region is missing',
    text: "DynamoDB: no AWS region is configured; set AWS_REGION, or pass 'region' to dynamodb()",
  },
  {
    isMissing: ({ name }) => name === 'CredentialsProviderError',
    text: "DynamoDB: no AWS credentials were found; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or pass 'credentials' to dynamodb()",
  },
]

/** What became of a write whose answer was lost. Where looking it up is refused for now, or by a cap, nobody knows still. */
export function lookedUp<T>(lost: unknown, looking: Promise<T>): Promise<T> {
  return looking.catch(error => {
    throw /throttled|absent|unknown|cap$/.test((storeError(error) as GraphError | undefined)?.code ?? '') ? lost : error
  })
}
