import { hash } from 'node:crypto'
import { TRANSACT_TOKEN_MS } from '../../dynamodb/limits.js'
import { formatDecimal, numberFaultOf, parseDecimal } from '../../dynamodb/number.js'
import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import type { PlannedWrite } from '../items/write-action.js'
import type { Space } from '../keyvalues/port.js'
import { REMOVAL_BATCH_SIZE } from '../removal-batch.js'
import { StoredItem } from '../values/stored-item.js'

/** A transaction that may have a token. */
interface TokenRequest {
  readonly ClientRequestToken?: string | undefined
  readonly TransactItems: readonly unknown[]
  readonly ReturnConsumedCapacity?: string | undefined
  readonly ReturnItemCollectionMetrics?: string | undefined
}

/**
 * A transaction with a token. The digest is computed at once, because the caller may modify the request while it waits.
 */
export interface TokenizedRequest {
  readonly token: string
  readonly digest: string
}

export function toTokenizedRequest(request: TokenRequest): TokenizedRequest | undefined {
  const { ClientRequestToken: token } = request
  return token === undefined ? undefined : { token, digest: digestOf(request) }
}

/** The size of a written item, which determines the price of repeating the transaction. */
export interface WrittenBytes {
  readonly tableName: string
  readonly bytes: number
}

/** Runs `work` as a write. If it cancels the transaction, the token is stored before the error is thrown. */
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

/** The stored tokens of transactions, for as long as the service remembers them. Must be used within writes. */
export class IdempotencyTokens {
  constructor(private readonly space: Space<StoredItem>) {}

  /** Returns the items that a transaction with the same token wrote, or undefined if it was not executed. */
  findRepeated(sent: TokenizedRequest | undefined, nowMs: number): readonly WrittenBytes[] | undefined {
    if (!sent) return undefined
    const token = tokenKeyOf(sent.token)
    const areSomeLeft = this.removeExpired(nowMs, REMOVAL_BATCH_SIZE)
    // The token may be one of the expired tokens that are not removed yet.
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

  /** Stores the token of a cancelled transaction. The token remains bound to this request. */
  rememberCancelled(sent: TokenizedRequest, nowMs: number): void {
    this.put(sent, { digest: sent.digest }, nowMs)
  }

  /** The expiry of a token counts from its first use. */
  private put(sent: TokenizedRequest, texts: Record<string, string>, nowMs: number): void {
    const token = tokenKeyOf(sent.token)
    if (!this.space.get(token)) this.space.put(timeKeyOf(nowMs + TRANSACT_TOKEN_MS) + token, toTokenRecord({}))
    this.space.put(token, toTokenRecord(texts))
  }

  /** Removes up to `max` expired tokens. Returns whether more may remain, which later transactions remove. */
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

/** Encodes a token with one character per byte, like all keys. */
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

/**
 * Computes the digest of the items and of the requested reports. Reports with the default value are omitted, because
 * existing folders have digests of the items only.
 */
function digestOf({ TransactItems, ReturnConsumedCapacity, ReturnItemCollectionMetrics }: TokenRequest): string {
  const reported = Object.entries({ ReturnConsumedCapacity, ReturnItemCollectionMetrics })
  const requestedReports = reported.filter(([, what]) => what !== undefined && what !== 'NONE')
  return hash('sha256', JSON.stringify([...requestedReports, ...TransactItems.map(canonicalize)]))
}

/** An absent member is equivalent to this value. */
const isDefault = (name: string, value: unknown) => name === 'ReturnValuesOnConditionCheckFailure' && value === 'NONE'

/** Converts a value so that equal values have the same JSON, in any order of their members. */
function canonicalize(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(canonicalize)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name, member]) => member !== undefined && !isDefault(name, member))
  return members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, canonicalizeMember(name, member)])
}

/** Normalizes numbers, and removes trailing blanks of statements. */
function canonicalizeMember(name: string, member: unknown): unknown {
  if (name === 'Statement' && typeof member === 'string') return member.trimEnd()
  if (name === 'N' && typeof member === 'string') return canonicalizeNumber(member)
  if (name === 'NS' && Array.isArray(member)) return member.map(canonicalizeNumber)
  return canonicalize(member)
}

/** Leaves invalid numbers unchanged. */
function canonicalizeNumber(text: string): string {
  const decimal = parseDecimal(text)
  return decimal && !numberFaultOf(decimal) ? formatDecimal(decimal) : text
}
