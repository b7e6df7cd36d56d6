import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import { isCounted, sumOf } from '../layout/derived.js'
import { itemsOfFact } from '../layout/items.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import type { Names } from '../layout/names.js'
import { once } from '../layout/once.js'
import type { DeclaredCount, DeclaredEdge, DeclaredEnd, DeclaredSum } from '../schema/declared.js'
import { mapValues } from '../schema/map-values.js'
import type { Slots } from './plan.js'
import type { WriteExpression } from './write-expression.js'

type Counter = DeclaredCount & Partial<DeclaredSum>

/** The end in whose node's partition the items of a kind lie: an edge's own, or its mirror's. */
export const endOfSide = once((kind: Kind, { accesses }: Layout): DeclaredEnd | undefined =>
  (kind.type as DeclaredEdge).ends?.find(({ name }) =>
    accesses.some(each => each.kind === kind && each.name === name && each.consistent),
  ),
)

const countersAt = ({ count, sum }: DeclaredEdge, { name }: DeclaredEnd): Counter[] =>
  [...count, ...sum].filter(({ end, by }) => end === name && by === 'stream')

/** Whether the stream counts the items of a kind in the node in whose partition they lie. */
export function isCountedIn(layout: Layout, kind: Kind): unknown {
  const end = endOfSide(kind, layout)
  return end && countersAt(kind.type as DeclaredEdge, end)[0]
}

/**
 * What an edge's own item, or its mirror, with these values adds to the counters that the stream keeps in the node in
 * whose partition it lies, by their stored names; what is nothing is left out.
 */
export function contribution(layout: Layout, kind: Kind, values: Slots): Record<string, AttributeValue> {
  const edge = kind.type as DeclaredEdge
  const near = endOfSide(kind, layout)
  const added: Record<string, AttributeValue> = {}
  // An undirected edge of a node with itself may be its own mirror.
  const ends = near && edge.undirected && itemsOfFact(layout, edge, values).length < 2 ? edge.ends : near ? [near] : []
  for (const end of ends)
    for (const counter of countersAt(edge, end)) {
      if (!isCounted(counter, values)) continue
      const name = layout.names.of(end.node, counter.into)
      added[name] = sumOf(added[name], counter.of ? values[counter.of] : { N: '1' })
    }
  return mapValues(added, each => (each.N === '0' ? undefined : each))
}

/** The stored names of the attributes that decide what an item of a kind adds. */
export function contributing(layout: Layout, kind: Kind): string[] {
  const end = endOfSide(kind, layout)
  const counters = end ? countersAt(kind.type as DeclaredEdge, end) : []
  const slots = counters.flatMap(({ of, where = {} }) => [...Object.keys(where), ...(of ? [of] : [])])
  return [...new Set(slots.filter(slot => !kind.told.has(slot)))].map(slot => layout.names.of(kind.type, slot))
}

/** The condition that nobody has counted an item since it was read. */
export function countedAsRead({ counted }: Names, expression: WriteExpression, item: Item): string {
  const tag = item[counted]?.M?.tag
  return tag
    ? `${expression.name(counted)}.${expression.name('tag')} = ${expression.value(tag)}`
    : expression.is(counted, item[counted])
}
