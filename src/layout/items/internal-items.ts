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
/** The start of the token of the receipt that records the last run of a job of `edgewise/batch`. */
export const JOB_RUN_TOKEN = 'batch.'
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

/**
 * Converts an internal key to a number for tables with numeric keys: negative with 38 digits, which no realistic id
 * has.
 */
const toNumericKey = (text: string) => `-${10n ** 37n + BigInt(`0x${toFnvHash(text)}`)}`

/** The key of the item with the fingerprint of the layout that wrote the table. */
export function fingerprintKey(layout: LayoutNames): Key {
  return createInternalKey(layout, FINGERPRINT_PARTITION)
}

/** The key of a receipt, which records that a token was used. A tenant's receipts are in the tenant's partitions. */
export function receiptKey(layout: LayoutNames, token: string, tenant?: string): Key {
  const prefix = tenantPrefix(tenant) + RECEIPT_PREFIX
  return createInternalKey(layout, prefix + shortenText(token, SORT_KEY_BYTES - countUtf8Bytes(prefix)))
}

/**
 * The partition of a node's tombstones. Each holds the counts of a deleted edge that the node's counters still contain.
 */
export function tombstonePartition({ names }: LayoutNames, node: Key, tenant?: string): string {
  const prefix = `${tenantPrefix(tenant)}${TOMBSTONE_TYPE}#`
  const text = `${escapeText(node[names.partition]!.S!)}#${node[names.sort]!.S}`
  // An inverted index has the partition key as its sort key, which allows fewer bytes.
  return prefix + shortenText(text, SORT_KEY_BYTES - countUtf8Bytes(prefix))
}

/** The partition of the tombstones of one edge or mirror item, and the prefix of their sort keys. */
export function tombstoneLocation(layout: LayoutNames, node: Key, edgeKey: Key, tenant?: string) {
  const text = escapeText(edgeKey[layout.names.sort]!.S!)
  return {
    partition: tombstonePartition(layout, node, tenant),
    prefix: `${shortenText(text, SORT_KEY_BYTES - MARK_BYTES)}#`,
  }
}

/** Creates the tombstone of a deleted edge or mirror item that a node had counted. The mark is unique. */
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

/** The key of one tombstone, which the mark makes unique. */
export function tombstoneKey(layout: LayoutNames, node: Key, edgeKey: Key, mark: string, tenant?: string): Key {
  const { partition, prefix } = tombstoneLocation(layout, node, edgeKey, tenant)
  return createInternalKey(layout, partition, prefix + mark)
}

/**
 * Hashes a text that is too long for a key. Escaped text never has a `$` before a letter or a digit, so the two forms
 * cannot collide.
 */
function shortenText(text: string, maxBytes: number): string {
  const hash = countUtf8Bytes(text) > maxBytes && sha256(text)
  return hash ? `$${hash}` : text
}

/** Whether an item is a fingerprint or a receipt, and not part of a node or an edge. */
export function isInternalItem({ names }: LayoutNames, item: Key): boolean {
  const { S = '', N = '' } = item[names.partition] ?? {}
  return /(^|#)\$(edgewise$|receipt#)/.test(S) || /^-\d{38}$/.test(N)
}
