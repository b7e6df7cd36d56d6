import { checkStore } from '../../graph/open.js'
import { backoffSettings, type Clock, pause } from '../../store/backoff.js'
import { failureOf } from '../../store/failures.js'
import type { Service, Store } from '../../store/port.js'
import { retrying } from '../../store/retrying.js'

/** What a deployment asks of a store. */
export type Tables = Store & Pick<Service, 'describeContinuousBackups' | 'updateContinuousBackups'>

/** A store that tries again what the service refused for now: it takes few requests about tables in a second. */
export function patient(store: Tables, clock?: Clock): Tables {
  checkStore(store)
  return {
    ...retrying(store, { clock }),
    describeContinuousBackups: (...call) => persist(clock, () => store.describeContinuousBackups(...call)),
    updateContinuousBackups: (...call) => persist(clock, () => store.updateContinuousBackups(...call)),
  }
}

/** Backups are no part of what a store of graphs has, and are as scarce. */
async function persist<T>(clock: Clock | undefined, send: () => Promise<T>): Promise<T> {
  const settings = backoffSettings({ clock })
  const startMs = settings.clock.now()
  for (let failures = 1; ; failures++) {
    try {
      return await send()
    } catch (error) {
      if (failureOf(error) !== 'refused' || !(await pause(settings, startMs, failures, undefined))) throw error
    }
  }
}
