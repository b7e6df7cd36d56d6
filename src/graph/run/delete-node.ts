import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { chunksOf } from '../../plan/chunks.js'
import { accessByName, accessesOfPath, tableKeyOf, uniqueKeyTextOf } from '../../plan/identity.js'
import type { Plan, PlannedChange, PlanStep, RowsShape } from '../../plan/plan.js'
import { priceWrite } from '../../plan/price/explained-write.js'
import type { Sizes } from '../../plan/price/read-price.js'
import type { RowPage } from '../../plan/read/answer.js'
import { type FoundEntry, keyOfEntry } from '../../plan/read/entries.js'
import { planPath } from '../../plan/read/path.js'
import { valuesOf } from '../../plan/row.js'
import { renumberSteps } from '../../plan/step.js'
import { edgeGuardNamesAt, traitsOf } from '../../plan/type-traits.js'
import type { WriteOptions } from '../../plan/write/intent/row-change.js'
import {
  deletionPathsOf,
  ownedTypesOf,
  planDelete,
  planMarkChange,
  planMarkDeleting,
} from '../../plan/write/operations.js'
import { planChanges } from '../../plan/write/plan-changes.js'
import type { DeclaredNode, OnDelete } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { NO_OPTIONS } from '../arguments.js'
import type { Context } from '../context.js'
import type { RunOptions } from '../types/call.js'
import { canFindConsistently, type OwnedNode, planOwnedNodes, readOwnedNodes } from './owned-nodes.js'
import type { RequestSender } from './request-sender.js'
import { runRead } from './run-read.js'
import { readConsistently, runWrite, type WriteResult, waitBeforeRetry } from './run-write.js'

/**
 * The number of edges that are read in one page, and deleted in one transaction: edges without side items or
 * aggregates, and all others.
 */
const PAGE_EDGES = 250
const PLAIN_EDGES = 50
const TRANSACTION_EDGES = 16

type StoredRow = Readonly<Record<string, unknown>>

/** The deletion of a node and the policy for its edges. */
export interface NodeDeletion {
  readonly type: DeclaredType
  readonly id: unknown
  readonly edges?: OnDelete | undefined
}

type DeletionPath = ReturnType<typeof deletionPathsOf>[number]

/**
 * Plans the sequential requests of a deletion. A cascade repeats the steps for each page of edges. As part of a
 * transaction or a batch, a deletion must fit in one request.
 */
export function planDeletion(
  context: Context,
  deletion: NodeDeletion,
  options: WriteOptions,
  isPart?: boolean,
  sizes: Sizes = NO_OPTIONS,
): Plan {
  const { layout } = context
  const { type, id, edges } = deletion
  const paths = deletionPathsOf(layout, type, edges)
  const ownedTypes = ownedTypesOf(layout, type)
  if (isPart || !(paths[0] || ownedTypes[0])) return planDelete(layout, type.name, id, { ...options, edges })
  const withNote = ({ steps: [first, ...more] }: Plan, note: string) => [{ ...first!, notes: [note] }, ...more]
  const edgeReads = paths.map(path => {
    const note = path.onDelete === 'cascade' ? 'what it finds is deleted too' : 'one edge keeps the node'
    return { path, steps: withNote(planEdges(context, path, id, undefined, sizes), note) }
  })
  const ownedReads = ownedTypes.map(path => {
    const isGoing = path.onDelete === 'cascade'
    const note = isGoing ? 'each node that it finds is deleted too, with what it owns' : 'one node keeps its owner'
    return { path, steps: withNote(planOwnedNodes(context, path.type, id, sizes), note) }
  })
  const reads = [...edgeReads, ...ownedReads]
  const pricedSteps = (plan: Plan) => priceWrite(layout, plan, sizes).steps
  const groups = [
    ...reads.filter(({ path }) => path.onDelete !== 'cascade').map(({ steps }) => steps),
    pricedSteps(planMarkDeleting(layout, type.name, id, { ...options, edges })),
    ...reads.map(({ steps }) => steps),
    pricedSteps(planMarkChange(layout, 'deleteMarked', type.name, id, options)),
  ]
  const steps: PlanStep[] = []
  for (const group of groups) {
    const last = steps.length - 1
    // The groups run one after the other.
    for (const step of renumberSteps(group, steps.length))
      steps.push(last < 0 || step.after.length > 0 ? step : { ...step, after: [last] })
  }
  return { steps, answer: { shape: 'nothing' } }
}

/** Plans reading the edges that are deleted with a node, or the first edge that prevents its deletion. */
function planEdges(
  { layout, tenant }: Context,
  { edge, end: path, onDelete }: DeletionPath,
  nodeId: unknown,
  cursor?: string,
  sizes?: Sizes,
): Plan {
  const consistent = accessesOfPath(layout, edge, path).every(way => way.consistent)
  const limit = onDelete === 'cascade' ? PAGE_EDGES : 1
  return planPath(layout, { type: edge.name, path, start: nodeId, limit, consistent, tenant, cursor, sizes })
}

/**
 * Whether an item that a path returns is not an edge of the node: items of other programs have different keys than
 * edges, and an index entry with a stale key may belong to another node.
 */
const misplacedFrom = (layout: Layout, path: DeletionPath, node: Key) => (entry: FoundEntry, item: Item) =>
  uniqueKeyTextOf(layout, tableKeyOf(layout, entry.kind, valuesOf(layout, entry.kind, item))) !==
    uniqueKeyTextOf(layout, item) ||
  uniqueKeyTextOf(layout, keyOfEntry(layout, path, entry, item)) !== uniqueKeyTextOf(layout, node)

/**
 * Deletes a node with the edges and owned nodes that cascade; returns undefined when a single write is enough. Edges
 * and owned nodes that prevent the deletion, at any depth, are looked for first, so that a refused deletion deletes
 * nothing.
 */
export async function deleteNode(
  sender: RequestSender,
  deletion: NodeDeletion,
  options: WriteOptions,
  { progress }: RunOptions,
): Promise<WriteResult | undefined> {
  const { type, edges } = deletion
  const { layout } = sender.context
  if (!needsSeveralWrites(layout, type, edges)) return undefined
  assertOwnedDeletable(layout, type, edges)
  let done = 0
  const report = async (more: number) => {
    done += more
    await progress?.(done)
  }
  return new NodeDeletionRun({ sending: sender, report }, deletion, options).run()
}

/**
 * Deletes a node whose owner no longer exists, as the deletion of the owner would have. `owner`: the check that the
 * owner is missing.
 */
export async function deleteOrphan(
  sender: RequestSender,
  deletion: NodeDeletion,
  options: WriteOptions,
  owner: PlannedChange,
): Promise<void> {
  const { type, id, edges } = deletion
  const { layout } = sender.context
  assertOwnedDeletable(layout, type, edges)
  if (needsSeveralWrites(layout, type, edges))
    await new NodeDeletionRun({ sending: sender, report: noProgress }, deletion, options, owner).run()
  else {
    const { steps } = planDelete(layout, type.name, id, options)
    await runWrite(sender, planChanges(layout, [owner, ...steps.at(-1)!.changes!]))
  }
}

const noProgress = async () => {}

/** The state that all deletions of one call share. */
interface DeletionRun {
  readonly sending: RequestSender
  readonly report: (more: number) => Promise<void>
}

/** Whether a deletion has to look for edges or owned nodes, which one request cannot do. */
const needsSeveralWrites = (layout: Layout, type: DeclaredType, edges: OnDelete | undefined): boolean =>
  deletionPathsOf(layout, type, edges).length + ownedTypesOf(layout, type).length > 0

/** Throws before anything is marked when owned nodes do not allow the deletion, or when no path finds their edges. */
function assertOwnedDeletable(layout: Layout, type: DeclaredType, edges: OnDelete | undefined): void {
  for (const ownedType of ownedTypesOf(layout, type)) {
    if (ownedType.onDelete !== 'cascade') continue
    for (const { edge, end } of deletionPathsOf(layout, ownedType.type, edges)) accessByName(layout, edge.name, end)
    assertOwnedDeletable(layout, ownedType.type, edges)
  }
}

/** The type of rows that prevents the deletion of a node. */
interface DeletionBlocker {
  readonly code: 'node.edges' | 'node.owns'
  readonly name: string
}

/** The error codes of owned nodes that cannot be deleted, so that their owner is not deleted either. */
const BLOCKED_CODES = /^node\.(edges|owns|uncounted|going)$/
/** The number of searches for owned nodes while concurrent calls interfere. */
const OWNED_PASSES = 10

/**
 * The deletion of one node. The node is marked first, so that it reads as missing and accepts no new edges or owned
 * nodes that would cascade. After a crash, the same call continues with the remaining rows. A node whose deletion is
 * refused is not marked, except when the blocking row appears during the deletion.
 * After the last page, an index is read again after a pause, because it is eventually consistent: it may show an edge
 * late, and may still show a full page of deleted edges before others. These are deleted again. The table is strongly
 * consistent, so it is not read again: an item that remains there is not a complete edge, and would be found
 * indefinitely.
 */
class NodeDeletionRun {
  private readonly sender: RequestSender
  private readonly paths: readonly DeletionPath[]
  private readonly ownedTypes: ReturnType<typeof ownedTypesOf>
  private readonly plan: Plan
  private readonly laterOptions: WriteOptions
  /** The start of the next page, and whether pages are read from the table. */
  private nextCursor: string | undefined
  private readsTable: unknown

  /** `owner`: a check that the owner still has its deletion mark, or is missing. */
  constructor(
    private readonly call: DeletionRun,
    private readonly deletion: NodeDeletion,
    options: WriteOptions,
    private readonly owner?: PlannedChange,
  ) {
    this.sender = call.sending
    const { layout } = this.sender.context
    const { type, id, edges } = deletion
    this.paths = deletionPathsOf(layout, type, edges)
    this.ownedTypes = ownedTypesOf(layout, type)
    this.plan = planMarkDeleting(
      layout,
      type.name,
      id,
      { ...options, edges },
      guardNamesOfRemainingEdges(layout, deletion),
    )
    this.laterOptions = { ...options, condition: undefined, returns: undefined }
  }

  async run(): Promise<WriteResult> {
    const { sender, laterOptions } = this
    const { layout } = sender.context
    const { type, id } = this.deletion
    // Edges without a path cannot be deleted, so planning throws before anything is marked.
    for (const path of this.paths) planEdges(sender.context, path, id)
    assertNotBlocked(type, await this.findBlocker(this.owner === undefined))
    const marked = await this.mark()
    const existing = marked.old ?? marked.new
    if (!existing) return marked
    const marking = this.plan.steps[0]!.changes![0]!
    const { mark: requested, etag } = marking
    const mark = existing[layout.names.deletionMark]?.S ?? `${requested} ${etag}`
    const finish = (verb: 'unmarkDeleting' | 'deleteMarked') =>
      runWrite(sender, planMarkChange(layout, verb, type.name, id, laterOptions, mark))
    // The mark of an identical call that crashed is removed too, because no other call would remove it.
    const unmark = () => (mark.startsWith(`${requested} `) ? finish('unmarkDeleting') : undefined)
    const blocker = await this.findBlocker(false)
    if (blocker) await unmark()
    assertNotBlocked(type, blocker)
    // Another call may have completed the deletion. Edges found after that belong to a node that was created
    // again.
    const markCheck: PlannedChange = { ...marking, verb: 'requireMark', mark, returns: undefined }
    try {
      for (const path of this.paths) if (path.onDelete === 'cascade') await this.deleteEdges(path, markCheck)
      for (const path of this.ownedTypes) if (path.onDelete === 'cascade') await this.deleteOwned(path.type, markCheck)
    } catch (error) {
      const { code = '' } = error as Partial<GraphError>
      if (BLOCKED_CODES.test(code)) await unmark()
      // The last write decides whether the node was deleted or created again.
      if (code !== 'node.stays') throw error
    }
    await finish('deleteMarked')
    return { ...marked, new: undefined }
  }

  /**
   * Marks the node. An owned node is marked only under the mark of its owner, because the owner may be deleted and
   * created again.
   */
  private async mark(): Promise<WriteResult> {
    const { sender, owner, plan } = this
    if (!owner) return runWrite(sender, plan)
    const { layout } = sender.context
    const [marking] = plan.steps[0]!.changes! as [PlannedChange]
    await runWrite(sender, planChanges(layout, [owner, { ...marking, returns: undefined }]))
    const [node] = await readConsistently(sender, [plan.steps[0]!.request.input.Key as Key])
    return { old: node }
  }

  private async readEdges(path: DeletionPath, startCursor?: string): Promise<readonly StoredRow[]> {
    const { sender, deletion, plan } = this
    const { steps, answer } = planEdges(sender.context, path, deletion.id, startCursor)
    const isStray = misplacedFrom(sender.context.layout, path, plan.steps[0]!.request.input.Key as Key)
    const { items, cursor } = (await runRead(sender, {
      steps,
      answer: { ...(answer as RowsShape), isMisplaced: isStray },
    })) as RowPage
    this.nextCursor = cursor
    this.readsTable = steps[0]!.request.input.ConsistentRead
    return cursor && !items[0] ? this.readEdges(path, cursor) : (items as readonly StoredRow[])
  }

  /** Finds an edge or owned node that prevents the deletion; `includesOwned` also searches below owned nodes. */
  async findBlocker(includesOwned: boolean): Promise<DeletionBlocker | undefined> {
    const { sender, deletion, laterOptions, call } = this
    for (const path of this.paths)
      if (path.onDelete !== 'cascade' && (await this.readEdges(path))[0])
        return { code: 'node.edges', name: path.edge.name }
    for (const { type, onDelete } of this.ownedTypes) {
      const isRefusing = onDelete === 'refuse'
      if (!isRefusing && !(includesOwned && canBlockDeletion(sender.context.layout, type, deletion.edges))) continue
      for await (const nodes of readOwnedNodes(sender, type, deletion.id))
        for (const { id } of nodes) {
          if (isRefusing) return { code: 'node.owns', name: type.name }
          const inner = new NodeDeletionRun(call, { ...deletion, type, id }, laterOptions)
          const blocker = await inner.findBlocker(true)
          if (blocker) return blocker
        }
    }
    return undefined
  }

  private async deleteEdges(path: DeletionPath, markCheck: PlannedChange): Promise<void> {
    for (let attempt = 0, rows = await this.readEdges(path); rows[0]; ) {
      await this.deleteRows(path.edge, rows, markCheck)
      const isLast = !this.nextCursor
      rows = isLast && this.readsTable ? [] : await this.readEdges(path, this.nextCursor)
      if (isLast && rows[0]) {
        await waitBeforeRetry(this.sender, ++attempt)
        rows = await this.readEdges(path)
      }
    }
  }

  /**
   * Deletes owned nodes until none remain: an index may show them late, and another call may block one of them
   * briefly.
   */
  private async deleteOwned(type: DeclaredNode, markCheck: PlannedChange): Promise<void> {
    const { sender, deletion } = this
    const isConsistent = canFindConsistently(sender.context, type)
    for (let pass = 1; ; pass++) {
      let found = 0
      let isDisturbed = false
      for await (const nodes of readOwnedNodes(sender, type, deletion.id)) {
        found += nodes.length
        isDisturbed = !(await this.deleteNodes(type, nodes, markCheck)) || isDisturbed
      }
      if (!isDisturbed && (isConsistent || found === 0)) return
      if (pass >= OWNED_PASSES && isDisturbed)
        throw new GraphError(
          'write.contended',
          `${type.name} nodes that go with their owner kept changing; retry later`,
        )
      await waitBeforeRetry(sender, pass)
    }
  }

  /**
   * Returns whether all nodes are deleted. Another call may have cancelled the deletion of one while its owner keeps
   * the mark.
   */
  private async deleteNodes(
    type: DeclaredNode,
    nodes: readonly OwnedNode[],
    markCheck: PlannedChange,
  ): Promise<boolean> {
    const { sender, deletion, laterOptions, call } = this
    const { layout } = sender.context
    if (!needsSeveralWrites(layout, type, deletion.edges)) {
      await this.deleteRows(
        type,
        nodes.map(({ id }) => id),
        markCheck,
      )
      return true
    }
    let areDeleted = true
    for (const { id } of nodes)
      try {
        await new NodeDeletionRun(call, { ...deletion, type, id }, laterOptions, markCheck).run()
        await call.report(1)
      } catch (error) {
        if ((error as Partial<GraphError>).code !== 'node.stays' || !(await this.isStillMarked(markCheck))) throw error
        areDeleted = false
      }
    return areDeleted
  }

  private async isStillMarked({ mark }: PlannedChange): Promise<boolean> {
    const { sender, plan } = this
    const [node] = await readConsistently(sender, [plan.steps[0]!.request.input.Key as Key])
    return node?.[sender.context.layout.names.deletionMark]?.S === mark
  }

  /** Deletes rows in sequential transactions, because all of them contain the check of the same node. */
  private async deleteRows(type: DeclaredType, ids: readonly unknown[], markCheck: PlannedChange): Promise<void> {
    const { layout } = this.sender.context
    const plans = ids.map(id => planDelete(layout, type.name, id, { ...this.laterOptions, returns: undefined }))
    const isPlain = plans.every(({ steps }) => steps.length === 1)
    const batchSize = isPlain ? PLAIN_EDGES : type.kind === 'edge' ? TRANSACTION_EDGES : 1
    const changes = plans.flatMap(({ steps }) => steps.at(-1)!.changes!)
    for (const some of chunksOf(changes, batchSize)) {
      await runWrite(this.sender, planChanges(layout, [markCheck, ...some]))
      await this.call.report(some.length)
    }
  }
}

/** Whether edges or owned nodes can prevent the deletion of a node of this type, or of a node that it owns. */
const canBlockDeletion = (layout: Layout, type: DeclaredNode, edges: OnDelete | undefined): boolean =>
  deletionPathsOf(layout, type, edges).some(({ onDelete }) => onDelete === 'refuse') ||
  ownedTypesOf(layout, type).some(
    ownedType => ownedType.onDelete === 'refuse' || canBlockDeletion(layout, ownedType.type, edges),
  )

function assertNotBlocked({ name: type }: DeclaredType, blocker: DeletionBlocker | undefined): void {
  if (!blocker) return
  const { code, name } = blocker
  const has = code === 'node.edges' ? `has edges of ${name}` : `has ${name} nodes`
  throw new GraphError(code, `this ${type} ${has}: delete them first`, { type, name })
}

/**
 * The stored names of aggregates of edges that are not deleted with the node. A node created again under the same id
 * would lack these edges.
 */
const guardNamesOfRemainingEdges = (layout: Layout, { type, edges }: NodeDeletion): string[] =>
  traitsOf(layout, type.name).incomingEnds.flatMap(({ edge, end }) =>
    (end.onDelete === 'leave' ? edges : end.onDelete) === 'cascade' ? [] : edgeGuardNamesAt(layout, edge, end),
  )
