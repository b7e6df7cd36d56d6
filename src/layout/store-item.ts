import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { Kind } from './kinds.js'
import type { Names } from './names.js'
import { idSlots, SHARD_SLOT } from './slots.js'
import type { Template } from './template.js'
import { complete, encode, type KeyValues } from './template-encode.js'

/** The item that values make, of a kind, without its etag. */
export function storeItem(kind: Kind, names: Names, values: KeyValues): Item {
  const item = keysOf(kind, names, values)
  item[names.type] = { S: kind.mark }
  for (const [attribute, text] of Object.entries(kind.marks)) item[attribute] = { S: text }
  for (const slot of heldSlots(kind, names, values)) {
    const value = values[slot]
    if (value !== undefined) item[names.of(kind.type, slot)] = value
  }
  const expires = kind.type.expires === undefined ? undefined : values[kind.type.expires]?.S
  if (expires !== undefined) item[names.expires] = { N: String(Math.floor(Date.parse(expires) / MS_OF_SECOND)) }
  return item
}

/** DynamoDB's TTL counts seconds. */
const MS_OF_SECOND = 1000

/** Whether values make a key of the table; the shard follows from the others. */
export function hasKey({ keys }: Kind, { partition, sort }: Names, values: KeyValues): boolean {
  const all = { ...values, [SHARD_SLOT]: ANY }
  return complete(keys[partition]!, all) && complete(keys[sort]!, all)
}

/** The keys of the table, and of each index that the item is in. */
function keysOf(kind: Kind, names: Names, values: KeyValues): Record<string, AttributeValue> {
  const { [names.partition]: partition, [names.sort]: sort, ...entries } = kind.keys
  const sortText = encode(sort!, values)
  const partitionText = keyText(kind, names.partition, partition!, values, sortText)
  const item: Record<string, AttributeValue> = {
    [names.partition]: { S: partitionText },
    [names.sort]: { S: sortText },
  }
  const own = `${partitionText}\n${sortText}`
  for (const [attribute, template] of Object.entries(entries))
    if (complete(template, { ...values, [SHARD_SLOT]: ANY }))
      item[attribute] = { S: keyText(kind, attribute, template, values, own) }
  return leaveHalves(item, kind)
}

const ANY: AttributeValue = { S: '0' }

function keyText(kind: Kind, attribute: string, template: Template, values: KeyValues, own: string): string {
  const shards = kind.shards[attribute]
  return encode(
    template,
    shards === undefined ? values : { ...values, [SHARD_SLOT]: { S: String(shardOf(own, shards)) } },
  )
}

/** An index takes an item that has both its keys, so one key alone is left out. */
function leaveHalves(item: Record<string, AttributeValue>, { keys }: Kind): Record<string, AttributeValue> {
  for (const attribute of Object.keys(item)) {
    const match = /^(GSI\d+)([PS])K$/.exec(attribute)
    const other = match && `${match[1]}${match[2] === 'P' ? 'S' : 'P'}K`
    if (other && keys[other] && !item[other]) delete item[attribute]
  }
  return item
}

/** Which shard an item falls into, by its own key: the same wherever it is worked out. */
export function shardOf(key: string, shards: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % shards
}

/** The slots that an item holds as attributes: all but those that its key tells already. */
function heldSlots(kind: Kind, names: Names, values: KeyValues): string[] {
  if (kind.role === 'facet') return []
  const told = toldByKey(kind, names)
  const slots = kind.role === 'unique' && kind.type.kind === 'node' ? idSlots(kind.type) : Object.keys(values)
  return slots.filter(slot => !told.has(slot) || kind.held.includes(slot))
}

/** Raw keys tell nothing: their values may have been folded. */
function toldByKey({ keys }: Kind, { partition, sort }: Names): ReadonlySet<string> {
  const templates = [keys[partition]!, keys[sort]!].filter(({ mode }) => mode === 'encoded')
  return new Set(templates.flatMap(({ slots }) => slots.map(({ name }) => name)))
}
