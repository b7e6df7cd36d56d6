import type { Access } from '../layout/access.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { referenceSlots } from '../layout/slots.js'
import type { PathAsk } from './ask.js'
import { Expressions } from './expression.js'
import { ownKind, pathError } from './identity.js'
import type { Found, RowsShape, Step } from './plan.js'
import { projected } from './project.js'
import { expectedItems, readStep } from './step.js'

/** The rows that steps found, with further steps that read whole items: of what only points to them, and of the nodes at the other end. */
export function rowsOf(
  layout: Layout,
  ask: PathAsk,
  access: Access,
  found: Found,
  steps: Step[],
  pointer = false,
): RowsShape {
  const { type } = access
  const { only, nodes, count } = ask
  const items = expectedItems(ask)
  const read = (kind: Kind, from: Found, end?: string) => {
    const more = { after: from.steps, each: { late: 'keys', found: from, kind: kind.name, end } } as const
    const expected = Math.min(ask.limit ?? items, items)
    const asked = {}
    // Of an undirected edge both its item and its mirror are read, whose key tells more.
    if (only && !end) new Expressions().fill(asked, projected(layout, ownKind(layout, type), only))
    const step = readStep(layout, steps.length, 'batchGetItem', asked, ask, expected, more)
    steps.push(step)
    return { step: step.id, kind: kind.name }
  }
  const shape: { -readonly [K in keyof RowsShape]: RowsShape[K] } = { shape: 'rows', found, only }
  if (pointer) shape.whole = read(access.kind.role === 'facet' ? ownKind(layout, type) : access.kind, found)
  if (!nodes || count) return shape
  if (type.kind !== 'edge') throw pathError('read.path', access, 'finds nodes, which have no other end')
  const end = type.ends.find(({ name }) => name !== access.name)!
  // Entries of a narrow index may not tell the other end, which the items do; these do not tell by which end they were found.
  const from =
    shape.whole && !access.kind.told.has(referenceSlots(end)[0]!) && !found.turned
      ? { ...found, steps: [shape.whole.step] }
      : found
  shape.nodes = { ...read(ownKind(layout, end.node), from, end.name), as: nodes, end: end.name }
  return shape
}

/** Whether what is found only points to the items, which are read by themselves. */
export function isPointer({ design }: Layout, { kind, index }: Access): boolean {
  return kind.role === 'facet' || design.indexes.some(({ name, project }) => name === index && project !== 'all')
}
