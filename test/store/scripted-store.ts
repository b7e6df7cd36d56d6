import type { Clock } from '../../src/store/backoff.js'
import { OPERATION_TRAITS } from '../../src/store/operation-traits.js'
import type { CallOptions, Store } from '../../src/store/port.js'

export interface Sent {
  operation: string
  request: unknown
  options: CallOptions | undefined
}

/** A store that replays the given steps, rejecting with those that are errors, and records its requests. */
export function scripted(...steps: readonly object[]): { store: Store; sent: Sent[] } {
  const sent: Sent[] = []
  const methods = Object.keys(OPERATION_TRAITS).map(operation => [
    operation,
    async (request: unknown, options?: CallOptions) => {
      const step = steps[sent.length]
      sent.push({ operation, request: structuredClone(request), options })
      if (step === undefined) throw new Error(`request ${sent.length} was not expected`)
      if (step instanceof Error) throw step
      return step
    },
  ])
  return { store: Object.fromEntries(methods) as Store, sent }
}

/** An error as the AWS SDK throws it. */
export function serviceError(name: string, details: object = {}): Error {
  return Object.assign(new Error(name), { name, $fault: 'client', $metadata: { httpStatusCode: 400 } }, details)
}

export function cancelled(...codes: string[]): Error {
  return serviceError('TransactionCanceledException', { CancellationReasons: codes.map(Code => ({ Code })) })
}

/** A clock that advances only by sleeping. */
export class VirtualClock implements Clock {
  readonly delays: number[] = []
  #now = 0

  now(): number {
    return this.#now
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.delays.push(delayMs)
    this.#now += delayMs
  }
}
