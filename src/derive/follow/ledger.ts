import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { GraphError } from '../../schema/error.js'
import type { Store } from '../../store/port.js'
import { CONSUMERS_KEYS } from '../../table/production/consumers-table.js'
import type { Gap } from './gap.js'
import {
  type GroupState,
  gapSortKeyOf,
  type Lease,
  leaseSortKeyOf,
  PROGRESS_REQUEST_ITEM,
  parseGroup,
  type ShardProgress,
  STREAM_ITEM,
  tableNameOfStream,
} from './lease.js'
import { hasErrorName } from './transient-errors.js'

type Values = Readonly<Record<string, AttributeValue | undefined>>

/**
 * The leases, checkpoints and gaps of a group, in the checkpoint table. Every write is conditional on the state that
 * was read.
 */
export class Ledger {
  constructor(
    private readonly store: Store,
    private readonly table: string,
    private readonly group: string,
  ) {}

  /**
   * Reads the state of the group. Throws if the group follows another table, because its followers would skip each
   * other's records.
   */
  async readForTable(table: string): Promise<GroupState> {
    const state = await this.read()
    const otherTable = state.stream && tableNameOfStream(state.stream.arn)
    if (otherTable === undefined || otherTable === table) return state
    const groupText = `group '${this.group}' in '${this.table}'`
    throw new GraphError(
      'call.argument',
      `${groupText}: it belongs to followers of '${otherTable}'; follow '${table}' with another 'group' or another 'consumers' table.`,
    )
  }

  private async read(): Promise<GroupState> {
    const items: Item[] = []
    let startKey: Key | undefined
    do {
      const page = await this.store.query({
        TableName: this.table,
        ConsistentRead: true,
        KeyConditionExpression: '#p = :p',
        ExpressionAttributeNames: { '#p': CONSUMERS_KEYS.partition },
        ExpressionAttributeValues: { ':p': { S: this.group } },
        ExclusiveStartKey: startKey,
      })
      items.push(...(page.Items ?? []))
      startKey = page.LastEvaluatedKey
    } while (startKey)
    return parseGroup(items)
  }

  /** Takes a free or an expired lease. Returns undefined if another follower was faster. */
  async takeLease(lease: Lease, owner: string, untilMs: number): Promise<Lease | undefined> {
    const taken: Lease = { ...lease, owner, untilMs, counter: lease.counter + 1 }
    const { stream, shard, counter, throughMs } = taken
    const set = { stream: { S: stream }, shard: { S: shard }, owner: { S: owner }, counter: toNumberValue(counter) }
    const isTaken = await this.update(
      leaseSortKeyOf(lease),
      { ...set, until: toNumberValue(untilMs), through: toNumberValue(throughMs) },
      lease.counter === 0
        ? { condition: 'attribute_not_exists(#k)', names: { '#k': 'counter' } }
        : counterGuard(lease.counter),
    )
    return isTaken ? taken : undefined
  }

  /** Renews a lease and saves the checkpoint. Returns false if another follower has taken the lease. */
  async renewLease(lease: Lease, { after, throughMs, done }: ShardProgress, untilMs: number): Promise<boolean> {
    const set = {
      until: toNumberValue(untilMs),
      through: toNumberValue(throughMs),
      done: done ? { BOOL: true } : undefined,
    }
    return this.update(
      leaseSortKeyOf(lease),
      { ...set, after: after === undefined ? after : { S: after } },
      counterGuard(lease.counter),
    )
  }

  async releaseLease(lease: Lease): Promise<void> {
    await this.update(leaseSortKeyOf(lease), { until: toNumberValue(0), owner: { S: '' } }, counterGuard(lease.counter))
  }

  async removeLease(lease: Lease): Promise<void> {
    const { condition, names, values } = counterGuard(lease.counter)
    await isConditionMet(
      this.store.deleteItem({
        TableName: this.table,
        Key: this.keyOfItem(leaseSortKeyOf(lease)),
        ConditionExpression: condition,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
      }),
    )
  }

  /** Records the current stream and the time at which a follower was last alive. */
  async noteStream(arn: string, previousArn: string | undefined, aliveMs: number): Promise<boolean> {
    const names = { '#k': 'stream' }
    return this.update(
      STREAM_ITEM,
      { stream: { S: arn }, alive: toNumberValue(aliveMs) },
      previousArn === undefined
        ? { condition: 'attribute_not_exists(#k)', names }
        : { condition: '#k = :k', names, values: { ':k': { S: previousArn } } },
    )
  }

  /** Asks other followers to save their checkpoints. The write wakes a follower that sleeps until the next write. */
  async requestProgress(nowMs: number): Promise<void> {
    await this.store.updateItem({
      TableName: this.table,
      Key: this.keyOfItem(PROGRESS_REQUEST_ITEM),
      UpdateExpression: 'SET #a = :a',
      ExpressionAttributeNames: { '#a': 'at' },
      ExpressionAttributeValues: { ':a': toNumberValue(nowMs) },
    })
  }

  /** Records a gap, so that it survives a crash until it is repaired. Returns true if the gap is new. */
  async openGap({ reason, sinceMs, untilMs, shards }: Gap): Promise<boolean> {
    const id = gapSortKeyOf({ reason, sinceMs, untilMs, shards })
    const set = { reason: { S: reason }, since: toNumberValue(sinceMs), until: toNumberValue(untilMs) }
    return this.update(
      id,
      { ...set, shards: { L: shards.map(S => ({ S })) }, claimed: toNumberValue(0) },
      { condition: 'attribute_not_exists(#k)', names: { '#k': 'reason' } },
    )
  }

  /** Claims a gap for repair. A claim that was not renewed can be taken. */
  async claimGap(id: string, claimedUntilMs: number, untilMs: number, claimant: string): Promise<boolean> {
    const set = { claimed: toNumberValue(untilMs), claimant: { S: claimant } }
    const values = { ':k': toNumberValue(claimedUntilMs) }
    return this.update(id, set, { condition: '#k = :k', names: { '#k': 'claimed' }, values })
  }

  async closeGap(id: string): Promise<void> {
    await this.store.deleteItem({ TableName: this.table, Key: this.keyOfItem(id) })
  }

  private keyOfItem(item: string): Key {
    return { [CONSUMERS_KEYS.partition]: { S: this.group }, [CONSUMERS_KEYS.sort]: { S: item } }
  }

  private update(item: string, set: Values, guard: WriteGuard): Promise<boolean> {
    const assignments = Object.entries(set).filter(([, value]) => value !== undefined)
    return isConditionMet(
      this.store.updateItem({
        TableName: this.table,
        Key: this.keyOfItem(item),
        UpdateExpression: `SET ${assignments.map((_, index) => `#s${index} = :s${index}`).join(', ')}`,
        ConditionExpression: guard.condition,
        ExpressionAttributeNames: {
          ...guard.names,
          ...Object.fromEntries(assignments.map(([name], index) => [`#s${index}`, name])),
        },
        ExpressionAttributeValues: {
          ...guard.values,
          ...Object.fromEntries(assignments.map(([, value], index) => [`:s${index}`, value!])),
        },
      }),
    )
  }
}

interface WriteGuard {
  readonly condition: string
  readonly names: Record<string, string>
  readonly values?: Record<string, AttributeValue>
}

function counterGuard(counter: number): WriteGuard & { readonly values: Record<string, AttributeValue> } {
  return { condition: '#k = :k', names: { '#k': 'counter' }, values: { ':k': toNumberValue(counter) } }
}

function toNumberValue(value: number): AttributeValue {
  return { N: String(value) }
}

/** Returns false if the condition of a write failed. */
async function isConditionMet(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (hasErrorName(error, 'ConditionalCheckFailedException')) return false
    throw error
  }
}
