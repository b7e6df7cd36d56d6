import { type Act, act } from '../derive/deriving.js'
import type { Item } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { keyOf } from '../plan/identity.js'

/** Takes away a mirror, a facet or a sentinel as it was read: a sentinel may be of another by then. */
export function goneSide({ names }: Layout, item: Item): Act {
  const gone = act('Delete', keyOf(names, item))
  const { expression } = gone
  expression.where(expression.exists(names.partition))
  const told = item[names.etag] ? [names.etag] : Object.keys(item).filter(name => !(name in gone.key))
  for (const name of told) expression.where(expression.equals(name, item[name]!))
  return gone
}
