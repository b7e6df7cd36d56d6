import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { GraphError } from '../../schema/error.js'
import type { Store } from '../../store/port.js'
import { CONSUMERS_KEYS } from '../../table/consumers.js'
import type { Gap } from './gap.js'
import {
  ASK_ITEM,
  type GroupState,
  gapItem,
  type Lease,
  leaseItem,
  type Progress,
  readGroup,
  STREAM_ITEM,
  tableOf,
} from './lease.js'
import { isNamed } from './passing.js'

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
  async readFor(table: string): Promise<GroupState> {
    const state = await this.read()
    const other = state.stream && tableOf(state.stream.arn)
    if (other === undefined || other === table) return state
    const place = `the group '${this.group}' in '${this.table}'`
    throw new GraphError(
      'call.given',
      `${place} is of those who follow '${other}': follow '${table}' in another 'group', or with other 'consumers'`,
    )
  }

  private async read(): Promise<GroupState> {
    const items: Item[] = []
    let start: Key | undefined
    do {
      const page = await this.store.query({
        TableName: this.table,
        ConsistentRead: true,
        KeyConditionExpression: '#p = :p',
        ExpressionAttributeNames: { '#p': CONSUMERS_KEYS.partition },
        ExpressionAttributeValues: { ':p': { S: this.group } },
        ExclusiveStartKey: start,
      })
      items.push(...(page.Items ?? []))
      start = page.LastEvaluatedKey
    } while (start)
    return readGroup(items)
  }

  /** Takes a lease as it was read, or that nobody has had yet; undefined where another was faster. */
  async take(lease: Lease, owner: string, untilMs: number): Promise<Lease | undefined> {
    const taken: Lease = { ...lease, owner, untilMs, counter: lease.counter + 1 }
    const { stream, shard, counter, throughMs } = taken
    const set = { stream: { S: stream }, shard: { S: shard }, owner: { S: owner }, counter: number(counter) }
    const done = await this.update(
      leaseItem(lease),
      { ...set, until: number(untilMs), through: number(throughMs) },
      lease.counter === 0
        ? { condition: 'attribute_not_exists(#k)', names: { '#k': 'counter' } }
        : counted(lease.counter),
    )
    return done ? taken : undefined
  }

  /** Keeps a lease, and how far the shard was read; false where another has taken it. */
  async keep(lease: Lease, { after, throughMs, done }: Progress, untilMs: number): Promise<boolean> {
    const set = { until: number(untilMs), through: number(throughMs), done: done ? { BOOL: true } : undefined }
    return this.update(
      leaseItem(lease),
      { ...set, after: after === undefined ? after : { S: after } },
      counted(lease.counter),
    )
  }

  async release(lease: Lease): Promise<void> {
    await this.update(leaseItem(lease), { until: number(0), owner: { S: '' } }, counted(lease.counter))
  }

  async remove(lease: Lease): Promise<void> {
    const { condition, names, values } = counted(lease.counter)
    await settledByCondition(
      this.store.deleteItem({
        TableName: this.table,
        Key: this.key(leaseItem(lease)),
        ConditionExpression: condition,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
      }),
    )
  }

  /** Notes the stream that is read from now on, and that someone is there. */
  async keepStream(arn: string, before: string | undefined, aliveMs: number): Promise<boolean> {
    const names = { '#k': 'stream' }
    return this.update(
      STREAM_ITEM,
      { stream: { S: arn }, alive: number(aliveMs) },
      before === undefined
        ? { condition: 'attribute_not_exists(#k)', names }
        : { condition: '#k = :k', names, values: { ':k': { S: before } } },
    )
  }

  /** Asks the others of the group how far they are: writing it wakes a follower that sleeps until something is written. */
  async ask(nowMs: number): Promise<void> {
    await this.store.updateItem({
      TableName: this.table,
      Key: this.key(ASK_ITEM),
      UpdateExpression: 'SET #a = :a',
      ExpressionAttributeNames: { '#a': 'at' },
      ExpressionAttributeValues: { ':a': number(nowMs) },
    })
  }

  /** A gap stays in the table until it was answered, so that no crash forgets it. True where nobody had noted it. */
  async openGap({ reason, sinceMs, untilMs, shards }: Gap): Promise<boolean> {
    const id = gapItem({ reason, sinceMs, untilMs, shards })
    const set = { reason: { S: reason }, since: number(sinceMs), until: number(untilMs) }
    return this.update(
      id,
      { ...set, shards: { L: shards.map(S => ({ S })) }, claimed: number(0) },
      { condition: 'attribute_not_exists(#k)', names: { '#k': 'reason' } },
    )
  }

  /** Whoever claims a gap answers it; a claim that was not renewed can be taken. */
  async claimGap(id: string, claimedUntilMs: number, untilMs: number, claimant: string): Promise<boolean> {
    const set = { claimed: number(untilMs), claimant: { S: claimant } }
    const values = { ':k': number(claimedUntilMs) }
    return this.update(id, set, { condition: '#k = :k', names: { '#k': 'claimed' }, values })
  }

  async closeGap(id: string): Promise<void> {
    await this.store.deleteItem({ TableName: this.table, Key: this.key(id) })
  }

  private key(item: string): Key {
    return { [CONSUMERS_KEYS.partition]: { S: this.group }, [CONSUMERS_KEYS.sort]: { S: item } }
  }

  private update(item: string, set: Values, held: Held): Promise<boolean> {
    const given = Object.entries(set).filter(([, value]) => value !== undefined)
    return settledByCondition(
      this.store.updateItem({
        TableName: this.table,
        Key: this.key(item),
        UpdateExpression: `SET ${given.map((_, at) => `#s${at} = :s${at}`).join(', ')}`,
        ConditionExpression: held.condition,
        ExpressionAttributeNames: {
          ...held.names,
          ...Object.fromEntries(given.map(([name], at) => [`#s${at}`, name])),
        },
        ExpressionAttributeValues: {
          ...held.values,
          ...Object.fromEntries(given.map(([, value], at) => [`:s${at}`, value!])),
        },
      }),
    )
  }
}

interface Held {
  readonly condition: string
  readonly names: Record<string, string>
  readonly values?: Record<string, AttributeValue>
}

function counted(counter: number): Held & { readonly values: Record<string, AttributeValue> } {
  return { condition: '#k = :k', names: { '#k': 'counter' }, values: { ':k': number(counter) } }
}

function number(value: number): AttributeValue {
  return { N: String(value) }
}

/** False where the condition did not hold. */
async function settledByCondition(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing
    return true
  } catch (error) {
    if (isNamed(error, 'ConditionalCheckFailedException')) return false
    throw error
  }
}
