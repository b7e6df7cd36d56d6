import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import type { Access } from '../layout/access.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import type { PathAsk } from './ask.js'
import { ownKind, pathError } from './identity.js'
import type { Found, RowsShape, Step } from './plan.js'
import { expectedItems, readStep } from './step.js'

/** How many batches are under way at once. */
const CONCURRENCY = 4

/** The rows that steps found, with further steps that read whole items: of what only points to them, and of the nodes at the other end. */
export function rowsOf(
  layout: Layout,
  ask: PathAsk,
  access: Access,
  found: Found,
  steps: Step[],
  pointer = false,
  first = 0,
): RowsShape {
  const { type } = access
  const { only, nodes, count } = ask
  const items = expectedItems(ask)
  const read = (kind: Kind, end?: string) => {
    const of = { late: 'keys', found, kind: kind.name, end } as const
    const more = { after: found.steps, each: { of, chunk: BATCH_GET_KEYS, concurrency: CONCURRENCY } }
    const expected = Math.min(ask.limit ?? items, items)
    // Of an undirected edge both its item and its mirror are read, whose key tells more.
    const whole = end ? undefined : ownKind(layout, type)
    const step = readStep(layout, first + steps.length, 'batchGetItem', {}, ask, expected, more, whole)
    steps.push(step)
    return { step: step.id, kind: kind.name }
  }
  const shape: { -readonly [K in keyof RowsShape]: RowsShape[K] } = { shape: 'rows', found, only }
  if (pointer) shape.whole = read(access.kind.role === 'facet' ? ownKind(layout, type) : access.kind)
  if (!nodes || count) return shape
  if (type.kind !== 'edge') throw pathError('read.path', access, 'finds nodes, which have no other end')
  const end = type.ends.find(({ name }) => name !== access.name)!
  shape.nodes = { ...read(ownKind(layout, end.node), end.name), as: nodes, end: end.name }
  return shape
}

/** Whether what is found only points to the items, which are read by themselves. */
export function isPointer({ design }: Layout, { kind, index }: Access): boolean {
  return kind.role === 'facet' || design.indexes.some(({ name, project }) => name === index && project !== 'all')
}
