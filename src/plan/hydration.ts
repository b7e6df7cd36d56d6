import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import type { Access } from '../layout/access.js'
import { otherEnd } from '../layout/default-keys.js'
import type { Layout } from '../layout/layout.js'
import { GraphError } from '../schema/error.js'
import { type PathAsk, sizesOf } from './ask.js'
import { ownKind } from './identity.js'
import type { Found, RowsShape, Step } from './plan.js'
import { batchPrice, consistency } from './price.js'

/** How many batches are under way at once. */
const CONCURRENCY = 4

interface Hydration {
  readonly id: number
  readonly found: Found
  /** The kind of the items that are read. */
  readonly kind: string
  /** The end at which they lie; without one they are what was found itself. */
  readonly end?: string
  readonly consistent: boolean
  /** How many are expected, for the price. */
  readonly items: number
  readonly itemBytes: number
}

/** The step that reads whole items by the keys that others found. */
function hydration({ design }: Layout, options: Hydration): Step {
  const { id, found, kind, end, consistent, items, itemBytes } = options
  const keys = { ...(consistent && { ConsistentRead: true }) }
  return {
    id,
    after: found.steps,
    request: { operation: 'batchGetItem', input: { RequestItems: { [design.name]: keys } } },
    each: {
      of: { late: 'keys', found, kind, ...(end !== undefined && { end }) },
      chunk: BATCH_GET_KEYS,
      concurrency: CONCURRENCY,
    },
    price: batchPrice(items, itemBytes, consistency(consistent)),
  }
}

/** Reads of whole items: of what an index only points to, and of the nodes at the other end. */
export function hydrations(layout: Layout, ask: PathAsk, access: Access, found: Found, first: number) {
  const { type, kind } = access
  const steps: Step[] = []
  const { items, itemBytes } = sizesOf(ask)
  const read = (target: string, end?: string) => {
    const id = first + steps.length
    const expected = Math.min(ask.limit ?? items, items)
    const options = { id, found, kind: target, consistent: ask.consistent ?? false, items: expected, itemBytes }
    steps.push(hydration(layout, end === undefined ? options : { ...options, end }))
    return id
  }
  const shape: { whole?: NonNullable<RowsShape['whole']>; nodes?: NonNullable<RowsShape['nodes']> } = {}
  const own = kind.role === 'facet' ? ownKind(layout, type).name : isPartial(layout, access) ? kind.name : undefined
  if (own !== undefined) shape.whole = { step: read(own), kind: own }
  if (ask.nodes) {
    if (type.kind !== 'edge')
      throw new GraphError('read.path', `${type.name} is a node, which has no other end`, { type: type.name })
    const end = otherEnd(type, type.ends.find(({ name }) => name === access.name)!)
    const target = ownKind(layout, end.node).name
    shape.nodes = { step: read(target, end.name), as: ask.nodes, kind: target, end: end.name }
  }
  return { steps, shape }
}

export function isPartial({ design }: Layout, { index }: Access): boolean {
  return design.indexes.some(({ name, project }) => name === index && project !== 'all')
}
