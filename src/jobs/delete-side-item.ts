import type { Item } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { keyOfItem } from '../plan/identity.js'
import { createTransactionPart, type TransactionPart } from '../plan/write/transaction-part.js'

/**
 * Creates the deletion of a side item, on condition that it has not changed since it was read: a sentinel may belong
 * to another node by then.
 */
export function createSideItemDelete({ names }: Layout, item: Item): TransactionPart {
  const deletePart = createTransactionPart('Delete', keyOfItem(names, item))
  const { expression } = deletePart
  expression.where(expression.exists(names.partition))
  const comparedNames = item[names.etag] ? [names.etag] : Object.keys(item).filter(name => !(name in deletePart.key))
  for (const name of comparedNames) expression.where(expression.equals(name, item[name]!))
  return deletePart
}
