import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import type { Page } from '../plan/answer.js'
import { chunksOf } from '../plan/chunks.js'
import { type Entry, keyOfEntry } from '../plan/found.js'
import { keyText, tableKey, waysOf } from '../plan/identity.js'
import type { Change, Plan, RowsShape, Step } from '../plan/plan.js'
import type { Sizes } from '../plan/price.js'
import { planPath } from '../plan/read-path.js'
import { valuesOf } from '../plan/row.js'
import { shifted } from '../plan/step.js'
import { goingPaths, planDelete, planGoing, planMarked } from '../plan/write.js'
import { pricedWrite } from '../plan/write-explained.js'
import type { WriteOptions } from '../plan/write-given.js'
import { planChanges } from '../plan/write-plan.js'
import { guardsAt, traitsOf } from '../plan/write-traits.js'
import type { DeclaredEdge, OnDelete } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import type { Context } from './context.js'
import { NONE } from './given.js'
import { read } from './reading.js'
import type { Sending } from './sending.js'
import type { RunOptions } from './types/call.js'
import { pause, type Written, write } from './writing.js'

/** How many edges are read at once, and how many deleted: those that are one item, and those that nodes keep account of. */
const PAGE_EDGES = 250
const PLAIN_EDGES = 50
const TRANSACTION_EDGES = 16

type Row = Readonly<Record<string, unknown>>

/** The deletion of a node, with what becomes of its edges. */
export interface Deletion {
  readonly type: DeclaredType
  readonly id: unknown
  readonly edges?: OnDelete | undefined
}

type GoingPath = ReturnType<typeof goingPaths>[number]

/**
 * The requests of it, one after the other; where edges go with the node, as many more as there are. As a part of several
 * it is one request, or refused.
 */
export function deletionPlan(
  context: Context,
  deletion: Deletion,
  options: WriteOptions,
  isPart?: boolean,
  sizes: Sizes = NONE,
): Plan {
  const { layout } = context
  const { type, id, edges } = deletion
  const paths = goingPaths(layout, type, edges)
  if (isPart || !paths[0]) return planDelete(layout, type.name, id, { ...options, edges })
  const reads = paths.map(path => {
    const [first, ...more] = edgesPlan(context, path, id, undefined, sizes).steps
    const note = path.onDelete === 'cascade' ? 'what it finds is deleted too' : 'one edge keeps the node'
    return [{ ...first!, notes: [note] }, ...more]
  })
  const priced = (plan: Plan) => pricedWrite(layout, plan, sizes).steps
  const marks = [
    ...reads.filter((_, at) => paths[at]!.onDelete !== 'cascade'),
    priced(planGoing(layout, type.name, id, { ...options, edges })),
    ...reads,
    priced(planMarked(layout, 'gone', type.name, id, options)),
  ]
  const steps: Step[] = []
  for (const group of marks) {
    const last = steps.length - 1
    // One after the other.
    for (const step of shifted(group, steps.length))
      steps.push(last < 0 || step.after.length > 0 ? step : { ...step, after: [last] })
  }
  return { steps, answer: { shape: 'nothing' } }
}

/** Reads edges that go with a node, or the one that keeps it. */
function edgesPlan(
  { layout, tenant }: Context,
  { edge, end: path, onDelete }: GoingPath,
  given: unknown,
  cursor?: string,
  sizes?: Sizes,
): Plan {
  const consistent = waysOf(layout, edge, path).every(way => way.consistent)
  const limit = onDelete === 'cascade' ? PAGE_EDGES : 1
  return planPath(layout, { type: edge.name, path, given, limit, consistent, tenant, cursor, sizes })
}

/** Items of others lie elsewhere than they would as edges, and edges by a stale key are of another node. */
const strayFrom = (layout: Layout, path: GoingPath, node: Key) => (entry: Entry, item: Item) =>
  keyText(layout, tableKey(layout, entry.kind, valuesOf(layout, entry.kind, item))) !== keyText(layout, item) ||
  keyText(layout, keyOfEntry(layout, path, entry, item)) !== keyText(layout, node)

/**
 * Deletes a node whose edges go with it or keep it. It is marked first, so that it reads as absent and no edge comes to
 * it; after a crash the same call goes on from what is left in the table. Undefined where one write does it. A node that
 * an edge keeps is not marked, but where that comes in between.
 *
 * Behind the last page an index is read again, which may lead to more: after a while, since it may still lead to what is
 * gone, to a whole page of it before others, and what it leads to is deleted again. The table has no more: what is still
 * there is no edge, or not the whole of one, and would be found for ever.
 */
export async function deleteNode(
  sending: Sending,
  deletion: Deletion,
  options: WriteOptions,
  { progress }: RunOptions,
): Promise<Written | undefined> {
  const { context } = sending
  const { layout } = context
  const { type, id, edges } = deletion
  const paths = goingPaths(layout, type, edges)
  if (!paths[0]) return undefined
  const plan = planGoing(layout, type.name, id, { ...options, edges }, keptBeside(layout, deletion))
  const further = { ...options, condition: undefined }
  // Where the next page begins, and whether it is of the table.
  let next: string | undefined
  let isTable: unknown
  const edgesOf = async (path: GoingPath, from?: string): Promise<readonly Row[]> => {
    const { steps, answer } = edgesPlan(context, path, id, from)
    const isStray = strayFrom(layout, path, plan.steps[0]!.request.input.Key as Key)
    const { items, cursor } = (await read(sending, { steps, answer: { ...(answer as RowsShape), isStray } })) as Page
    next = cursor
    isTable = steps[0]!.request.input.ConsistentRead
    return next && !items[0] ? edgesOf(path, next) : (items as readonly Row[])
  }
  const keeper = async () => {
    for (const path of paths) if (path.onDelete !== 'cascade' && (await edgesOf(path))[0]) return path.edge.name
    return undefined
  }
  // Edges that no path finds cannot be deleted: told before anything is marked.
  for (const path of paths) edgesPlan(context, path, id)
  refuse(type, await keeper())
  const marked = await write(sending, plan)
  const there = marked.old ?? marked.new
  if (!there) return marked
  const marking = plan.steps[0]!.changes![0]!
  const { mark: asked, etag } = marking
  const mark = there[layout.names.going]?.S ?? `${asked} ${etag}`
  const end = (verb: 'stay' | 'gone') => write(sending, planMarked(layout, verb, type.name, id, further, mark))
  const kept = await keeper()
  // A call that asked for the same and died has left its mark, and nobody else would take it off.
  if (kept && mark.startsWith(`${asked} `)) await end('stay')
  refuse(type, kept)
  // Another may have finished it meanwhile, and what is found then is of a node that was made anew.
  const held: Change = { ...marking, verb: 'held', mark, returns: undefined }
  let done = 0
  try {
    for (const path of paths) {
      if (path.onDelete !== 'cascade') continue
      for (let tried = 0, rows = await edgesOf(path); rows[0]; ) {
        await deleteEdges(sending, path.edge, rows, further, held)
        done += rows.length
        await progress?.(done)
        const isLast = !next
        rows = isLast && isTable ? [] : await edgesOf(path, next)
        if (isLast && rows[0]) {
          await pause(sending, ++tried)
          rows = await edgesOf(path)
        }
      }
    }
  } catch (error) {
    // Whether it is gone, or there again, is told in the end.
    if ((error as Partial<GraphError>).code !== 'node.stays') throw error
  }
  await end('gone')
  return { ...marked, new: undefined }
}

function refuse({ name: type }: DeclaredType, edge: string | undefined): void {
  if (edge)
    throw new GraphError('node.edges', `this ${type} has edges of ${edge}: delete them first`, { type, name: edge })
}

/** What a node keeps of edges that do not go with it, by stored name: made anew, it would not know of them. */
const keptBeside = (layout: Layout, { type, edges }: Deletion): string[] =>
  traitsOf(layout, type.name).ends.flatMap(({ edge, end }) =>
    (end.onDelete === 'leave' ? edges : end.onDelete) === 'cascade' ? [] : guardsAt(layout, edge, end),
  )

/** One transaction after the other, since they write the same nodes. */
async function deleteEdges(
  sending: Sending,
  edge: DeclaredEdge,
  rows: readonly Row[],
  options: WriteOptions,
  held: Change,
): Promise<void> {
  const { layout } = sending.context
  const plans = rows.map(row => planDelete(layout, edge.name, row, { ...options, returns: undefined }))
  const most = plans.every(({ steps }) => steps.length === 1) ? PLAIN_EDGES : TRANSACTION_EDGES
  const changes = plans.flatMap(({ steps }) => steps.at(-1)!.changes!)
  for (const some of chunksOf(changes, most)) await write(sending, planChanges(layout, [held, ...some]))
}
