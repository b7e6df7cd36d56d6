import { hash } from 'node:crypto'
import { TRANSACT_TOKEN_MS } from '../../dynamodb/limits.js'
import { formatDecimal, numberFaultOf, parseDecimal } from '../../dynamodb/number.js'
import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import type { PlannedWrite } from '../items/write-action.js'
import type { Space } from '../keyvalues/port.js'
import { REMOVAL_BATCH_SIZE } from '../removal-batch.js'
import { StoredItem } from '../values/stored-item.js'

/** A transaction that may be sent under a token. */
interface TokenRequest {
  readonly ClientRequestToken?: string | undefined
  readonly TransactItems: readonly unknown[]
  readonly ReturnConsumedCapacity?: string | undefined
  readonly ReturnItemCollectionMetrics?: string | undefined
}

/** A transaction under a token, as it was sent: the caller may change the request before its turn comes. */
export interface TokenizedRequest {
  readonly token: string
  readonly digest: string
}

export function toTokenizedRequest(request: TokenRequest): TokenizedRequest | undefined {
  const { ClientRequestToken: token } = request
  return token === undefined ? undefined : { token, digest: digestOf(request) }
}

/** What a write was of, for the price of sending it again. */
export interface WrittenBytes {
  readonly tableName: string
  readonly bytes: number
}

/** Runs `work` as a write. That it cancels a transaction is remembered for its token, and then told. */
export function writeWithToken<T>(
  engine: Engine,
  request: TokenizedRequest | undefined,
  work: () => T,
): T | Promise<T> {
  if (!request) return engine.keyValues.write(work)
  const done = engine.keyValues.write(() => {
    try {
      return { answer: work() }
    } catch (cancelled) {
      if (!(cancelled instanceof ServiceError) || cancelled.name !== 'TransactionCanceledException') throw cancelled
      engine.tokens.rememberCancelled(request, engine.now())
      return { cancelled }
    }
  })
  return done instanceof Promise ? done.then(unwrapResult) : unwrapResult(done)
}

function unwrapResult<T>(done: { answer: T } | { cancelled: ServiceError }): T {
  if ('cancelled' in done) throw done.cancelled
  return done.answer
}

const TOKENS = 'token/'
const TIMES = 'until/'
const MS_DIGITS = 15

/** Transactions that were sent under a token, for as long as the service remembers them. Within writes only. */
export class IdempotencyTokens {
  constructor(private readonly space: Space<StoredItem>) {}

  /** What was written under its token already. */
  findRepeated(sent: TokenizedRequest | undefined, nowMs: number): readonly WrittenBytes[] | undefined {
    if (!sent) return undefined
    const token = tokenKeyOf(sent.token)
    const areSomeLeft = this.removeExpired(nowMs, REMOVAL_BATCH_SIZE)
    // It may be one of those.
    if (areSomeLeft && this.space.get(token)) this.removeExpired(nowMs, Number.POSITIVE_INFINITY)
    const remembered = this.space.get(token)?.item
    if (!remembered) return undefined
    if (remembered.digest!.S !== sent.digest)
      throw new ServiceError(
        'IdempotentParameterMismatchException',
        'An error occurred (IdempotentParameterMismatchException)',
      )
    return remembered.written && (JSON.parse(remembered.written.S!) as WrittenBytes[])
  }

  remember(sent: TokenizedRequest | undefined, writes: readonly PlannedWrite[], nowMs: number): void {
    if (!sent) return
    const written = writes.map(({ table, before, after }) => ({
      tableName: table.name,
      bytes: Math.max(before?.sizeBytes ?? 0, after?.sizeBytes ?? 0),
    }))
    this.put(sent, { digest: sent.digest, written: JSON.stringify(written) }, nowMs)
  }

  /** The token of a transaction that was cancelled is good for that one, and for no other. */
  rememberCancelled(sent: TokenizedRequest, nowMs: number): void {
    this.put(sent, { digest: sent.digest }, nowMs)
  }

  /** The time of a token is that of its first use. */
  private put(sent: TokenizedRequest, texts: Record<string, string>, nowMs: number): void {
    const token = tokenKeyOf(sent.token)
    if (!this.space.get(token)) this.space.put(timeKeyOf(nowMs + TRANSACT_TOKEN_MS) + token, toTokenRecord({}))
    this.space.put(token, toTokenRecord(texts))
  }

  /** Up to so many at once. Answers whether there may be more, which are left to the transactions after this one. */
  private removeExpired(nowMs: number, max: number): boolean {
    const expired: string[] = []
    const range = { from: TIMES, to: timeKeyOf(Math.floor(nowMs) + 1), reverse: false }
    this.space.range(range, (_, key) => expired.push(key) < max)
    for (const key of expired) {
      this.space.remove(key)
      this.space.remove(key.slice(TIMES.length + MS_DIGITS))
    }
    return expired.length === max
  }
}

/** One character a byte, as keys are. */
function tokenKeyOf(token: string): string {
  return TOKENS + Buffer.from(token).toString('latin1')
}

function timeKeyOf(ms: number): string {
  return TIMES + String(Math.ceil(ms)).padStart(MS_DIGITS, '0')
}

function toTokenRecord(texts: Record<string, string>): StoredItem {
  const item = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Object.freeze({ S: text })]))
  return new StoredItem(Object.freeze(item), 0, false)
}

/** Of the items, and of what the answer should report beside what it always does: folders hold digests of the items alone. */
function digestOf({ TransactItems, ReturnConsumedCapacity, ReturnItemCollectionMetrics }: TokenRequest): string {
  const reported = Object.entries({ ReturnConsumedCapacity, ReturnItemCollectionMetrics })
  const requestedReports = reported.filter(([, what]) => what !== undefined && what !== 'NONE')
  return hash('sha256', JSON.stringify([...requestedReports, ...TransactItems.map(canonicalize)]))
}

/** What is not given is as good as this. */
const isDefault = (name: string, value: unknown) => name === 'ReturnValuesOnConditionCheckFailure' && value === 'NONE'

/** The same for equal values, in whatever order their members come. */
function canonicalize(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(canonicalize)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name, member]) => member !== undefined && !isDefault(name, member))
  return members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, canonicalizeMember(name, member)])
}

/** Numbers in the one form of each; of a statement not what it ends in. */
function canonicalizeMember(name: string, member: unknown): unknown {
  if (name === 'Statement' && typeof member === 'string') return member.trimEnd()
  if (name === 'N' && typeof member === 'string') return canonicalizeNumber(member)
  if (name === 'NS' && Array.isArray(member)) return member.map(canonicalizeNumber)
  return canonicalize(member)
}

/** What is passed over may be no number. */
function canonicalizeNumber(text: string): string {
  const decimal = parseDecimal(text)
  return decimal && !numberFaultOf(decimal) ? formatDecimal(decimal) : text
}
