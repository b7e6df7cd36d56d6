import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { fnv1a } from '../fingerprint.js'
import { encodeTemplate, escapeText, type KeySlotValues, toKeyAttribute } from '../keys/encode-template.js'
import { createTemplateError } from '../keys/template-error.js'
import { type Kind, tableKeySlots } from '../kinds.js'
import { identitySlotsOf, SHARD_SLOT, TENANT_SLOT } from '../slots.js'
import type { StoredNames } from '../stored-names.js'

/** DynamoDB's TTL counts seconds. */
const MS_PER_SECOND = 1000

/** Composes the item of a kind from slot values, without its etag. The table key is given if it is known. */
export function composeItem(
  kind: Kind,
  names: StoredNames,
  values: KeySlotValues,
  key: Key = tableKeyOf({ names }, kind, values),
): Item {
  const { type, role, indexKeySlots, slotsInKey, constantAttributes } = kind
  const item: Item = keyOfItem(names, key)
  const tableKeyText = names.keys.map(name => keyAttributeText(item[name])).join('\n')
  // An item without a value for one key of an index is not in that index, so its other keys are omitted too.
  for (const attribute in indexKeySlots)
    if (indexKeySlots[attribute]!.some(slots => slots.every(slot => values[slot])))
      item[attribute] = encodeShardedKey(kind, attribute, values, tableKeyText)
  item[names.type] = { S: kind.typeMark }
  for (const attribute in constantAttributes) item[attribute] = { S: constantAttributes[attribute]! }
  // Facets and sentinels hold the identity of their node, except the parts that their key contains in decodable form.
  const identifyingSlots = () => [
    ...identitySlotsOf(type),
    ...tableKeySlots(kind, names).filter(slot => slot === TENANT_SLOT),
  ]
  for (const slot of role === 'facet' || role === 'unique' ? identifyingSlots() : Object.keys(values)) {
    const value = values[slot]
    if (value && !slotsInKey.has(slot)) item[names.attributeOf(type, slot)] = value
  }
  const expires = values[type.expires ?? '']?.S
  if (expires) item[names.expires] = { N: String(Math.floor(Date.parse(expires) / MS_PER_SECOND)) }
  return item
}

/** Composes the table key of an item from slot values. */
export function tableKeyOf({ names }: { readonly names: StoredNames }, kind: Kind, values: KeySlotValues): Key {
  const { partition, sort } = names
  const { [partition]: partitionTemplate, [sort]: sortTemplate } = kind.keys
  const sortText = sortTemplate ? encodeTemplate(sortTemplate, values) : ''
  const partitionKey = encodeShardedKey(kind, partition, values, sortText)
  if (
    !/[^#]/.test(sortText) &&
    INTERNAL_KEY.test(keyAttributeText(partitionKey).slice(tenantPrefix(values[TENANT_SLOT]?.S).length))
  )
    throw createTemplateError('key.value', partitionTemplate!, {
      wrong: 'is reserved for edgewise',
      advice: 'give other values',
    })
  const key = { [partition]: partitionKey }
  if (sortTemplate) key[sort] = toKeyAttribute(sortTemplate, sortText)
  return key
}

/**
 * Matches the keys of fingerprints and receipts, without their tenant. A custom key that consists of one value could
 * equal one of them.
 */
const INTERNAL_KEY = /^\$(edgewise$|receipt#)/

/** The prefix of a tenant's internal keys. */
export const tenantPrefix = (tenant: string | undefined) => (tenant ? `${escapeText(tenant)}#` : '')

/** Returns the table key of an item, or of an entry of an index. */
export function keyOfItem({ keys }: StoredNames, item: Item): Key {
  const key: Key = {}
  for (const name of keys) key[name] = item[name]!
  return key
}

/** Returns the text of a key attribute, which is a string or a number. */
export const keyAttributeText = (value: AttributeValue | undefined): string => value?.S ?? value?.N ?? ''

/** Encodes a key attribute. Its shard is a hash of the item's table key, so every computation yields the same shard. */
function encodeShardedKey(
  { keys, shards }: Kind,
  attribute: string,
  values: KeySlotValues,
  tableKeyText: string,
): AttributeValue {
  const shardCount = shards[attribute]
  const template = keys[attribute]!
  const allValues = shardCount ? { ...values, [SHARD_SLOT]: { S: String(fnv1a(tableKeyText) % shardCount) } } : values
  return toKeyAttribute(template, encodeTemplate(template, allValues))
}
