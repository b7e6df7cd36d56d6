import type { Store, Streams } from '../../store/port.js'
import type { DeadLetterLocation } from '../dead-letters/storage.js'
import type { Consumer } from '../port.js'
import type { DeliveryCounts } from './delivery.js'
import type { Gap } from './gap.js'
import type { Ledger } from './ledger.js'
import type { FollowSettings } from './settings.js'
import type { WakeableTimer } from './wakeable-timer.js'

/** What all parts of a follower share. */
export interface FollowerContext {
  readonly consumer: Pick<Consumer, 'handle'>
  /** The table whose stream is followed. */
  readonly table: string
  /** It retries. */
  readonly store: Store
  readonly streams: Streams
  readonly ledger: Ledger
  readonly dead: DeadLetterLocation
  readonly settings: FollowSettings
  /** Woken when there may be something to read. */
  readonly readTimer: WakeableTimer
  readonly counts: DeliveryCounts
  readonly isStopping: () => boolean
  /** Something was read, handled or finished. */
  readonly onProgress: () => void
  /** There is a reason to look around before it is time. */
  readonly requestRound: () => void
  readonly openGap: (gap: Gap) => Promise<void>
}
