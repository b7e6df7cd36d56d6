import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { SORT_KEY_BYTES } from '../../dynamodb/limits.js'
import { countUtf8Bytes } from '../../dynamodb/size.js'
import { toFnvHash } from '../fingerprint.js'
import { NODE_SORT } from '../keys/default-templates.js'
import { escapeText, sha256 } from '../keys/encode-template.js'
import type { Layout } from '../layout.js'
import { keyOfItem, tenantPrefix } from './compose-item.js'

/** No name and no encoded value begins with a single `$`, so items of ours have keys that nothing else has. */
export const FINGERPRINT_PARTITION = '$edgewise'
const RECEIPT_PREFIX = '$receipt#'
/** The type of a tombstone, and its attributes: the key that the item had, that of its node, and whether it is spent. */
export const TOMBSTONE_TYPE = '$gone'
export const TOMBSTONE_KEY = '_of'
export const TOMBSTONE_NODE = '_node'
export const TOMBSTONE_SPENT = '_spent'
/** How much of a sort key is left for the mark of a tombstone. */
const MARK_BYTES = 256

type LayoutNames = Pick<Layout, 'names' | 'design'>

function createInternalKey({ names, design: { attributes } }: LayoutNames, partition: string, sort = NODE_SORT): Key {
  const key: Key = {}
  for (const name of names.keys) {
    const S = name === names.sort ? sort : partition
    key[name] = attributes[name] === 'N' ? { N: toNumericKey(S) } : { S }
  }
  return key
}

/** In place of a text where keys are numbers: a negative one of 38 digits, which nobody has for an id. */
const toNumericKey = (text: string) => `-${10n ** 37n + BigInt(`0x${toFnvHash(text)}`)}`

/** The key of the item that tells under which layout the table was written. */
export function fingerprintKey(layout: LayoutNames): Key {
  return createInternalKey(layout, FINGERPRINT_PARTITION)
}

/** The key of the item that tells that something was done; a tenant's is among the tenant's own. */
export function receiptKey(layout: LayoutNames, token: string, tenant?: string): Key {
  const prefix = tenantPrefix(tenant) + RECEIPT_PREFIX
  return createInternalKey(layout, prefix + shortenText(token, SORT_KEY_BYTES - countUtf8Bytes(prefix)))
}

/** The partition of a node's tombstones: each tells what it had counted of an edge that is gone. */
export function tombstonePartition({ names }: LayoutNames, node: Key, tenant?: string): string {
  const prefix = `${tenantPrefix(tenant)}${TOMBSTONE_TYPE}#`
  const text = `${escapeText(node[names.partition]!.S!)}#${node[names.sort]!.S}`
  // An inverted index sorts by the partition key.
  return prefix + shortenText(text, SORT_KEY_BYTES - countUtf8Bytes(prefix))
}

/** Where the tombstones of an edge's or a mirror's key lie, `side`, and what their sort keys begin with. */
export function tombstoneLocation(layout: LayoutNames, node: Key, edgeKey: Key, tenant?: string) {
  const text = escapeText(edgeKey[layout.names.sort]!.S!)
  return {
    partition: tombstonePartition(layout, node, tenant),
    prefix: `${shortenText(text, SORT_KEY_BYTES - MARK_BYTES)}#`,
  }
}

/** The tombstone of an edge's or a mirror's item that goes, which a node had counted, by a mark that no other has. */
export function createTombstone(layout: LayoutNames, node: Key, edgeItem: Item, mark: string, tenant?: string): Item {
  const { type, countedState } = layout.names
  const key = keyOfItem(layout.names, edgeItem)
  return {
    ...tombstoneKey(layout, node, key, mark, tenant),
    [type]: { S: TOMBSTONE_TYPE },
    [TOMBSTONE_KEY]: { M: key },
    [TOMBSTONE_NODE]: { M: node },
    [countedState]: edgeItem[countedState]!,
  }
}

/** The key of one tombstone, by a mark that no other of that side has. */
export function tombstoneKey(layout: LayoutNames, node: Key, edgeKey: Key, mark: string, tenant?: string): Key {
  const { partition, prefix } = tombstoneLocation(layout, node, edgeKey, tenant)
  return createInternalKey(layout, partition, prefix + mark)
}

/** A text too long for a key is hashed: no escaped text has a `$` before a letter or a digit. */
function shortenText(text: string, maxBytes: number): string {
  const hash = countUtf8Bytes(text) > maxBytes && sha256(text)
  return hash ? `$${hash}` : text
}

/** Whether an item is neither of a node nor of an edge, but tells of the table or of what was done. */
export function isInternalItem({ names }: LayoutNames, item: Key): boolean {
  const { S = '', N = '' } = item[names.partition] ?? {}
  return /(^|#)\$(edgewise$|receipt#)/.test(S) || /^-\d{38}$/.test(N)
}
