import type { Store, Streams } from '../../store/port.js'
import type { DeadLetterLocation } from '../dead-letters/storage.js'
import type { Consumer } from '../port.js'
import type { DeliveryCounts } from './delivery.js'
import type { Gap } from './gap.js'
import type { Ledger } from './ledger.js'
import type { FollowSettings } from './settings.js'
import type { WakeableTimer } from './wakeable-timer.js'

/** The shared state of all parts of a follower. */
export interface FollowerContext {
  readonly consumer: Pick<Consumer, 'handle' | 'layout'>
  /** Name of the table whose stream is followed. */
  readonly table: string
  /** A store that retries transient errors. */
  readonly store: Store
  readonly streams: Streams
  readonly ledger: Ledger
  readonly dead: DeadLetterLocation
  readonly settings: FollowSettings
  /** Woken when new records may be available. */
  readonly readTimer: WakeableTimer
  readonly counts: DeliveryCounts
  readonly isStopping: () => boolean
  /** Called after records were read or handled, or a shard was finished. */
  readonly onProgress: () => void
  /** Starts the next round early. */
  readonly requestRound: () => void
  readonly openGap: (gap: Gap) => Promise<void>
}
