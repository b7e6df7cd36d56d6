import { STREAM_RETENTION_MS } from '../../dynamodb/limits.js'

/** A time whose changes may not have been seen. */
export interface Gap {
  /**
   * `trimmed`: records were kept for a day, and not read in that time; `replaced`: the stream was disabled and another
   * enabled; `late`: the stream was older than a day when it was first followed.
   */
  readonly reason: 'trimmed' | 'replaced' | 'late'
  /** Milliseconds since 1970. */
  readonly sinceMs: number
  readonly untilMs: number
  /** The shards concerned; none are named where it is the whole stream. */
  readonly shards: readonly string[]
}

/** The gap of a reader who had everything up to a time; undefined where nothing of what came after is gone yet. */
export function gapSince(throughMs: number, nowMs: number, shard: string): Gap | undefined {
  const horizonMs = nowMs - STREAM_RETENTION_MS
  if (throughMs >= horizonMs) return undefined
  return { reason: 'trimmed', sinceMs: throughMs, untilMs: horizonMs, shards: [shard] }
}

/** Several as one, to be answered together. */
export function joined(gaps: readonly Gap[]): Gap {
  return {
    reason: gaps[0]!.reason,
    sinceMs: Math.min(...gaps.map(gap => gap.sinceMs)),
    untilMs: Math.max(...gaps.map(gap => gap.untilMs)),
    shards: gaps.some(gap => gap.shards.length === 0) ? [] : gaps.flatMap(gap => gap.shards),
  }
}
