import type { Key } from '../dynamodb/attribute-value.js'
import { NODE_SORT } from './default-keys.js'
import type { Layout } from './layout.js'
import { escapeText } from './template-encode.js'

/** No name and no encoded value begins with a single `$`, so items of ours have keys that nothing else has. */
export const FINGERPRINT_PARTITION = '$edgewise'
const RECEIPT = '$receipt#'

/** The key of the item that tells under which layout the table was written. */
export function fingerprintKey({ names }: Pick<Layout, 'names'>): Key {
  return { [names.partition]: { S: FINGERPRINT_PARTITION }, [names.sort]: { S: NODE_SORT } }
}

/** The key of the item that tells that something was done; a tenant's is among the tenant's own. */
export function receiptKey({ names }: Pick<Layout, 'names'>, token: string, tenant?: string): Key {
  const own = tenant === undefined ? '' : `${escapeText(tenant)}#`
  return { [names.partition]: { S: `${own}${RECEIPT}${token}` }, [names.sort]: { S: NODE_SORT } }
}
