import type { ChangeRecord } from '../../../src/dynamodb/operation-types.js'
import type { Service, Streams } from '../../../src/store/port.js'

/** Reads every record of a table's stream once, from all shards. */
export class Tap {
  private readonly iterators = new Map<string, string | undefined>()
  private readonly last = new Map<string, string>()

  constructor(
    private readonly store: Service & Streams,
    private readonly stream: string,
  ) {}

  async poll(): Promise<ChangeRecord[]> {
    const { StreamDescription } = await this.store.describeStream({ StreamArn: this.stream })
    const records: ChangeRecord[] = []
    for (const { ShardId } of StreamDescription?.Shards ?? []) {
      if (!this.iterators.has(ShardId!)) this.iterators.set(ShardId!, await this.first(ShardId!))
      for (let iterator = this.iterators.get(ShardId!); iterator !== undefined; ) {
        const { Records = [], NextShardIterator } = await this.read(ShardId!, iterator)
        records.push(...Records)
        const last = Records.at(-1)?.dynamodb?.SequenceNumber
        if (last !== undefined) this.last.set(ShardId!, last)
        this.iterators.set(ShardId!, NextShardIterator)
        iterator = Records.length > 0 ? NextShardIterator : undefined
      }
    }
    return records
  }

  /** An iterator expires after 15 minutes. */
  private async read(shard: string, ShardIterator: string) {
    try {
      return await this.store.getRecords({ ShardIterator })
    } catch (error) {
      if ((error as Error).name !== 'ExpiredIteratorException') throw error
      return this.store.getRecords({ ShardIterator: (await this.first(shard))! })
    }
  }

  private async first(ShardId: string): Promise<string | undefined> {
    const SequenceNumber = this.last.get(ShardId)
    const from = { StreamArn: this.stream, ShardId }
    const oldest = { ...from, ShardIteratorType: 'TRIM_HORIZON' as const }
    if (SequenceNumber === undefined) return (await this.store.getShardIterator(oldest)).ShardIterator
    const after = { ...from, ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber }
    // After days, the records are trimmed.
    const { ShardIterator } = await this.store.getShardIterator(after).catch(() => this.store.getShardIterator(oldest))
    return ShardIterator
  }
}
