import type { Access } from '../../layout/access/access.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { referenceSlots } from '../../layout/slots.js'
import { ExpressionBuilder } from '../expression.js'
import { ownKindOf, pathError } from '../identity.js'
import type { PlanStep, RowSelection, RowsShape } from '../plan.js'
import { expectedItems, readStep } from '../step.js'
import type { PathQuery } from './options.js'
import { projectedNamesOf } from './projection.js'

/** Adds steps that read whole items: the targets of pointers, and the nodes at the other end. */
export function addRowsShape(
  layout: Layout,
  query: PathQuery,
  access: Access,
  selection: RowSelection,
  steps: PlanStep[],
  findsPointers = false,
): RowsShape {
  const { type } = access
  const { only, nodes, count } = query
  const items = expectedItems(query)
  const read = (kind: Kind, from: RowSelection, end?: string) => {
    const more = {
      after: from.steps,
      deferredKeys: { deferred: 'keys', selection: from, kind: kind.name, end },
    } as const
    const expected = Math.min(query.limit ?? items, items)
    const input = {}
    // Both the item of an undirected edge and its mirror are read, and the mirror's key has more slots.
    if (only && !end) new ExpressionBuilder().addTo(input, projectedNamesOf(layout, ownKindOf(layout, type), only))
    const step = readStep(layout, steps.length, 'batchGetItem', input, query, expected, more)
    steps.push(step)
    return { step: step.id, kind: kind.name }
  }
  const shape: { -readonly [K in keyof RowsShape]: RowsShape[K] } = { shape: 'rows', selection, only }
  if (findsPointers)
    shape.wholeItems = read(access.kind.role === 'facet' ? ownKindOf(layout, type) : access.kind, selection)
  if (!nodes || count) return shape
  if (type.kind !== 'edge')
    throw pathError(
      'read.path',
      access,
      'the path finds nodes, which have no other end; leave nodes() and withNodes() out',
    )
  const end = type.ends.find(({ name }) => name !== access.name)!
  // Entries of a narrow index may lack the other end. The items have it, but do not show from which end they
  // were found.
  const from =
    shape.wholeItems && !access.kind.slotsInKey.has(referenceSlots(end)[0]!) && !selection.fromOtherEnd
      ? { ...selection, steps: [shape.wholeItems.step] }
      : selection
  shape.nodes = { ...read(ownKindOf(layout, end.node), from, end.name), as: nodes, end: end.name }
  return shape
}

/** Whether the index returns pointers to items, so that a second step reads the items. */
export function readsPointers({ design }: Layout, { kind, index }: Access): boolean {
  return kind.role === 'facet' || design.indexes.some(({ name, project }) => name === index && project !== 'all')
}
