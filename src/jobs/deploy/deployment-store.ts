import { assertStore } from '../../graph/open.js'
import { type Clock, resolveBackoff, waitForNextAttempt } from '../../store/backoff.js'
import { failureKindOf } from '../../store/failure-kind.js'
import type { Service, Store } from '../../store/port.js'
import { retrying } from '../../store/retry.js'

/** The operations that a deployment needs. */
export type DeploymentStore = Store & Pick<Service, 'describeContinuousBackups' | 'updateContinuousBackups'>

/** Wraps a store with retries, because DynamoDB limits table operations to a few per second. */
export function withTableRetries(store: DeploymentStore, clock?: Clock): DeploymentStore {
  assertStore(store)
  return {
    ...retrying(store, { clock }),
    describeContinuousBackups: (...call) => retryWhileRefused(clock, () => store.describeContinuousBackups(...call)),
    updateContinuousBackups: (...call) => retryWhileRefused(clock, () => store.updateContinuousBackups(...call)),
  }
}

/** Backup operations are not part of `Store`, and need the same retries. */
async function retryWhileRefused<T>(clock: Clock | undefined, send: () => Promise<T>): Promise<T> {
  const settings = resolveBackoff({ clock })
  const startMs = settings.clock.now()
  for (let failures = 1; ; failures++) {
    try {
      return await send()
    } catch (error) {
      if (failureKindOf(error) !== 'refused' || !(await waitForNextAttempt(settings, startMs, failures, undefined)))
        throw error
    }
  }
}
