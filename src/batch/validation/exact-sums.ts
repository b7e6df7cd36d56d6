import { addNumberValues } from '../../layout/items/derived-values.js'
import { GraphError } from '../../schema/error.js'
import type { SqlRow } from '../duckdb.js'
import { type NodeKey, nodeText } from './validated-items.js'

/**
 * The sums of the amounts of nodes, by the text of their keys, for numbers that no type of SQL holds. A sum that DynamoDB
 * cannot hold is undefined.
 */
export function exactSums(
  nodes: readonly NodeKey[],
  amounts: readonly SqlRow[],
): ReadonlyMap<string, { readonly N: string } | undefined> {
  const sums = new Map<string, { N: string } | undefined>(nodes.map(node => [nodeText(node), { N: '0' }]))
  for (const row of amounts) {
    const text = nodeText(row as unknown as NodeKey)
    const sum = sums.get(text)
    if (sum) sums.set(text, addAmount(sum, String(row.amount)))
  }
  return sums
}

function addAmount(sum: { N: string }, amount: string): { N: string } | undefined {
  try {
    return addNumberValues(sum, { N: amount }) as { N: string }
  } catch (error) {
    if (error instanceof GraphError && error.code === 'value.number') return undefined
    throw error
  }
}
