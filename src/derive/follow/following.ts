import type { Store, Streams } from '../../store/port.js'
import type { DeadLetterPlace } from '../dead-letters.js'
import type { Consumer } from '../port.js'
import type { Delivered } from './delivery.js'
import type { Gap } from './gap.js'
import type { Ledger } from './ledger.js'
import type { FollowSettings } from './settings.js'
import type { Waits } from './waits.js'

/** What all parts of a follower share. */
export interface Following {
  readonly consumer: Pick<Consumer, 'handle'>
  /** The table whose stream is followed. */
  readonly table: string
  /** It retries. */
  readonly store: Store
  readonly streams: Streams
  readonly ledger: Ledger
  readonly dead: DeadLetterPlace
  readonly settings: FollowSettings
  /** Woken when there may be something to read. */
  readonly reading: Waits
  readonly count: Delivered
  readonly isStopping: () => boolean
  /** Something was read, handled or finished. */
  readonly progressed: () => void
  /** There is a reason to look around before it is time. */
  readonly lookAgain: () => void
  readonly openGap: (gap: Gap) => Promise<void>
}
