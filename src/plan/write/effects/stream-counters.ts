import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import { addNumberValues, isCounted } from '../../../layout/items/derived-values.js'
import { itemsOfStoredRow } from '../../../layout/items/items.js'
import type { Kind } from '../../../layout/kinds.js'
import type { Layout } from '../../../layout/layout.js'
import { memoize } from '../../../layout/memoize.js'
import type { StoredNames } from '../../../layout/stored-names.js'
import type { DeclaredCount, DeclaredEdge, DeclaredEnd, DeclaredSum } from '../../../schema/declarations.js'
import { mapValues } from '../../../schema/map-values.js'
import type { SlotValues } from '../../plan.js'
import type { WriteExpression } from '../expression.js'

type StreamCounter = DeclaredCount & Partial<DeclaredSum>

/** The end whose node's partition contains the items of a kind: an edge's own items, or its mirrors. */
export const partitionEndOf = memoize((kind: Kind, { accesses }: Layout): DeclaredEnd | undefined =>
  (kind.type as DeclaredEdge).ends?.find(({ name }) =>
    accesses.some(each => each.kind === kind && each.name === name && each.consistent),
  ),
)

const streamCountersAt = ({ count, sum }: DeclaredEdge, { name }: DeclaredEnd): StreamCounter[] =>
  [...count, ...sum].filter(({ end, by }) => end === name && by === 'stream')

/** Whether the stream counts the items of a kind in the node whose partition contains them. */
export function isCountedByStream(layout: Layout, kind: Kind): boolean {
  const end = partitionEndOf(kind, layout)
  return end !== undefined && streamCountersAt(kind.type as DeclaredEdge, end).length > 0
}

/**
 * The contribution of an edge's item or mirror to the stream counters of the node whose partition contains it, by
 * stored name. Zero contributions are omitted.
 */
export function counterContributionOf(layout: Layout, kind: Kind, values: SlotValues): Record<string, AttributeValue> {
  const edge = kind.type as DeclaredEdge
  const partitionEnd = partitionEndOf(kind, layout)
  const sums: Record<string, AttributeValue> = {}
  // An undirected self-loop may be its own mirror.
  const ends =
    partitionEnd && edge.undirected && itemsOfStoredRow(layout, edge, values).length < 2
      ? edge.ends
      : partitionEnd
        ? [partitionEnd]
        : []
  for (const end of ends)
    for (const counter of streamCountersAt(edge, end)) {
      if (!isCounted(counter, values)) continue
      const name = layout.names.attributeOf(end.node, counter.into)
      sums[name] = addNumberValues(sums[name], counter.of ? values[counter.of] : { N: '1' })
    }
  return mapValues(sums, each => (each.N === '0' ? undefined : each))
}

/** The stored names of the attributes that determine the contribution of an item. */
export function contributingNamesOf(layout: Layout, kind: Kind): string[] {
  const end = partitionEndOf(kind, layout)
  const counters = end ? streamCountersAt(kind.type as DeclaredEdge, end) : []
  const slots = counters.flatMap(({ of, where = {} }) => [...Object.keys(where), ...(of ? [of] : [])])
  return [...new Set(slots.filter(slot => !kind.slotsInKey.has(slot)))].map(slot =>
    layout.names.attributeOf(kind.type, slot),
  )
}

/** The condition that the stream has not counted an item since it was read. */
export function unchangedCountCondition(
  { countedState }: StoredNames,
  expression: WriteExpression,
  item: Item,
): string {
  const tag = item[countedState]?.M?.tag
  return tag
    ? `${expression.name(countedState)}.${expression.name('tag')} = ${expression.value(tag)}`
    : expression.equalsOrMissing(countedState, item[countedState])
}
