import { hash } from 'node:crypto'
import { TRANSACT_TOKEN_MS } from '../../dynamodb/limits.js'
import { ServiceError } from '../errors.js'
import type { PlannedWrite } from '../items/action.js'
import type { Table } from '../tables/table.js'

/** A transaction that may be sent under a token. */
interface TokenRequest {
  readonly ClientRequestToken?: string | undefined
  readonly TransactItems: readonly unknown[]
}

/** What a write was of, for the price of sending it again. */
export interface WrittenBytes {
  readonly table: Table
  readonly bytes: number
}

interface Remembered {
  readonly digest: string
  readonly written: readonly WrittenBytes[]
  readonly untilMs: number
}

/** Transactions that were carried out under a token, for as long as the service remembers them. */
export class Tokens {
  private readonly byToken = new Map<string, Remembered>()

  /** What was written under this request's token already. */
  repeated(request: TokenRequest, nowMs: number): readonly WrittenBytes[] | undefined {
    if (request.ClientRequestToken === undefined) return undefined
    this.forgetOld(nowMs)
    const remembered = this.byToken.get(request.ClientRequestToken)
    if (!remembered) return undefined
    if (remembered.digest !== digestOf(request))
      throw new ServiceError(
        'IdempotentParameterMismatchException',
        'An error occurred (IdempotentParameterMismatchException)',
      )
    return remembered.written
  }

  remember(request: TokenRequest, writes: readonly PlannedWrite[], nowMs: number): void {
    if (request.ClientRequestToken === undefined) return
    const written = writes.map(({ table, before, after }) => ({
      table,
      bytes: Math.max(before?.sizeBytes ?? 0, after?.sizeBytes ?? 0),
    }))
    const untilMs = nowMs + TRANSACT_TOKEN_MS
    this.byToken.set(request.ClientRequestToken, { digest: digestOf(request), written, untilMs })
  }

  /** Tokens are kept in the order of their time, so the old ones are first. */
  private forgetOld(nowMs: number): void {
    for (const [token, { untilMs }] of this.byToken) {
      if (untilMs > nowMs) return
      this.byToken.delete(token)
    }
  }
}

/** Of the items alone: what the answer should report may differ between sendings. */
function digestOf({ TransactItems }: TokenRequest): string {
  return hash('sha256', JSON.stringify(TransactItems.map(inOrder)))
}

/** The same for equal values, in whatever order their members come. */
function inOrder(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, inOrder(member)])
}
