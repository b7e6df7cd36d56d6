import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { fnv1a } from '../fingerprint.js'
import { encodeTemplate, escapeText, type KeySlotValues, toKeyAttribute } from '../keys/encode-template.js'
import { createTemplateError } from '../keys/template-error.js'
import { type Kind, tableKeySlots } from '../kinds.js'
import { identitySlotsOf, SHARD_SLOT, TENANT_SLOT } from '../slots.js'
import type { StoredNames } from '../stored-names.js'

/** DynamoDB's TTL counts seconds. */
const MS_PER_SECOND = 1000

/** The item that values make, of a kind, without its etag. */
export function composeItem(kind: Kind, names: StoredNames, values: KeySlotValues): Item {
  const { type, role, indexKeySlots, slotsInKey, constantAttributes } = kind
  const item: Item = tableKeyOf({ names }, kind, values)
  const tableKeyText = names.keys.map(name => keyAttributeText(item[name])).join('\n')
  // An index takes an item that has all its keys, so one without the other is left out.
  for (const attribute in indexKeySlots)
    if (indexKeySlots[attribute]!.some(slots => slots.every(slot => values[slot])))
      item[attribute] = encodeShardedKey(kind, attribute, values, tableKeyText)
  item[names.type] = { S: kind.typeMark }
  for (const attribute in constantAttributes) item[attribute] = { S: constantAttributes[attribute]! }
  // A facet or a sentinel holds what it stands for, as far as its key, being raw, does not tell it.
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

/** The key in the table of the item that these values make. */
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

/** The keys of a fingerprint and of receipts, without their tenant: a key that a value alone makes could be one of them. */
const INTERNAL_KEY = /^\$(edgewise$|receipt#)/

/** What is before them of a tenant's own. */
export const tenantPrefix = (tenant: string | undefined) => (tenant ? `${escapeText(tenant)}#` : '')

/** The key in the table of an item, or of an entry of an index. */
export function keyOfItem({ keys }: StoredNames, item: Item): Key {
  const key: Key = {}
  for (const name of keys) key[name] = item[name]!
  return key
}

/** Keys are texts and numbers. */
export const keyAttributeText = (value: AttributeValue | undefined): string => value?.S ?? value?.N ?? ''

/** A key; what spreads it follows from the item's own key, and so is the same wherever it is worked out. */
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
