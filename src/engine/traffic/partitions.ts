import { Bucket, type Limit } from './bucket.js'

const SWEPT_AT = 10_000

/** What single partitions of a table or an index can take. One that has all that it can have is not kept. */
export class Partitions {
  private readonly buckets = new Map<string, Bucket>()
  private sweptAt = SWEPT_AT

  constructor(private readonly limit: Limit) {}

  hasAny(partition: string, nowMs: number): boolean {
    return this.buckets.get(partition)?.hasAny(this.limit, nowMs) ?? true
  }

  take(partition: string, units: number, nowMs: number): void {
    const bucket = this.buckets.get(partition) ?? this.make(partition, nowMs)
    bucket.take(units)
  }

  private make(partition: string, nowMs: number): Bucket {
    if (this.buckets.size >= this.sweptAt) this.sweep(nowMs)
    const bucket = new Bucket(this.limit, nowMs)
    this.buckets.set(partition, bucket)
    return bucket
  }

  private sweep(nowMs: number): void {
    for (const [partition, bucket] of this.buckets) if (bucket.isFull(this.limit, nowMs)) this.buckets.delete(partition)
    this.sweptAt = Math.max(SWEPT_AT, 2 * this.buckets.size)
  }
}
