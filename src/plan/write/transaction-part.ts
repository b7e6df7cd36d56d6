import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { TransactWriteItem } from '../../dynamodb/operation-types.js'
import type { Layout } from '../../layout/layout.js'
import { WriteExpression } from './expression.js'

/** The write of one item, as its request states it. */
export interface TransactionPart {
  readonly verb: 'Put' | 'Update' | 'Delete' | 'ConditionCheck'
  readonly key: Key
  /** Of a `Put`: the item. */
  readonly after?: Item | undefined
  readonly expression: WriteExpression
}

export const createTransactionPart = (verb: TransactionPart['verb'], key: Key, after?: Item): TransactionPart => ({
  verb,
  key,
  after,
  expression: new WriteExpression(),
})

/** Returns the part as an entry of a transaction. Its only member is also the input of the same write on its own. */
export function toTransactItem({ design }: Layout, { verb, key, after, expression }: TransactionPart) {
  const input = expression.addWriteTo({ TableName: design.name, ...(verb === 'Put' ? { Item: after } : { Key: key }) })
  return { [verb]: input } as TransactWriteItem
}
