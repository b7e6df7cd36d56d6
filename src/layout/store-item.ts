import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import { fnv1a } from './fingerprint.js'
import { type Kind, ownSlots } from './kinds.js'
import type { Names } from './names.js'
import { identityOf, SHARD_SLOT, TENANT_SLOT } from './slots.js'
import { encode, escapeText, type KeyValues, keyValue } from './template-encode.js'
import { templateError } from './template-error.js'

/** DynamoDB's TTL counts seconds. */
const MS_OF_SECOND = 1000

/** The item that values make, of a kind, without its etag. */
export function storeItem(kind: Kind, names: Names, values: KeyValues): Item {
  const { type, role, needs, told, marks } = kind
  const item: Item = tableKey({ names }, kind, values)
  const own = names.keys.map(name => textOf(item[name])).join('\n')
  // An index takes an item that has all its keys, so one without the other is left out.
  for (const attribute in needs)
    if (needs[attribute]!.some(slots => slots.every(slot => values[slot])))
      item[attribute] = spreadKey(kind, attribute, values, own)
  item[names.type] = { S: kind.mark }
  for (const attribute in marks) item[attribute] = { S: marks[attribute]! }
  // A facet or a sentinel holds what it stands for, as far as its key, being raw, does not tell it.
  const beside = () => [...identityOf(type), ...ownSlots(kind, names).filter(slot => slot === TENANT_SLOT)]
  for (const slot of role === 'facet' || role === 'unique' ? beside() : Object.keys(values)) {
    const value = values[slot]
    if (value && !told.has(slot)) item[names.of(type, slot)] = value
  }
  const expires = values[type.expires ?? '']?.S
  if (expires) item[names.expires] = { N: String(Math.floor(Date.parse(expires) / MS_OF_SECOND)) }
  return item
}

/** The key in the table of the item that these values make. */
export function tableKey({ names }: { readonly names: Names }, kind: Kind, values: KeyValues): Key {
  const { partition, sort } = names
  const { [partition]: first, [sort]: last } = kind.keys
  const text = last ? encode(last, values) : ''
  const head = spreadKey(kind, partition, values, text)
  if (!/[^#]/.test(text) && OWN.test(textOf(head).slice(tenantHead(values[TENANT_SLOT]?.S).length)))
    throw templateError('key.value', first!, { wrong: 'is reserved for edgewise', advice: 'give other values' })
  const key = { [partition]: head }
  if (last) key[sort] = keyValue(last, text)
  return key
}

/** The keys of a fingerprint and of receipts, without their tenant: a key that a value alone makes could be one of them. */
const OWN = /^\$(edgewise$|receipt#)/

/** What is before them of a tenant's own. */
export const tenantHead = (tenant: string | undefined) => (tenant ? `${escapeText(tenant)}#` : '')

/** The key in the table of an item, or of an entry of an index. */
export function keyOf({ keys }: Names, item: Item): Key {
  const key: Key = {}
  for (const name of keys) key[name] = item[name]!
  return key
}

/** Keys are texts and numbers. */
export const textOf = (value: AttributeValue | undefined): string => value?.S ?? value?.N ?? ''

/** A key; what spreads it follows from the item's own key, and so is the same wherever it is worked out. */
function spreadKey({ keys, shards }: Kind, attribute: string, values: KeyValues, own: string): AttributeValue {
  const spread = shards[attribute]
  const template = keys[attribute]!
  const all = spread ? { ...values, [SHARD_SLOT]: { S: String(fnv1a(own) % spread) } } : values
  return keyValue(template, encode(template, all))
}
