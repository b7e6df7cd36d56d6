import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { ChangeRecord } from '../dynamodb/operations/streams.js'
import type { Store } from '../store/port.js'
import { CONSUMERS_KEYS } from '../table/consumers.js'
import { recordFromJson, recordToJson } from './record-json.js'

/** A record that could not be handled, and is left out until it is replayed. */
export interface DeadLetter {
  readonly id: string
  /** When it was given up. */
  readonly at: Date
  readonly error: string
  readonly attempts: number
  readonly shard: string
  readonly record: ChangeRecord
  /** How many items it takes. */
  readonly parts: number
}

/** Where the dead letters of a group lie. */
export interface DeadLetterPlace {
  readonly store: Store
  readonly table: string
  readonly group: string
}

/** A record has two images of up to 400 KB: what does not fit into an item goes on in the next. */
const PART_CHARACTERS = 100_000

export async function putDeadLetter(place: DeadLetterPlace, letter: Omit<DeadLetter, 'id' | 'parts'>): Promise<void> {
  const { record, shard, error, attempts, at } = letter
  const text = recordToJson(record)
  const id = `${shard}#${record.dynamodb?.SequenceNumber ?? ''}`
  const texts = partsOf(text)
  const about = {
    shard: { S: shard },
    error: { S: error },
    attempts: n(attempts),
    at: n(at.getTime()),
    parts: n(texts.length),
  }
  // The first part comes last: once it is there, all of it is.
  for (let part = texts.length - 1; part >= 0; part--) {
    const own = { record: { S: texts[part]! } }
    await place.store.putItem({
      TableName: place.table,
      Item: { ...keyOf(place, id, part), ...own, ...(part === 0 && about) },
    })
  }
}

export async function* readDeadLetters(place: DeadLetterPlace): AsyncGenerator<DeadLetter> {
  let start: Key | undefined
  let pending: Item[] = []
  do {
    const page = await place.store.query({
      TableName: place.table,
      ConsistentRead: true,
      KeyConditionExpression: '#p = :p',
      ExpressionAttributeNames: { '#p': CONSUMERS_KEYS.partition },
      ExpressionAttributeValues: { ':p': { S: partitionOf(place) } },
      ExclusiveStartKey: start,
    })
    for (const item of page.Items ?? []) {
      // Others may be removing what is read, and a crash may have left the end of another.
      const isNext = pending.length > 0 && idOf(item) === idOf(pending[0]!)
      pending = item.parts ? [item] : isNext ? [...pending, item] : []
      if (pending.length === Number(pending[0]?.parts?.N)) yield letterOf(pending)
    }
    start = page.LastEvaluatedKey
  } while (start)
}

export async function removeDeadLetter(place: DeadLetterPlace, { id, parts }: DeadLetter): Promise<void> {
  for (let part = 0; part < parts; part++)
    await place.store.deleteItem({ TableName: place.table, Key: keyOf(place, id, part) })
}

/** A character of two halves is not torn apart: DynamoDB takes no half. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  for (let from = 0; from < text.length; from += parts.at(-1)!.length) {
    const part = text.slice(from, from + PART_CHARACTERS)
    parts.push(/[\uD800-\uDBFF]$/.test(part) ? part.slice(0, -1) : part)
  }
  return parts
}

function letterOf(items: readonly Item[]): DeadLetter {
  const [first] = items as [Item]
  const text = items.map(item => item.record?.S ?? '').join('')
  return {
    id: idOf(first),
    at: new Date(Number(first.at?.N)),
    error: first.error?.S ?? '',
    attempts: Number(first.attempts?.N),
    shard: first.shard?.S ?? '',
    record: recordFromJson(JSON.parse(text)),
    parts: items.length,
  }
}

function idOf(item: Item): string {
  const sort = item[CONSUMERS_KEYS.sort]?.S ?? ''
  return sort.slice(0, sort.lastIndexOf('#'))
}

/** One that a crash left without its first part is taken up again, under the same key. */
function keyOf(place: DeadLetterPlace, id: string, part: number): Key {
  const sort = `${id}#${String(part).padStart(4, '0')}`
  return { [CONSUMERS_KEYS.partition]: { S: partitionOf(place) }, [CONSUMERS_KEYS.sort]: { S: sort } }
}

function partitionOf({ group }: DeadLetterPlace): string {
  return `${group}#dead`
}

function n(value: number) {
  return { N: String(value) }
}
