import type { Item, Key } from '../dynamodb/attribute-value.js'
import { SORT_KEY_BYTES } from '../dynamodb/limits.js'
import { utf8Bytes } from '../dynamodb/size.js'
import { NODE_SORT } from './default-keys.js'
import { hashOf } from './fingerprint.js'
import type { Layout } from './layout.js'
import { keyOf, tenantHead } from './store-item.js'
import { escapeText, sha256 } from './template-encode.js'

/** No name and no encoded value begins with a single `$`, so items of ours have keys that nothing else has. */
export const FINGERPRINT_PARTITION = '$edgewise'
const RECEIPT = '$receipt#'
/** The type of a tombstone, and its attributes: the key that the item had, that of its node, and whether it is spent. */
export const GONE_MARK = '$gone'
export const GONE_OF = '_of'
export const GONE_NODE = '_node'
export const GONE_SPENT = '_spent'
/** How much of a sort key is left for the mark of a tombstone. */
const MARK_BYTES = 256

type Named = Pick<Layout, 'names' | 'design'>

function keyAt({ names, design: { attributes } }: Named, partition: string, sort = NODE_SORT): Key {
  const key: Key = {}
  for (const name of names.keys) {
    const S = name === names.sort ? sort : partition
    key[name] = attributes[name] === 'N' ? { N: hashed(S) } : { S }
  }
  return key
}

/** In place of a text where keys are numbers: a negative one of 38 digits, which nobody has for an id. */
const hashed = (text: string) => `-${10n ** 37n + BigInt(`0x${hashOf(text)}`)}`

/** The key of the item that tells under which layout the table was written. */
export function fingerprintKey(layout: Named): Key {
  return keyAt(layout, FINGERPRINT_PARTITION)
}

/** The key of the item that tells that something was done; a tenant's is among the tenant's own. */
export function receiptKey(layout: Named, token: string, tenant?: string): Key {
  const head = tenantHead(tenant) + RECEIPT
  return keyAt(layout, head + short(token, SORT_KEY_BYTES - utf8Bytes(head)))
}

/** The partition of a node's tombstones: each tells what it had counted of an edge that is gone. */
export function gonePartition({ names }: Named, node: Key, tenant?: string): string {
  const head = `${tenantHead(tenant)}${GONE_MARK}#`
  const text = `${escapeText(node[names.partition]!.S!)}#${node[names.sort]!.S}`
  // An inverted index sorts by the partition key.
  return head + short(text, SORT_KEY_BYTES - utf8Bytes(head))
}

/** Where the tombstones of an edge's or a mirror's key lie, `side`, and what their sort keys begin with. */
export function goneBeside(layout: Named, node: Key, side: Key, tenant?: string) {
  const text = escapeText(side[layout.names.sort]!.S!)
  return {
    partition: gonePartition(layout, node, tenant),
    prefix: `${short(text, SORT_KEY_BYTES - MARK_BYTES)}#`,
  }
}

/** The tombstone of an edge's or a mirror's item that goes, which a node had counted, by a mark that no other has. */
export function tombstone(layout: Named, node: Key, side: Item, mark: string, tenant?: string): Item {
  const { type, counted } = layout.names
  const key = keyOf(layout.names, side)
  return {
    ...goneKey(layout, node, key, mark, tenant),
    [type]: { S: GONE_MARK },
    [GONE_OF]: { M: key },
    [GONE_NODE]: { M: node },
    [counted]: side[counted]!,
  }
}

/** The key of one tombstone, by a mark that no other of that side has. */
export function goneKey(layout: Named, node: Key, side: Key, mark: string, tenant?: string): Key {
  const { partition, prefix } = goneBeside(layout, node, side, tenant)
  return keyAt(layout, partition, prefix + mark)
}

/** A text too long for a key is hashed: no escaped text has a `$` before a letter or a digit. */
function short(text: string, maxBytes: number): string {
  const hash = utf8Bytes(text) > maxBytes && sha256(text)
  return hash ? `$${hash}` : text
}

/** Whether an item is neither of a node nor of an edge, but tells of the table or of what was done. */
export function isOwnItem({ names }: Named, item: Key): boolean {
  const { S = '', N = '' } = item[names.partition] ?? {}
  return /(^|#)\$(edgewise$|receipt#)/.test(S) || /^-\d{38}$/.test(N)
}
