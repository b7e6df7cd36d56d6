import { STREAM_RETENTION_MS } from '../../dynamodb/limits.js'

/** A time whose changes may not have been seen. */
export interface Gap {
  /**
   * `trimmed`: records were removed before they were read, after a day, or earlier by `memory()` beyond its bound; `replaced`: the stream was disabled and another
   * enabled; `late`: the stream was older than a day when it was first followed.
   */
  readonly reason: 'trimmed' | 'replaced' | 'late'
  /** Milliseconds since 1970. */
  readonly sinceMs: number
  readonly untilMs: number
  /** The shards concerned; none are named where it is the whole stream. */
  readonly shards: readonly string[]
}

/** DynamoDB keeps records that were made since then. */
export const retentionStartMs = (nowMs: number) => nowMs - STREAM_RETENTION_MS

/** The gap of a reader who had everything up to a time; undefined where nothing of what came after is gone yet. */
export function findGapSince(throughMs: number, nowMs: number, shard: string): Gap | undefined {
  const untilMs = retentionStartMs(nowMs)
  if (throughMs >= untilMs) return undefined
  return { reason: 'trimmed', sinceMs: throughMs, untilMs, shards: [shard] }
}

/** Several as one, to be answered together. */
export function mergeGaps(gaps: readonly Gap[]): Gap {
  return {
    reason: gaps[0]!.reason,
    sinceMs: Math.min(...gaps.map(gap => gap.sinceMs)),
    untilMs: Math.max(...gaps.map(gap => gap.untilMs)),
    shards: gaps.some(gap => gap.shards.length === 0) ? [] : gaps.flatMap(gap => gap.shards),
  }
}
