import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { ChangeRecord } from '../../dynamodb/operation-types.js'
import type { Store } from '../../store/port.js'
import { CONSUMERS_KEYS } from '../../table/production/consumers-table.js'
import { recordFromJson, recordToJson } from '../record-json.js'

/** A record that failed permanently and is skipped until it is replayed. */
export interface DeadLetter {
  readonly id: string
  /** Time when the follower gave up on the record. */
  readonly at: Date
  readonly error: string
  readonly attempts: number
  readonly shard: string
  readonly record: ChangeRecord
  /** Number of items that store the record. */
  readonly parts: number
}

/** Location of the dead letters of a group. */
export interface DeadLetterLocation {
  readonly store: Store
  readonly table: string
  readonly group: string
}

/** A record has two images of up to 400 KB each, so its text is split over several items. */
const PART_CHARACTERS = 100_000

export async function putDeadLetter(
  location: DeadLetterLocation,
  letter: Omit<DeadLetter, 'id' | 'parts'>,
): Promise<void> {
  const { record, shard, error, attempts, at } = letter
  const text = recordToJson(record)
  const id = `${shard}#${record.dynamodb?.SequenceNumber ?? ''}`
  const texts = splitIntoParts(text)
  const summary = {
    shard: { S: shard },
    error: { S: error },
    attempts: toNumberValue(attempts),
    at: toNumberValue(at.getTime()),
    parts: toNumberValue(texts.length),
  }
  // Write the first part last: its presence shows that the letter is complete.
  for (let part = texts.length - 1; part >= 0; part--) {
    const content = { record: { S: texts[part]! } }
    await location.store.putItem({
      TableName: location.table,
      Item: { ...letterKeyOf(location, id, part), ...content, ...(part === 0 && summary) },
    })
  }
}

export async function* readDeadLetters(location: DeadLetterLocation): AsyncGenerator<DeadLetter> {
  let startKey: Key | undefined
  let pending: Item[] = []
  do {
    const page = await location.store.query({
      TableName: location.table,
      ConsistentRead: true,
      KeyConditionExpression: '#p = :p',
      ExpressionAttributeNames: { '#p': CONSUMERS_KEYS.partition },
      ExpressionAttributeValues: { ':p': { S: letterPartitionOf(location) } },
      ExclusiveStartKey: startKey,
    })
    for (const item of page.Items ?? []) {
      // A concurrent replay may remove letters during this query, and a crash may have left an incomplete letter.
      const isNext = pending.length > 0 && letterIdOf(item) === letterIdOf(pending[0]!)
      pending = item.parts ? [item] : isNext ? [...pending, item] : []
      if (pending.length === Number(pending[0]?.parts?.N)) yield toDeadLetter(pending)
    }
    startKey = page.LastEvaluatedKey
  } while (startKey)
}

export async function removeDeadLetter(location: DeadLetterLocation, { id, parts }: DeadLetter): Promise<void> {
  for (let part = 0; part < parts; part++)
    await location.store.deleteItem({ TableName: location.table, Key: letterKeyOf(location, id, part) })
}

/** Splits a text without separating surrogate pairs, because DynamoDB rejects unpaired surrogates. */
function splitIntoParts(text: string): string[] {
  const parts: string[] = []
  for (let offset = 0; offset < text.length; offset += parts.at(-1)!.length) {
    const part = text.slice(offset, offset + PART_CHARACTERS)
    parts.push(/[\uD800-\uDBFF]$/.test(part) ? part.slice(0, -1) : part)
  }
  return parts
}

function toDeadLetter(items: readonly Item[]): DeadLetter {
  const [first] = items as [Item]
  const text = items.map(item => item.record?.S ?? '').join('')
  return {
    id: letterIdOf(first),
    at: new Date(Number(first.at?.N)),
    error: first.error?.S ?? '',
    attempts: Number(first.attempts?.N),
    shard: first.shard?.S ?? '',
    record: recordFromJson(JSON.parse(text)),
    parts: items.length,
  }
}

function letterIdOf(item: Item): string {
  const sort = item[CONSUMERS_KEYS.sort]?.S ?? ''
  return sort.slice(0, sort.lastIndexOf('#'))
}

/** Returns the key of a part. The key is deterministic, so a retry overwrites the parts that a crash left. */
function letterKeyOf(location: DeadLetterLocation, id: string, part: number): Key {
  const sort = `${id}#${String(part).padStart(4, '0')}`
  return { [CONSUMERS_KEYS.partition]: { S: letterPartitionOf(location) }, [CONSUMERS_KEYS.sort]: { S: sort } }
}

function letterPartitionOf({ group }: DeadLetterLocation): string {
  return `${group}#dead`
}

function toNumberValue(value: number) {
  return { N: String(value) }
}
