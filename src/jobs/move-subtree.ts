import { closureChangesOf, readEdgesBelow, settleClosure } from '../derive/settle/closure.js'
import {
  createDerivationContext,
  type DerivationContext,
  readCurrentItem,
  readCurrentItems,
} from '../derive/settle/context.js'
import { type EdgeReference, edgeKeyOf } from '../derive/settle/edge.js'
import { parseItem } from '../derive/settle/side-items.js'
import type { Item } from '../dynamodb/attribute-value.js'
import { TRANSACT_ITEMS } from '../dynamodb/limits.js'
import { READ_MILLION_DOLLARS, WRITE_MILLION_DOLLARS } from '../dynamodb/prices.js'
import { assertArgument, assertObject, parseWorkOptions } from '../graph/arguments.js'
import { contextOf } from '../graph/open.js'
import { forEachConcurrently } from '../graph/run/concurrency.js'
import { type ClosureState, closureStateOf, closureStateValue, lineageBelow } from '../layout/items/closure.js'
import { TREE_DEPTH } from '../layout/items/derived-values.js'
import { itemsOfStoredRow } from '../layout/items/items.js'
import { edgeAbove, treeEndsOf } from '../layout/items/tree.js'
import type { Layout } from '../layout/layout.js'
import { toSlotValues } from '../layout/slots.js'
import { chunksOf } from '../plan/chunks.js'
import type { PlanExplanation } from '../plan/explain.js'
import {
  encodeIdentity,
  indexByKey,
  keyOfItem,
  ownKindOf,
  tableKeyOf,
  tenantValues,
  typeByName,
} from '../plan/identity.js'
import type { SlotValues } from '../plan/plan.js'
import { type PricedItem, writePrice } from '../plan/price/write-price.js'
import { endNodeOf } from '../plan/write/effects/item-write.js'
import type { DeclaredEdge } from '../schema/declarations.js'
import { GraphError } from '../schema/error.js'
import type { AbortSignalLike } from '../store/abort-signal.js'
import { rethrowJobError, runCallback } from './callbacks.js'
import { yieldToEventLoop } from './yield-to-event-loop.js'

/** Options of `moveSubtree()`. */
export interface MoveSubtreeOptions {
  /** Tenant of the tree, in a graph with tenants. */
  readonly tenant?: string | undefined
  /** Returns the price and writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Stops the move. The same call continues it. */
  readonly signal?: AbortSignalLike | undefined
  /** Called after each node, and awaited. */
  readonly progress?: ((progress: MoveProgress) => void | Promise<void>) | undefined
}

/** The progress of a move. */
export interface MoveProgress {
  /** Number of nodes whose closure is up to date. */
  readonly done: number
  /** Number of nodes in the subtree. */
  readonly nodes: number
}

/** The size of a subtree, and the price of its move. */
export interface MoveResult {
  /** Number of nodes in the subtree, its root included. */
  readonly nodes: number
  readonly requests: number
  readonly readUnits: number
  readonly writeUnits: number
  readonly dollars: number
}

const CONCURRENCY = 8

/**
 * Puts an edge of a tree with a closure, and then updates the closure of the child and of all nodes below it, level by
 * level. Without this job, the consumer of the stream updates them. If the job is interrupted, the same call continues
 * it, or the consumer does.
 *
 * @param graph The opened graph.
 * @param edge The name of the tree.
 * @param row The edge to put: the root of the subtree, and its new parent.
 * @returns The number of nodes, and the price, estimated before the move from the root of the subtree.
 * @throws {call.argument} An option is invalid, or the edge is not a tree with a closure.
 * @throws {tree.cycle} The new parent is in the subtree.
 * @example
 * ```ts
 * import { edge, graph, node, open, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { moveSubtree } from 'edgewise/jobs'
 *
 * const folder = node('folder', { path: string() }, { id: 'path' })
 * const ends = { parent: folder, child: folder }
 * const contains = edge('contains', ends, {}, { one: 'child', tree: true })
 * const within = edge('within', ends, {}, { closureOf: contains })
 * const g = await open(graph('files', [folder, contains, within]), memory())
 * const row = { parent: 'archive', child: 'tax' }
 * const { nodes, dollars } = await moveSubtree(g, 'contains', row, { dryRun: true })
 * await moveSubtree(g, 'contains', row)
 * ```
 */
export async function moveSubtree(
  graph: object,
  edge: string,
  row: Readonly<Record<string, unknown>>,
  options: MoveSubtreeOptions = {},
): Promise<MoveResult> {
  const context = contextOf(graph)
  parseWorkOptions('moveSubtree', options, 'tenant, dryRun, signal, progress', 'progress')
  const { layout, store, environment, backoff } = context
  const { tenant, signal } = options
  const tree = typeByName(layout, edge)
  if (tree.kind !== 'edge' || tree.closure === undefined)
    throw new GraphError(
      'call.argument',
      `moveSubtree(): '${edge}' is not a tree with a closure; declare a closure, or move the node by put().`,
    )
  assertArgument(
    layout.design.tenant === (tenant !== undefined),
    layout.design.tenant
      ? "moveSubtree(): the graph has tenants, but 'tenant' is missing; add the tenant of the tree."
      : 'tenant: the graph has no tenants; leave it out.',
  )
  const handles = tenant === undefined ? graph : (graph as Tenants).$tenant(tenant)
  const derivation = createDerivationContext(layout, store, environment, backoff)
  const move = new Move(derivation, tree, handles as Handles, assertObject(row), options)
  return rethrowJobError(move.run(), signal)
}

interface Tenants {
  $tenant(id: string): object
}

/** The calls of the opened graph that a move uses. */
type Handles = Readonly<
  Record<
    string,
    {
      put(
        row: object,
      ): PromiseLike<unknown> & { explain(options: { readonly existing: readonly Item[] }): Promise<PlanExplanation> }
      readonly by: Readonly<Record<string, (id: unknown) => { count(): PromiseLike<number> }>>
    }
  >
>

class Move {
  private readonly layout: Layout
  private readonly edge: EdgeReference

  constructor(
    private readonly derivation: DerivationContext,
    private readonly tree: DeclaredEdge,
    private readonly handles: Handles,
    private readonly row: Readonly<Record<string, unknown>>,
    private readonly options: MoveSubtreeOptions,
  ) {
    this.layout = derivation.context.layout
    const ends = Object.fromEntries(tree.ends.map(({ name }) => [name, row[name]]))
    const identity = { ...encodeIdentity(tree, ends), ...tenantValues(options.tenant) }
    this.edge = { type: tree, identity }
  }

  async run(): Promise<MoveResult> {
    const result = await this.price()
    if (this.options.dryRun) return result
    await this.handles[this.tree.name]!.put(this.row)
    await this.settle(result.nodes)
    return result
  }

  /** Updates the closures of the subtree, a level at a time, because each node takes the ancestors of its parent. */
  private async settle(expectedNodes: number): Promise<void> {
    const { derivation, options } = this
    let done = 0
    for (let level: readonly EdgeReference[] = [this.edge]; level.length > 0; ) {
      const next: EdgeReference[] = []
      await forEachConcurrently(level, CONCURRENCY, async edge => {
        await yieldToEventLoop(options.signal)
        await settleClosure(derivation, edge)
        for await (const edges of readEdgesBelow(derivation, edge)) next.push(...edges)
        done++
        await runCallback(() => options.progress?.({ done, nodes: Math.max(done, expectedNodes) }))
      })
      level = next
    }
  }

  /** Prices the put, and for each node an update of its closure like that of the root of the subtree. */
  private async price(): Promise<MoveResult> {
    const { tree, handles, row } = this
    const { child, parent } = treeEndsOf(tree)
    const edgesBelowNode = handles[tree.closure!]!.by[parent.name]
    assertArgument(
      edgesBelowNode !== undefined,
      `moveSubtree(): the closure '${tree.closure}' has no path by.${parent.name}, so the subtree cannot be counted; declare that path.`,
    )
    const edges = await this.readEdges()
    const { total } = await handles[tree.name]!.put(row).explain({ existing: edges.existing })
    const nodes = 1 + (await edgesBelowNode!(row[child.name]).count())
    const updates = this.itemsOfUpdate(edges)
    // An update reads the edge and the edge above, with strong consistency, and queries the edges below.
    const reads = 2 + parent.by.shards
    const writes = updates.map(items => sumOf(writePrice(this.layout, items).write))
    const readUnits = sumOf(total.read) + nodes * reads
    const writeUnits = sumOf(total.write) + nodes * writes.reduce((sum, units) => sum + units, 0)
    return {
      nodes,
      requests: total.requests + nodes * (reads + updates.length),
      readUnits,
      writeUnits,
      dollars: (readUnits * READ_MILLION_DOLLARS + writeUnits * WRITE_MILLION_DOLLARS) / 1e6,
    }
  }

  /** Reads the edge that is replaced, with its mirrors, the edges above the new one, and the nodes at their ends. */
  private async readEdges(): Promise<MovedEdges> {
    const { derivation, layout, tree, edge } = this
    const own = await readCurrentItem(derivation, edgeKeyOf(layout, edge))
    const parsed = own && parseItem(layout, own)
    const oldKeys = parsed
      ? itemsOfStoredRow(layout, tree, parsed.values).map(({ item }) => keyOfItem(layout.names, item))
      : []
    const nodeKeys = [edge.identity, ...(parsed ? [parsed.values] : [])].flatMap(values =>
      tree.ends.map(end => endNodeOf(layout, end, values).key),
    )
    const distinctKeys = indexByKey(layout, [...oldKeys, ...nodeKeys])
    const items = await readCurrentItems(derivation, [...distinctKeys.values()])
    const above: Item[] = []
    for (let at: SlotValues = edge.identity; above.length < TREE_DEPTH; ) {
      const item = await readCurrentItem(derivation, tableKeyOf(layout, ownKindOf(layout, tree), edgeAbove(tree, at)))
      const next = item && parseItem(layout, item)
      if (!next) break
      above.push(item!)
      at = next.values
    }
    return { own, above: above[0], existing: [...items.values(), ...above] }
  }

  /** The items that each transaction of the update of the root's closure writes or checks; none if it is up to date. */
  private itemsOfUpdate({ own, above }: MovedEdges): PricedItem[][] {
    const { layout, tree, edge } = this
    const { names } = layout
    const state = own && closureStateOf(layout, tree, own)
    const lineage = lineageBelow(tree, edge.identity, (above && closureStateOf(layout, tree, above)?.lineage) ?? [])
    const previous = state ? [state.lineage] : []
    const changes = closureChangesOf(layout, edge, state?.lineage, previous, lineage)
    if (changes.length === 0) return []
    const items = changes.map((change): PricedItem => ({ verb: change.after ? 'Put' : 'Delete', ...change }))
    const [newItem] = itemsOfStoredRow(layout, tree, { ...edge.identity, ...toSlotValues(tree, this.row) })
    const before: Item = { ...own, ...newItem!.item }
    const withState = (closure: ClosureState): Item => ({ ...before, [names.lineage]: closureStateValue(closure) })
    const finished = withState({ lineage, previous: [] })
    const checkAbove: PricedItem = { verb: 'ConditionCheck', before: above, after: above }
    if (items.length + 2 <= TRANSACT_ITEMS) return [[{ verb: 'Update', before, after: finished }, checkAbove, ...items]]
    const started = withState({ lineage, previous })
    const checkStarted: PricedItem = { verb: 'ConditionCheck', before: started, after: started }
    const finish: PricedItem = { verb: 'Update', before: started, after: finished }
    const chunks = chunksOf(items, TRANSACT_ITEMS - 1)
    return [
      [{ verb: 'Update', before, after: started }, checkAbove],
      ...chunks.map((chunk, at) => [at === chunks.length - 1 ? finish : checkStarted, ...chunk]),
    ]
  }
}

/** The edges that a move concerns, as they were read before it. */
interface MovedEdges {
  readonly own: Item | undefined
  readonly above: Item | undefined
  /** All items that the put reads or writes. */
  readonly existing: readonly Item[]
}

const sumOf = (units: Readonly<Record<string, number>>) => Object.values(units).reduce((sum, each) => sum + each, 0)
