import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import type { Layout } from '../layout.js'
import { closureRowsOf, type Lineage } from './closure.js'
import { itemsOfStoredRow, uniqueKeyTextOf } from './items.js'

/** The items of the closure that lead from a node to its ancestors, without etags, by the texts of their keys. */
export function closureItemsOf(
  layout: Layout,
  tree: DeclaredEdge,
  edge: Readonly<Record<string, AttributeValue>>,
  lineage: Lineage,
): Map<string, Item> {
  const closure = layout.graph.declared.edges.find(({ name }) => name === tree.closure)!
  const rows = closureRowsOf(tree, closure, edge, lineage)
  const items = rows.flatMap(row => itemsOfStoredRow(layout, closure, row).map(({ item }) => item))
  return new Map(items.map(item => [uniqueKeyTextOf(layout, item), item]))
}
