import { type RateLimit, TokenBucket } from './token-bucket.js'

const SWEEP_SIZE_MIN = 10_000

/** The capacities of single partitions of a table or index. Full buckets are dropped. */
export class PartitionBuckets {
  private readonly buckets = new Map<string, TokenBucket>()
  private sweepSize = SWEEP_SIZE_MIN

  constructor(private readonly limit: RateLimit) {}

  hasAny(partition: string, nowMs: number): boolean {
    return this.buckets.get(partition)?.hasAny(this.limit, nowMs) ?? true
  }

  take(partition: string, units: number, nowMs: number): void {
    const bucket = this.buckets.get(partition) ?? this.createBucket(partition, nowMs)
    bucket.take(units)
  }

  private createBucket(partition: string, nowMs: number): TokenBucket {
    if (this.buckets.size >= this.sweepSize) this.sweep(nowMs)
    const bucket = new TokenBucket(this.limit, nowMs)
    this.buckets.set(partition, bucket)
    return bucket
  }

  private sweep(nowMs: number): void {
    for (const [partition, bucket] of this.buckets) if (bucket.isFull(this.limit, nowMs)) this.buckets.delete(partition)
    this.sweepSize = Math.max(SWEEP_SIZE_MIN, 2 * this.buckets.size)
  }
}
