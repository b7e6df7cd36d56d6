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

/** Leases, checkpoints and gaps of a group, in the small table. Every write is held to what was read. */
export class Ledger {
  constructor(
    private readonly store: Store,
    private readonly table: string,
    private readonly group: string,
  ) {}

  /**
   * All that the group has. Throws where it is of another table: whoever follows that one would take the records of this
   * one for its own, and leave them out.
   */
  async readForTable(table: string): Promise<GroupState> {
    const state = await this.read()
    const otherTable = state.stream && tableNameOfStream(state.stream.arn)
    if (otherTable === undefined || otherTable === table) return state
    const groupText = `the group '${this.group}' in '${this.table}'`
    throw new GraphError(
      'call.given',
      `${groupText} is of those who follow '${otherTable}': follow '${table}' in another 'group', or with other 'consumers'`,
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

  /** Takes a lease as it was read, or that nobody has had yet; undefined where another was faster. */
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

  /** Keeps a lease, and how far the shard was read; false where another has taken it. */
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

  /** Notes the stream that is read from now on, and that someone is there. */
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

  /** Asks the others of the group how far they are: writing it wakes a follower that sleeps until something is written. */
  async requestProgress(nowMs: number): Promise<void> {
    await this.store.updateItem({
      TableName: this.table,
      Key: this.keyOfItem(PROGRESS_REQUEST_ITEM),
      UpdateExpression: 'SET #a = :a',
      ExpressionAttributeNames: { '#a': 'at' },
      ExpressionAttributeValues: { ':a': toNumberValue(nowMs) },
    })
  }

  /** A gap stays in the table until it was answered, so that no crash forgets it. True where nobody had noted it. */
  async openGap({ reason, sinceMs, untilMs, shards }: Gap): Promise<boolean> {
    const id = gapSortKeyOf({ reason, sinceMs, untilMs, shards })
    const set = { reason: { S: reason }, since: toNumberValue(sinceMs), until: toNumberValue(untilMs) }
    return this.update(
      id,
      { ...set, shards: { L: shards.map(S => ({ S })) }, claimed: toNumberValue(0) },
      { condition: 'attribute_not_exists(#k)', names: { '#k': 'reason' } },
    )
  }

  /** Whoever claims a gap answers it; a claim that was not renewed can be taken. */
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

/** False where the condition did not hold. */
async function isConditionMet(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (hasErrorName(error, 'ConditionalCheckFailedException')) return false
    throw error
  }
}
