import { TRANSACT_TOKEN_MS } from '../../dynamodb/limits.js'
import type { TransactWriteItemsRequest } from '../../dynamodb/operations/transactions.js'
import { ServiceError } from '../errors.js'
import type { PlannedWrite } from '../items/action.js'

interface Remembered {
  readonly body: string
  readonly writes: readonly PlannedWrite[]
  readonly untilMs: number
}

/** Transactions that were carried out under a token, for as long as the service remembers them. */
export class Tokens {
  private readonly byToken = new Map<string, Remembered>()

  /** What was written under this request's token already. */
  repeated(request: TransactWriteItemsRequest, nowMs: number): readonly PlannedWrite[] | undefined {
    if (request.ClientRequestToken === undefined) return undefined
    this.forgetOld(nowMs)
    const remembered = this.byToken.get(request.ClientRequestToken)
    if (!remembered) return undefined
    if (remembered.body !== bodyOf(request))
      throw new ServiceError(
        'IdempotentParameterMismatchException',
        'An error occurred (IdempotentParameterMismatchException)',
      )
    return remembered.writes
  }

  remember(request: TransactWriteItemsRequest, writes: readonly PlannedWrite[], nowMs: number): void {
    if (request.ClientRequestToken === undefined) return
    this.byToken.set(request.ClientRequestToken, { body: bodyOf(request), writes, untilMs: nowMs + TRANSACT_TOKEN_MS })
  }

  /** Tokens are kept in the order of their time, so the old ones are first. */
  private forgetOld(nowMs: number): void {
    for (const [token, { untilMs }] of this.byToken) {
      if (untilMs > nowMs) return
      this.byToken.delete(token)
    }
  }
}

/** The items alone: what the answer should report may differ between sendings. */
function bodyOf({ TransactItems }: TransactWriteItemsRequest): string {
  return JSON.stringify(TransactItems, (_, value) =>
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
  )
}
