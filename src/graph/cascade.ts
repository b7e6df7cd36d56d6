import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import type { Page } from '../plan/answer.js'
import { chunksOf } from '../plan/chunks.js'
import { type Entry, keyOfEntry } from '../plan/found.js'
import { accessNamed, keyText, tableKey, waysOf } from '../plan/identity.js'
import type { Change, Plan, RowsShape, Step } from '../plan/plan.js'
import type { Sizes } from '../plan/price.js'
import { planPath } from '../plan/read-path.js'
import { valuesOf } from '../plan/row.js'
import { shifted } from '../plan/step.js'
import { goingPaths, ownedPaths, planDelete, planGoing, planMarked } from '../plan/write.js'
import { pricedWrite } from '../plan/write-explained.js'
import type { WriteOptions } from '../plan/write-given.js'
import { planChanges } from '../plan/write-plan.js'
import { guardsAt, traitsOf } from '../plan/write-traits.js'
import type { DeclaredNode, OnDelete } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import type { Context } from './context.js'
import { NONE } from './given.js'
import { isFoundConsistently, type OwnedNode, ownedNodes, ownedPlan } from './owned.js'
import { read } from './reading.js'
import type { Sending } from './sending.js'
import type { RunOptions } from './types/call.js'
import { pause, readBatch, type Written, write } from './writing.js'

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
  const owned = ownedPaths(layout, type)
  if (isPart || !(paths[0] || owned[0])) return planDelete(layout, type.name, id, { ...options, edges })
  const noted = ({ steps: [first, ...more] }: Plan, note: string) => [{ ...first!, notes: [note] }, ...more]
  const edgeReads = paths.map(path => {
    const note = path.onDelete === 'cascade' ? 'what it finds is deleted too' : 'one edge keeps the node'
    return { path, steps: noted(edgesPlan(context, path, id, undefined, sizes), note) }
  })
  const ownedReads = owned.map(path => {
    const isGoing = path.onDelete === 'cascade'
    const note = isGoing ? 'each node that it finds is deleted too, with what it owns' : 'one node keeps its owner'
    return { path, steps: noted(ownedPlan(context, path.type, id, sizes), note) }
  })
  const reads = [...edgeReads, ...ownedReads]
  const priced = (plan: Plan) => pricedWrite(layout, plan, sizes).steps
  const marks = [
    ...reads.filter(({ path }) => path.onDelete !== 'cascade').map(({ steps }) => steps),
    priced(planGoing(layout, type.name, id, { ...options, edges })),
    ...reads.map(({ steps }) => steps),
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
 * Deletes a node with the edges and the owned nodes that go with it; undefined where one write does it. An edge or an
 * owned node that keeps it is looked for first, also further down, so that nothing is deleted in vain.
 */
export async function deleteNode(
  sending: Sending,
  deletion: Deletion,
  options: WriteOptions,
  { progress }: RunOptions,
): Promise<Written | undefined> {
  const { type, edges } = deletion
  const { layout } = sending.context
  if (!takesSeveral(layout, type, edges)) return undefined
  checkOwned(layout, type, edges)
  let done = 0
  const told = async (more: number) => {
    done += more
    await progress?.(done)
  }
  return new NodeDeletion({ sending, told }, deletion, options).run()
}

/** Deletes a node whose owner is not there, as it would have gone with that. `owner`: the check that it is not. */
export async function deleteOrphan(
  sending: Sending,
  deletion: Deletion,
  options: WriteOptions,
  owner: Change,
): Promise<void> {
  const { type, id, edges } = deletion
  const { layout } = sending.context
  checkOwned(layout, type, edges)
  if (takesSeveral(layout, type, edges))
    await new NodeDeletion({ sending, told: noProgress }, deletion, options, owner).run()
  else {
    const { steps } = planDelete(layout, type.name, id, options)
    await write(sending, planChanges(layout, [owner, ...steps.at(-1)!.changes!]))
  }
}

const noProgress = async () => {}

/** What all deletions of one call share. */
interface DeletionRun {
  readonly sending: Sending
  readonly told: (more: number) => Promise<void>
}

/** Whether more goes with a node, or may keep it, than one request can tell. */
const takesSeveral = (layout: Layout, type: DeclaredType, edges: OnDelete | undefined): boolean =>
  goingPaths(layout, type, edges).length + ownedPaths(layout, type).length > 0

/** Refuses, before anything is marked, a deletion that owned nodes do not allow, or whose edges no path finds. */
function checkOwned(layout: Layout, type: DeclaredType, edges: OnDelete | undefined): void {
  for (const owned of ownedPaths(layout, type)) {
    if (owned.onDelete !== 'cascade') continue
    for (const { edge, end } of goingPaths(layout, owned.type, edges)) accessNamed(layout, edge.name, end)
    checkOwned(layout, owned.type, edges)
  }
}

/** What keeps a node from being deleted. */
interface Keeper {
  readonly code: 'node.edges' | 'node.owns'
  readonly name: string
}

/** Of the codes with which an owned node is refused to go: its owner stays then. */
const KEPT = /^node\.(edges|owns|uncounted|going)$/
/** How often the owned nodes of a node are looked for where other calls interfere. */
const OWNED_PASSES = 10

/**
 * The deletion of one node. It is marked first, so that it reads as absent and no edge, and no owned node that would go
 * with it, comes to it; after a crash the same call goes on from what is left in the table. A node that is kept is not
 * marked, but where what keeps it comes in between.
 *
 * Behind the last page an index is read again, which may lead to more: after a while, since it may still lead to what is
 * gone, to a whole page of it before others, and what it leads to is deleted again. The table has no more: what is still
 * there is no edge, or not the whole of one, and would be found for ever.
 */
class NodeDeletion {
  private readonly sending: Sending
  private readonly paths: readonly GoingPath[]
  private readonly owned: ReturnType<typeof ownedPaths>
  private readonly plan: Plan
  private readonly further: WriteOptions
  /** Where the next page begins, and whether it is of the table. */
  private next: string | undefined
  private isTable: unknown

  /** `owner`: a check of the owner with which it goes, which has its mark still, or is not there. */
  constructor(
    private readonly call: DeletionRun,
    private readonly deletion: Deletion,
    options: WriteOptions,
    private readonly owner?: Change,
  ) {
    this.sending = call.sending
    const { layout } = this.sending.context
    const { type, id, edges } = deletion
    this.paths = goingPaths(layout, type, edges)
    this.owned = ownedPaths(layout, type)
    this.plan = planGoing(layout, type.name, id, { ...options, edges }, keptBeside(layout, deletion))
    this.further = { ...options, condition: undefined, returns: undefined }
  }

  async run(): Promise<Written> {
    const { sending, further } = this
    const { layout } = sending.context
    const { type, id } = this.deletion
    // Edges that no path finds cannot be deleted: told before anything is marked.
    for (const path of this.paths) edgesPlan(sending.context, path, id)
    refuseKept(type, await this.keeper(this.owner === undefined))
    const marked = await this.mark()
    const there = marked.old ?? marked.new
    if (!there) return marked
    const marking = this.plan.steps[0]!.changes![0]!
    const { mark: asked, etag } = marking
    const mark = there[layout.names.going]?.S ?? `${asked} ${etag}`
    const end = (verb: 'stay' | 'gone') => write(sending, planMarked(layout, verb, type.name, id, further, mark))
    // A call that asked for the same and died has left its mark, and nobody else would take it off.
    const stay = () => (mark.startsWith(`${asked} `) ? end('stay') : undefined)
    const kept = await this.keeper(false)
    if (kept) await stay()
    refuseKept(type, kept)
    // Another may have finished it meanwhile, and what is found then is of a node that was made anew.
    const held: Change = { ...marking, verb: 'held', mark, returns: undefined }
    try {
      for (const path of this.paths) if (path.onDelete === 'cascade') await this.deleteEdges(path, held)
      for (const path of this.owned) if (path.onDelete === 'cascade') await this.deleteOwned(path.type, held)
    } catch (error) {
      const { code = '' } = error as Partial<GraphError>
      if (KEPT.test(code)) await stay()
      // Whether it is gone, or there again, is told in the end.
      if (code !== 'node.stays') throw error
    }
    await end('gone')
    return { ...marked, new: undefined }
  }

  /** What goes with its owner is marked only under the mark of that, which may be gone and created again. */
  private async mark(): Promise<Written> {
    const { sending, owner, plan } = this
    if (!owner) return write(sending, plan)
    const { layout } = sending.context
    const [marking] = plan.steps[0]!.changes! as [Change]
    await write(sending, planChanges(layout, [owner, { ...marking, returns: undefined }]))
    const [there] = await readBatch(sending, [plan.steps[0]!.request.input.Key as Key])
    return { old: there }
  }

  private async edgesOf(path: GoingPath, from?: string): Promise<readonly Row[]> {
    const { sending, deletion, plan } = this
    const { steps, answer } = edgesPlan(sending.context, path, deletion.id, from)
    const isStray = strayFrom(sending.context.layout, path, plan.steps[0]!.request.input.Key as Key)
    const { items, cursor } = (await read(sending, { steps, answer: { ...(answer as RowsShape), isStray } })) as Page
    this.next = cursor
    this.isTable = steps[0]!.request.input.ConsistentRead
    return cursor && !items[0] ? this.edgesOf(path, cursor) : (items as readonly Row[])
  }

  /** What keeps the node; `deep`: also what keeps a node that it owns. */
  async keeper(deep: boolean): Promise<Keeper | undefined> {
    const { sending, deletion, further, call } = this
    for (const path of this.paths)
      if (path.onDelete !== 'cascade' && (await this.edgesOf(path))[0])
        return { code: 'node.edges', name: path.edge.name }
    for (const { type, onDelete } of this.owned) {
      const isRefusing = onDelete === 'refuse'
      if (!isRefusing && !(deep && canRefuse(sending.context.layout, type, deletion.edges))) continue
      for await (const nodes of ownedNodes(sending, type, deletion.id))
        for (const { id } of nodes) {
          if (isRefusing) return { code: 'node.owns', name: type.name }
          const below = new NodeDeletion(call, { ...deletion, type, id }, further)
          const kept = await below.keeper(true)
          if (kept) return kept
        }
    }
    return undefined
  }

  private async deleteEdges(path: GoingPath, held: Change): Promise<void> {
    for (let tried = 0, rows = await this.edgesOf(path); rows[0]; ) {
      await this.deleteRows(path.edge, rows, held)
      const isLast = !this.next
      rows = isLast && this.isTable ? [] : await this.edgesOf(path, this.next)
      if (isLast && rows[0]) {
        await pause(this.sending, ++tried)
        rows = await this.edgesOf(path)
      }
    }
  }

  /** Until none is left: an index may show them late, and another call may keep one for a moment. */
  private async deleteOwned(type: DeclaredNode, held: Change): Promise<void> {
    const { sending, deletion } = this
    const isConsistent = isFoundConsistently(sending.context, type)
    for (let pass = 1; ; pass++) {
      let found = 0
      let isDisturbed = false
      for await (const nodes of ownedNodes(sending, type, deletion.id)) {
        found += nodes.length
        isDisturbed = !(await this.deleteNodes(type, nodes, held)) || isDisturbed
      }
      if (!isDisturbed && (isConsistent || found === 0)) return
      if (pass >= OWNED_PASSES && isDisturbed)
        throw new GraphError(
          'write.contended',
          `${type.name} nodes that go with their owner kept changing; retry later`,
        )
      await pause(sending, pass)
    }
  }

  /** Whether all are deleted: another call may have kept one, whose owner has its mark still. */
  private async deleteNodes(type: DeclaredNode, nodes: readonly OwnedNode[], held: Change): Promise<boolean> {
    const { sending, deletion, further, call } = this
    const { layout } = sending.context
    if (!takesSeveral(layout, type, deletion.edges)) {
      await this.deleteRows(
        type,
        nodes.map(({ id }) => id),
        held,
      )
      return true
    }
    let areGone = true
    for (const { id } of nodes)
      try {
        await new NodeDeletion(call, { ...deletion, type, id }, further, held).run()
        await call.told(1)
      } catch (error) {
        if ((error as Partial<GraphError>).code !== 'node.stays' || !(await this.isHeld(held))) throw error
        areGone = false
      }
    return areGone
  }

  private async isHeld({ mark }: Change): Promise<boolean> {
    const { sending, plan } = this
    const [there] = await readBatch(sending, [plan.steps[0]!.request.input.Key as Key])
    return there?.[sending.context.layout.names.going]?.S === mark
  }

  /** One transaction after the other, since they write the same nodes. */
  private async deleteRows(type: DeclaredType, ids: readonly unknown[], held: Change): Promise<void> {
    const { layout } = this.sending.context
    const plans = ids.map(id => planDelete(layout, type.name, id, { ...this.further, returns: undefined }))
    const isPlain = plans.every(({ steps }) => steps.length === 1)
    const most = isPlain ? PLAIN_EDGES : type.kind === 'edge' ? TRANSACTION_EDGES : 1
    const changes = plans.flatMap(({ steps }) => steps.at(-1)!.changes!)
    for (const some of chunksOf(changes, most)) {
      await write(this.sending, planChanges(layout, [held, ...some]))
      await this.call.told(some.length)
    }
  }
}

/** Whether a node of this type, or one that it owns, can be kept by what it has. */
const canRefuse = (layout: Layout, type: DeclaredNode, edges: OnDelete | undefined): boolean =>
  goingPaths(layout, type, edges).some(({ onDelete }) => onDelete === 'refuse') ||
  ownedPaths(layout, type).some(owned => owned.onDelete === 'refuse' || canRefuse(layout, owned.type, edges))

function refuseKept({ name: type }: DeclaredType, kept: Keeper | undefined): void {
  if (!kept) return
  const { code, name } = kept
  const has = code === 'node.edges' ? `has edges of ${name}` : `has ${name} nodes`
  throw new GraphError(code, `this ${type} ${has}: delete them first`, { type, name })
}

/** What a node keeps of edges that do not go with it, by stored name: made anew, it would not know of them. */
const keptBeside = (layout: Layout, { type, edges }: Deletion): string[] =>
  traitsOf(layout, type.name).ends.flatMap(({ edge, end }) =>
    (end.onDelete === 'leave' ? edges : end.onDelete) === 'cascade' ? [] : guardsAt(layout, edge, end),
  )
