import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { chunksOf } from '../../plan/chunks.js'
import { accessByName } from '../../plan/identity.js'
import type { Plan, PlannedChange, RowsShape } from '../../plan/plan.js'
import type { RowPage } from '../../plan/read/answer.js'
import type { WriteOptions } from '../../plan/write/intent/row-change.js'
import {
  deletionPathsOf,
  ownedTypesOf,
  planDelete,
  planMarkChange,
  planMarkDeleting,
} from '../../plan/write/operations.js'
import { planChanges } from '../../plan/write/plan-changes.js'
import type { Code } from '../../schema/codes.js'
import type { DeclaredNode, OnDelete } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import type { RunOptions } from '../types/call.js'
import { canFindConsistently, type OwnedNode, readOwnedNodes } from './owned-nodes.js'
import { type DeletionPath, guardNamesOfRemainingEdges, type NodeDeletion, planEdges } from './plan-deletion.js'
import { readItemsByKey } from './read-items.js'
import type { RequestSender } from './request-sender.js'
import { runRead } from './run-read.js'
import { runWrite, type WriteResult, waitBeforeRetry } from './run-write.js'

/** The number of edges that one transaction deletes, without and with aggregates or side items. */
const PLAIN_EDGES = 50
const TRANSACTION_EDGES = 16

type StoredRow = Readonly<Record<string, unknown>>

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
  const report = async (count: number) => {
    done += count
    await progress?.(done)
  }
  return new NodeDeletionRun({ sender, report }, deletion, options).run()
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
    await new NodeDeletionRun({ sender, report: noProgress }, deletion, options, owner).run()
  else {
    const { steps } = planDelete(layout, type.name, id, options)
    await runWrite(sender, planChanges(layout, [owner, ...steps.at(-1)!.changes!]))
  }
}

const noProgress = async () => {}

/** The state that all deletions of one call share. */
interface DeletionRun {
  readonly sender: RequestSender
  readonly report: (count: number) => Promise<void>
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
const BLOCKED_CODES: ReadonlySet<string> = new Set<Code>(['node.edges', 'node.owns', 'node.uncounted', 'node.deleting'])
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
  private readsTable = false

  /** `owner`: a check that the owner still has its deletion mark, or is missing. */
  constructor(
    private readonly call: DeletionRun,
    private readonly deletion: NodeDeletion,
    options: WriteOptions,
    private readonly owner?: PlannedChange,
  ) {
    this.sender = call.sender
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
      if (BLOCKED_CODES.has(code)) await unmark()
      // The last write decides whether the node was deleted or created again.
      if (code !== 'node.restored') throw error
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
    const [node] = (await readItemsByKey(sender, layout, [marking.key])).values()
    return { old: node }
  }

  private async readEdges(path: DeletionPath, startCursor?: string): Promise<readonly StoredRow[]> {
    const { sender, deletion, plan } = this
    const { steps, answer } = planEdges(sender.context, path, deletion.id, startCursor)
    const ofNode = { end: path.end, key: plan.steps[0]!.changes![0]!.key }
    const { items, cursor } = (await runRead(sender, {
      steps,
      answer: { ...(answer as RowsShape), ofNode },
    })) as RowPage
    this.nextCursor = cursor
    this.readsTable = steps[0]!.request.input.ConsistentRead === true
    return cursor && items.length === 0 ? this.readEdges(path, cursor) : (items as readonly StoredRow[])
  }

  /** Finds an edge or owned node that prevents the deletion; `includesOwned` also searches below owned nodes. */
  async findBlocker(includesOwned: boolean): Promise<DeletionBlocker | undefined> {
    const { sender, deletion, laterOptions, call } = this
    for (const path of this.paths)
      if (path.onDelete !== 'cascade' && (await this.readEdges(path)).length > 0)
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
    for (let attempt = 0, rows = await this.readEdges(path); rows.length > 0; ) {
      await this.deleteRows(path.edge, rows, markCheck)
      const isLast = !this.nextCursor
      rows = isLast && this.readsTable ? [] : await this.readEdges(path, this.nextCursor)
      if (isLast && rows.length > 0) {
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
      let hasBlockedNodes = false
      for await (const nodes of readOwnedNodes(sender, type, deletion.id)) {
        found += nodes.length
        hasBlockedNodes = !(await this.deleteNodes(type, nodes, markCheck)) || hasBlockedNodes
      }
      if (!hasBlockedNodes && (isConsistent || found === 0)) return
      if (pass >= OWNED_PASSES && hasBlockedNodes)
        throw new GraphError(
          'write.contended',
          `${type.name}: nodes that are deleted with their owner kept changing; retry later.`,
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
        if ((error as Partial<GraphError>).code !== 'node.restored' || !(await this.isStillMarked(markCheck)))
          throw error
        areDeleted = false
      }
    return areDeleted
  }

  private async isStillMarked({ mark }: PlannedChange): Promise<boolean> {
    const { sender, plan } = this
    const { layout } = sender.context
    const [node] = (await readItemsByKey(sender, layout, [plan.steps[0]!.changes![0]!.key])).values()
    return node?.[layout.names.deletionMark]?.S === mark
  }

  /** Deletes rows in sequential transactions, because all of them contain the check of the same node. */
  private async deleteRows(type: DeclaredType, ids: readonly unknown[], markCheck: PlannedChange): Promise<void> {
    const { layout } = this.sender.context
    const plans = ids.map(id => planDelete(layout, type.name, id, { ...this.laterOptions, returns: undefined }))
    const isPlain = plans.every(({ steps }) => steps.length === 1)
    const batchSize = isPlain ? PLAIN_EDGES : type.kind === 'edge' ? TRANSACTION_EDGES : 1
    const changes = plans.flatMap(({ steps }) => steps.at(-1)!.changes!)
    for (const chunk of chunksOf(changes, batchSize)) {
      await runWrite(this.sender, planChanges(layout, [markCheck, ...chunk]))
      await this.call.report(chunk.length)
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
  const has = code === 'node.edges' ? `edges of '${name}'` : `nodes of '${name}'`
  throw new GraphError(code, `${type}: the node still has ${has}; delete them first.`, { type, name })
}
