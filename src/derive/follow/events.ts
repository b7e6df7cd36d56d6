import type { Gap } from './gap.js'

/** What a follower tells its listener. */
export type FollowEvent =
  /** It has taken a shard, read it to its end, given it back, or lost it to another. */
  | { readonly kind: 'shard'; readonly shard: string; readonly state: 'taken' | 'done' | 'released' | 'lost' }
  | { readonly kind: 'batch'; readonly shard: string; readonly applied: number; readonly skipped: number }
  /** Records failed, and are tried again. */
  | { readonly kind: 'failed'; readonly shard: string; readonly records: number; readonly error: unknown }
  | { readonly kind: 'dead'; readonly shard: string; readonly sequence: string; readonly error: unknown }
  | { readonly kind: 'gap'; readonly gap: Gap }
  | { readonly kind: 'healed'; readonly gap: Gap }
  /** The table has no stream any more. */
  | { readonly kind: 'disabled' }
  /** Something else failed, and is tried again. */
  | { readonly kind: 'error'; readonly error: unknown }
