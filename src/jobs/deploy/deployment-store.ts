import { assertStore } from '../../graph/open.js'
import { type Clock, resolveBackoff, waitForNextAttempt } from '../../store/backoff.js'
import { failureKindOf } from '../../store/failure-kind.js'
import type { Service, Store } from '../../store/port.js'
import { retrying } from '../../store/retry.js'

/** What a deployment asks of a store. */
export type DeploymentStore = Store & Pick<Service, 'describeContinuousBackups' | 'updateContinuousBackups'>

/** A store that tries again what the service refused for now: it takes few requests about tables in a second. */
export function withTableRetries(store: DeploymentStore, clock?: Clock): DeploymentStore {
  assertStore(store)
  return {
    ...retrying(store, { clock }),
    describeContinuousBackups: (...call) => retryWhileRefused(clock, () => store.describeContinuousBackups(...call)),
    updateContinuousBackups: (...call) => retryWhileRefused(clock, () => store.updateContinuousBackups(...call)),
  }
}

/** Backups are no part of what a store of graphs has, and are as scarce. */
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
