import { STREAM_RETENTION_MS } from '../../dynamodb/limits.js'

/** A time range whose changes may have been missed. */
export interface Gap {
  /**
   * `trimmed`: records were removed before they were read, after a day, or earlier by `memory()` beyond its limit;
   * `replaced`: the stream was disabled and another one enabled; `late`: the stream was older than a day when it was
   * first followed.
   */
  readonly reason: 'trimmed' | 'replaced' | 'late'
  /** Start of the range in milliseconds since 1970. */
  readonly sinceMs: number
  readonly untilMs: number
  /** Affected shards. Empty if the whole stream is affected. */
  readonly shards: readonly string[]
}

/** Returns the time since when DynamoDB has retained records. */
export const retentionStartMs = (nowMs: number) => nowMs - STREAM_RETENTION_MS

/**
 * Returns the gap of a reader that has read everything up to `throughMs`. Undefined if later records are still
 * retained.
 */
export function findGapSince(throughMs: number, nowMs: number, shard: string): Gap | undefined {
  const untilMs = retentionStartMs(nowMs)
  if (throughMs >= untilMs) return undefined
  return { reason: 'trimmed', sinceMs: throughMs, untilMs, shards: [shard] }
}

/** Merges gaps into one, so that one repair covers them all. */
export function mergeGaps(gaps: readonly Gap[]): Gap {
  return {
    reason: gaps[0]!.reason,
    sinceMs: Math.min(...gaps.map(gap => gap.sinceMs)),
    untilMs: Math.max(...gaps.map(gap => gap.untilMs)),
    shards: gaps.some(gap => gap.shards.length === 0) ? [] : gaps.flatMap(gap => gap.shards),
  }
}
