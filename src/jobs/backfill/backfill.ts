import { withRetries } from '../../derive/retrying-store.js'
import { createDerivationContext, type DerivationContext } from '../../derive/settle/context.js'
import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { parseWorkOptions } from '../../graph/arguments.js'
import { assertStore, environmentOf, open } from '../../graph/open.js'
import { forEachConcurrently } from '../../graph/run/concurrency.js'
import { readItemByKey } from '../../graph/run/read-items.js'
import { findLayoutChanges, storedShapeOf } from '../../graph/table-setup/drift.js'
import { describeDrift } from '../../graph/table-setup/drift-text.js'
import { applyOnce, writeFingerprint } from '../../graph/table-setup/prepare.js'
import type { LayoutShape } from '../../layout/fingerprint.js'
import { fingerprintKey } from '../../layout/items/internal-items.js'
import type { Layout } from '../../layout/layout.js'
import { layoutOf } from '../../layout/layout.js'
import { keyOfItem } from '../../plan/identity.js'
import { hasStreamDerivedData } from '../../schema/edge/stream-derived-data.js'
import { GraphError } from '../../schema/error.js'
import type { AnyType, Graph } from '../../schema/graph.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import type { Store } from '../../store/port.js'
import type { RetryingOptions } from '../../store/retry.js'
import { rethrowJobError, runCallback } from '../callbacks.js'
import { repairAll } from '../verify/verify.js'
import { yieldToEventLoop } from '../yield-to-event-loop.js'
import { findEndTypeChanges, findExpiryChanges, findMovingChanges, hasSamePlaces } from './classify-changes.js'
import {
  findDisplacedEdges,
  findDroppedAggregates,
  findNodesToRecount,
  isSourceRenamed,
  recountIfAffected,
} from './counters.js'
import { createSourceCheck, hasConsistentReads, rewriteAggregates } from './derived-data.js'
import { rethrowForItem } from './errors.js'
import { assertMovesPossible } from './key-collisions.js'
import { ItemMigration } from './migrate-item.js'
import { findOrphanSideItems } from './orphan-side-items.js'
import { isMisplaced, isNodeOrEdge } from './own-items.js'

/** The progress of a backfill. */
export interface BackfillProgress {
  /** number of items that were read */
  readonly read: number
  /** number of nodes and edges that were changed */
  readonly changed: number
}

/** Options of `backfill()`. */
export interface BackfillOptions {
  /** The layout under which the table was written. Required if table keys or stored names changed. */
  readonly from?: Graph<AnyType, boolean> | Layout | undefined
  readonly table?: string | undefined
  readonly retry?: RetryingOptions | undefined
  readonly signal?: AbortSignalLike | undefined
  readonly progress?: ((progress: BackfillProgress) => void) | undefined
}

const PAGE_ITEMS = 100
const CONCURRENCY = 8

/**
 * Migrates the items of a table to a layout: index keys, mirrors, facets, sentinels, copies and counters. Every write
 * is conditional on the etag that was read, so live writes are not lost. The progress is stored in the table; the same
 * call resumes. Writers with the old layout should have stopped before the backfill ends.
 *
 * @param graphOrLayout The new graph or layout.
 * @param store The store that holds the table.
 * @returns The numbers of read and of changed items.
 * @throws {layout.drift} The old layout is required as `from`, or another backfill is unfinished.
 * @throws {write.contended} An item kept changing in every attempt.
 * @example
 * ```ts
 * import { graph, node, open, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { backfill } from 'edgewise/jobs'
 *
 * const user = node('user', { name: string() }, { id: 'name' })
 * const social = graph('social', [user])
 * const store = memory()
 * await open(social, store)
 * const { changed } = await backfill(social, store)
 * ```
 */
export async function backfill(
  graphOrLayout: Graph<AnyType, boolean> | Layout,
  store: Store,
  options: BackfillOptions = {},
): Promise<BackfillProgress> {
  const declaredLayout = layoutOf(graphOrLayout)
  assertStore(store)
  parseWorkOptions('backfill', options, 'from, table, retry, signal, progress', 'progress')
  const table = options.table ?? declaredLayout.design.name
  const withTable = (layout: Layout): Layout => ({ ...layout, design: { ...layout.design, name: table } })
  const layout = withTable(declaredLayout)
  const oldLayout = withTable(layoutOf(options.from ?? declaredLayout))
  return rethrowJobError(new Backfill(store, layout, oldLayout, options).run(), options.signal)
}

class Backfill {
  private itemsRead = 0
  private itemsChanged = 0
  /** Whether this run reverts an unfinished backfill, so that the stored fingerprint does not describe the items. */
  private isReverting = false
  private readonly store: Store
  private readonly derivation: DerivationContext

  constructor(
    private readonly userStore: Store,
    private readonly layout: Layout,
    private readonly oldLayout: Layout,
    private readonly options: BackfillOptions,
  ) {
    this.store = withRetries(userStore, options.retry)
    this.derivation = createDerivationContext(layout, this.store, environmentOf({}))
  }

  async run(): Promise<BackfillProgress> {
    const { shape, graph } = this.layout
    const Key = fingerprintKey(this.layout)
    const Item = await readItemByKey(this.store, this.layout, Key)
    this.isReverting = this.isRevert(Item)
    const isAlreadyUpdated = !this.isReverting && Item?.fingerprint?.S === this.layout.fingerprint
    // The item may contain only the progress of a backfill.
    const oldShape = this.isReverting ? this.oldLayout.shape : Item?.shape && storedShapeOf(Item, shape)
    const changes = oldShape && findLayoutChanges(oldShape, shape)
    if (!this.options.from) this.assertNothingMoves(oldShape ?? UNKNOWN_SHAPE, changes)
    this.assertEdgesReadable(changes)
    const knownChanges = changes ?? findLayoutChanges(this.oldLayout.shape, shape)
    const displaced = findDisplacedEdges(this.oldLayout, this.layout, knownChanges)
    const migration = new ItemMigration(this.derivation, this.oldLayout, {
      hasOldLayout: this.options.from !== undefined,
      isAlreadyUpdated,
      hasNewSource: createSourceCheck(this.layout, knownChanges),
    })
    const shapeBefore = oldShape ?? (this.options.from ? this.oldLayout.shape : UNKNOWN_SHAPE)
    const recounted = findNodesToRecount(shapeBefore, this.layout)
    const uncounted = findDroppedAggregates(shapeBefore, this.layout)
    const hasStarted = Item?.['backfill.items']?.M?.to?.S === this.layout.fingerprint
    // The fingerprint does not contain the node type of an end.
    if (this.options.from && (!isAlreadyUpdated || knownChanges.some(change => change.includes('.attributes.$'))))
      await assertMovesPossible(this.derivation, this.oldLayout, hasStarted, this.options.signal)
    await this.runPass('items', item => migration.migrate(item))
    // Counters require every edge at its new key.
    await this.runPass('derived', async item => {
      const currentItem = await recountIfAffected(this.derivation, displaced, recounted, item)
      return currentItem !== undefined && (await rewriteAggregates(this.store, this.layout, currentItem, uncounted))
    })
    const mayChangeAggregates = !changes || changes.some(change => change.includes('.kept'))
    const hasStreamAggregates = graph.declared.edges.some(edge => hasStreamDerivedData(edge))
    const isStale = displaced.length > 0 || isSourceRenamed(this.oldLayout, this.layout)
    if (isStale || (mayChangeAggregates && hasStreamAggregates)) await this.repairAggregates()
    await writeFingerprint(this.layout, this.store)
    return { read: this.itemsRead, changed: this.itemsChanged }
  }

  /**
   * Whether this run reverts an unfinished backfill. After an unfinished backfill that moved items, some items have
   * its layout, which may be neither of the two layouts of this run, so only the exact reverse is accepted.
   */
  private isRevert(fingerprintItem: Item | undefined): boolean {
    const { shape, fingerprint } = this.layout
    const { to, from, back } = fingerprintItem?.['backfill.items']?.M ?? {}
    const isOldFingerprint = ({ S }: AttributeValue) => this.options.from && S === this.oldLayout.fingerprint
    // Only the layout of the unfinished backfill can read the items that it wrote.
    if (!from || (to!.S === fingerprint && (!back || isOldFingerprint(from)))) return back !== undefined
    const isReverse = from.S === fingerprint && isOldFingerprint(to!)
    if (isReverse && hasSamePlaces(this.layout, findLayoutChanges(this.oldLayout.shape, shape))) return true
    throw new GraphError(
      'layout.drift',
      "backfill(): a backfill to another layout is unfinished, and some items already have that layout; finish that backfill, and then run this one. If it cannot finish and moves no items, revert it: run a backfill to its old layout, with its new layout as 'from'.",
    )
  }

  /** Throws if items would move or stored names would change: without the old layout, the old items cannot be found. */
  private assertNothingMoves(oldShape: Pick<LayoutShape, 'kinds'>, changes: readonly string[] = []): void {
    const { layout } = this
    const movingChanges = [
      ...findMovingChanges(layout, changes),
      ...findExpiryChanges(layout, changes),
      ...findEndTypeChanges(layout, oldShape, changes),
    ]
    if (movingChanges.length > 0)
      throw new GraphError(
        'layout.drift',
        `backfill(): items move, or their attributes are renamed (${describeDrift(layout, movingChanges)}); pass the old layout as 'from'.`,
        { changes: movingChanges },
      )
  }

  /** Throws if a new aggregate cannot be computed, because its node does not find the edges. */
  private assertEdgesReadable(changes: readonly string[] = []): void {
    for (const edge of this.layout.graph.declared.edges)
      for (const { end, into } of [...edge.count, ...edge.sum, ...edge.embed]) {
        const aggregatesPath = `kinds.${edge.name}.kept`
        const isNew = changes.some(
          change => change === `${aggregatesPath} is new` || change.startsWith(`${aggregatesPath}.${end}.${into} `),
        )
        if (isNew && hasConsistentReads(this.layout, edge, end) === undefined)
          throw new GraphError(
            'layout.drift',
            `${edge.name}: '${into}' aggregates these edges, but no path reads them from their end '${end}'; declare a path for that end, at least until the backfill is done.`,
            { type: edge.name, name: end },
          )
      }
  }

  /** Repairs derived data, because the consumer would update new aggregates only when an edge changes. */
  private async repairAggregates(): Promise<void> {
    const { signal, retry } = this.options
    const graph = await open(this.layout, this.userStore, { drift: 'allow', follow: false, retry })
    try {
      this.itemsChanged += await repairAll(graph, { signal })
    } finally {
      await graph.$close()
    }
  }

  /** Scans the table from the stored position and stores the progress after each page. */
  private async runPass(name: 'items' | 'derived', work: (item: Item) => Promise<boolean>): Promise<void> {
    const { design, fingerprint } = this.layout
    const target = { TableName: design.name, Key: fingerprintKey(this.layout) }
    const saveProgress = (position: Item, isFirstPass = false) => {
      const from = this.options.from && { from: { S: this.oldLayout.fingerprint } }
      const request = {
        ...target,
        UpdateExpression: `SET #b = :b${isFirstPass ? ' REMOVE #d' : ''}`,
        ExpressionAttributeNames: { '#b': `backfill.${name}`, ...(isFirstPass && { '#d': 'backfill.derived' }) },
        ExpressionAttributeValues: {
          ':b': {
            M: { to: { S: fingerprint }, ...from, ...(this.isReverting && { back: { BOOL: true } }), ...position },
          },
        },
      }
      return applyOnce(() => this.store.updateItem(request), /^Cond/)
    }
    const savedProgress = (await this.store.getItem({ ...target, ConsistentRead: true })).Item?.[`backfill.${name}`]?.M
    const ownProgress = savedProgress?.to?.S === fingerprint ? savedProgress : undefined
    if (ownProgress?.done) return
    // Store the progress before the first page, so that other runs notice this one. Restart the second pass, because
    // its counts are based on the old items.
    if (!ownProgress) await saveProgress({}, name === 'items')
    let startKey: Key | undefined = ownProgress?.start?.M
    do {
      await yieldToEventLoop(this.options.signal)
      const page = await this.store.scan({
        TableName: design.name,
        Limit: PAGE_ITEMS,
        ConsistentRead: true,
        ...(startKey && { ExclusiveStartKey: startKey }),
      })
      const items = (page.Items ?? []).filter(item => !isMisplaced(this.oldLayout, this.layout, item))
      const ownItems = items.filter(item => isNodeOrEdge(this.oldLayout, this.layout, item))
      const sideItems = items.filter(item => !ownItems.includes(item))
      this.itemsRead += page.Items?.length ?? 0
      const backfillOne = async (item: Item) => {
        if (await work(item).catch(rethrowForItem(keyOfItem(this.layout.names, item)))) this.itemsChanged++
      }
      // Nodes and edges that compete for a key are resolved by write conditions, so they run concurrently. Side items
      // follow one by one, because several may have the same owner.
      await forEachConcurrently(ownItems, CONCURRENCY, backfillOne)
      await forEachConcurrently(
        name === 'items' ? await findOrphanSideItems(this.derivation, this.oldLayout, sideItems) : sideItems,
        1,
        backfillOne,
      )
      startKey = page.LastEvaluatedKey
      await saveProgress(startKey ? { start: { M: startKey } } : { done: { BOOL: true } })
      await runCallback(() => this.options.progress?.({ read: this.itemsRead, changed: this.itemsChanged }))
    } while (startKey)
  }
}

/** The shape of a table without a stored fingerprint. */
const UNKNOWN_SHAPE = { kinds: {} }
