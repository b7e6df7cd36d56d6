import type { Gap } from './gap.js'

/** An event that a follower reports to its listener. */
export type FollowEvent =
  /** The follower took a shard, read it to its end, released it, or lost it to another follower. */
  | { readonly kind: 'shard'; readonly shard: string; readonly state: 'taken' | 'done' | 'released' | 'lost' }
  | { readonly kind: 'batch'; readonly shard: string; readonly applied: number; readonly skipped: number }
  /** Records failed and are retried. */
  | { readonly kind: 'failed'; readonly shard: string; readonly records: number; readonly error: unknown }
  | { readonly kind: 'dead'; readonly shard: string; readonly sequence: string; readonly error: unknown }
  | { readonly kind: 'gap'; readonly gap: Gap }
  | { readonly kind: 'healed'; readonly gap: Gap }
  /** The stream of the table was disabled. */
  | { readonly kind: 'disabled' }
  /** Another operation failed and is retried. */
  | { readonly kind: 'error'; readonly error: unknown }
