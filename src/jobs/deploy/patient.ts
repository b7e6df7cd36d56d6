import type { Clock } from '../../store/backoff.js'
import type { Service, Store } from '../../store/port.js'
import { retrying } from '../../store/retrying.js'

/** What a deployment asks of a store. */
export type Tables = Store & Pick<Service, 'describeContinuousBackups' | 'updateContinuousBackups'>

/** A store that tries again what the service refused for now: it takes few requests about tables in a second. */
export function patient(store: Tables, clock?: Clock): Tables {
  return {
    ...retrying(store, { clock }),
    describeContinuousBackups: (request, options) => store.describeContinuousBackups(request, options),
    updateContinuousBackups: (request, options) => store.updateContinuousBackups(request, options),
  }
}
