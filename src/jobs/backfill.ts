import { type Deriving, derivingOf, fresh, itemsAt } from '../derive/deriving.js'
import { patient } from '../derive/patience.js'
import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import type { ServiceException } from '../dynamodb/exception.js'
import type { TransactWriteItem } from '../dynamodb/operations/transactions.js'
import { differences, shapeIn } from '../graph/drift.js'
import { driftText } from '../graph/drift-text.js'
import { workOptions } from '../graph/given.js'
import { inTurn } from '../graph/in-turn.js'
import { checkStore, open, surroundingsOf } from '../graph/open.js'
import { isDone, writeFingerprint } from '../graph/table.js'
import type { Shape } from '../layout/fingerprint.js'
import type { Layout } from '../layout/layout.js'
import { layoutOf } from '../layout/layout.js'
import { fingerprintKey } from '../layout/own-items.js'
import { sameValue } from '../plan/change-values.js'
import { keyOf, keyText } from '../plan/identity.js'
import { GraphError } from '../schema/error.js'
import type { AnyType, Graph } from '../schema/graph.js'
import { keptByStream } from '../schema/kept-by-stream.js'
import type { AbortSignalLike } from '../store/abort-signal.js'
import type { Store } from '../store/port.js'
import type { RetryingOptions } from '../store/retrying.js'
import { countedAnew, displacedIn, isSourceRenamed, recountedIn, uncountedIn } from './backfill-counters.js'
import { carriedOf, derivedOf, isConsistent, type Resourced, resourcedIn } from './backfill-derived.js'
import {
  computedIn,
  type Found,
  isAlike,
  isApart,
  isOwn,
  isStray,
  isToMove,
  moved,
  placeOf,
  sidesOf,
} from './backfill-item.js'
import { leftAmong, takeLeft } from './backfill-left.js'
import { checkMoves, checkSame } from './backfill-merged.js'
import { endsIn, isSamePlace, movesIn, timesIn } from './backfill-places.js'
import { taken, unread } from './backfill-refusals.js'
import { fixedCopies, ownTimes } from './backfill-sides.js'
import { superseded } from './backfill-superseded.js'
import { isOver, takeFrom, takeOver } from './backfill-taken.js'
import { timedSides } from './backfill-times.js'
import { transactionsOf } from './backfill-transactions.js'
import { calledBack, toldOfJob } from './callbacks.js'
import { othersTurn } from './others-turn.js'
import { repairAll } from './verify.js'

/** How far it is. */
export interface BackfillProgress {
  /** items that were read */
  readonly read: number
  /** nodes and edges that were brought up */
  readonly changed: number
}

/** How a table is brought up. */
export interface BackfillOptions {
  /** The layout under which the table was written; needed where keys of the table itself, or stored names, changed. */
  readonly from?: Graph<AnyType, boolean> | Layout | undefined
  readonly table?: string | undefined
  readonly retry?: RetryingOptions | undefined
  readonly signal?: AbortSignalLike | undefined
  readonly progress?: ((progress: BackfillProgress) => void) | undefined
}

const PAGE_ITEMS = 100
const CONCURRENCY = 8

/**
 * Brings the items of a table up to a layout: keys of indexes, mirrors, facets, sentinels, copies and counters. Each is
 * written under the etag that it was read with, so that no live write is lost; how far it came stands in the table, and
 * the same call goes on from there. Writers under the layout before should be gone when it ends.
 */
export async function backfill(
  what: Graph<AnyType, boolean> | Layout,
  store: Store,
  options: BackfillOptions = {},
): Promise<BackfillProgress> {
  const given = layoutOf(what)
  checkStore(store)
  workOptions('backfill', options, 'from, table, retry, signal, progress', 'progress')
  const table = options.table ?? given.design.name
  const placed = (layout: Layout): Layout => ({ ...layout, design: { ...layout.design, name: table } })
  const layout = placed(given)
  const before = placed(layoutOf(options.from ?? given))
  return toldOfJob(new Backfill(store, layout, before, options).run(), options.signal)
}

class Backfill {
  private read = 0
  private changed = 0
  /** Those that were brought up before they were met, with what lay beside them: their keys and etags. */
  private readonly early = new Set<string>()
  private resourced: Resourced = () => false
  /** Whether it takes back another, of which the table does not tell that it was written under its layout. */
  private isBack = false
  /** Whether the table tells that all of it is up already. */
  private isUp = false
  private readonly store: Store
  private readonly deriving: Deriving

  constructor(
    private readonly given: Store,
    private readonly layout: Layout,
    private readonly before: Layout,
    private readonly options: BackfillOptions,
  ) {
    this.store = patient(given, options.retry)
    this.deriving = derivingOf(layout, this.store, surroundingsOf({}))
  }

  async run(): Promise<BackfillProgress> {
    const { design, shape, graph } = this.layout
    const Key = fingerprintKey(this.layout)
    const { Item } = await this.store.getItem({ TableName: design.name, Key, ConsistentRead: true })
    this.isBack = this.isWayBack(Item)
    this.isUp = !this.isBack && Item?.fingerprint?.S === this.layout.fingerprint
    // How far it came may be there, and nothing else.
    const was = this.isBack ? this.before.shape : Item?.shape && shapeIn(Item, shape)
    const changes = was && differences(was, shape)
    if (!this.options.from) this.checkPlaces(was ?? UNTOLD, changes)
    this.checkFound(changes)
    const known = changes ?? differences(this.before.shape, shape)
    const displaced = displacedIn(this.before, this.layout, known)
    this.resourced = resourcedIn(this.layout, known)
    const shapeBefore = was ?? (this.options.from ? this.before.shape : UNTOLD)
    const recounted = recountedIn(shapeBefore, this.layout)
    const uncounted = uncountedIn(shapeBefore, this.layout)
    const isBegun = Item?.['backfill.items']?.M?.to?.S === this.layout.fingerprint
    // The fingerprint alone does not tell which type an end is of.
    if (this.options.from && (!this.isUp || known.some(each => each.includes('.attributes.$'))))
      await checkMoves(this.deriving, this.before, isBegun, this.options.signal)
    await this.pass('items', item => this.bringUp(item))
    // Counters need every edge in its place.
    await this.pass('derived', async item => {
      const now = await countedAnew(this.deriving, displaced, recounted, item)
      return now !== undefined && (await derivedOf(this.store, this.layout, now, uncounted))
    })
    const isKept = !changes || changes.some(each => each.includes('.kept'))
    const hasKept = graph.declared.edges.some(edge => keptByStream(edge))
    const isStale = displaced.length > 0 || isSourceRenamed(this.before, this.layout)
    if (isStale || (isKept && hasKept)) await this.recount()
    await writeFingerprint(this.layout, this.store)
    return { read: this.read, changed: this.changed }
  }

  /**
   * Where another was cut off that moves items, some lie as its layout has them, which neither of these need tell. This one
   * may take it back, which the answer tells, if nothing lies elsewhere by it.
   */
  private isWayBack(noted: Item | undefined): boolean {
    const { shape, fingerprint } = this.layout
    const { to, from, back } = noted?.['backfill.items']?.M ?? {}
    const isOfBefore = ({ S }: AttributeValue) => this.options.from && S === this.before.fingerprint
    // What the other left is told by its layout alone: without it, this one cannot go on either.
    if (!from || (to!.S === fingerprint && (!back || isOfBefore(from)))) return back !== undefined
    const isReverse = from.S === fingerprint && isOfBefore(to!)
    if (isReverse && isSamePlace(this.layout, differences(this.before.shape, shape))) return true
    throw new GraphError(
      'layout.drift',
      "a backfill to another layout was cut off, and some items lie as that one has them: call it again until it is done, and then this one. Where it cannot be done, and moves no items, one back to the layout that it came from, with its own as 'from', takes it back",
    )
  }

  /** What lies elsewhere, or under other names, is not found without the layout before. */
  private checkPlaces(was: Pick<Shape, 'kinds'>, changes: readonly string[] = []): void {
    const { layout } = this
    const moved = [...movesIn(layout, changes), ...timesIn(layout, changes), ...endsIn(layout, was, changes)]
    if (moved.length > 0)
      throw new GraphError(
        'layout.drift',
        `items lie elsewhere, or under other names (${driftText(layout, moved)}): give the layout before as 'from'`,
        { changes: moved },
      )
  }

  /** What a node is to keep from now on is told by edges that it finds. */
  private checkFound(changes: readonly string[] = []): void {
    for (const edge of this.layout.graph.declared.edges)
      for (const { end, into } of [...edge.count, ...edge.sum, ...edge.embed]) {
        const kept = `kinds.${edge.name}.kept`
        const isNew = changes.some(each => each === `${kept} is new` || each.startsWith(`${kept}.${end}.${into} `))
        if (isNew && isConsistent(this.layout, edge, end) === undefined)
          throw new GraphError(
            'layout.drift',
            `${into} is to be kept of ${edge.name}, which is not read from its ${end}: give that end a way, if only until this is done`,
            { type: edge.name, name: end },
          )
      }
  }

  /** What the stream keeps from now on, its consumer would only bring up where something changes. */
  private async recount(): Promise<void> {
    const { signal, retry } = this.options
    const opened = await open(this.layout, this.given, { drift: 'allow', follow: false, retry })
    try {
      this.changed += await repairAll(opened, { signal })
    } finally {
      await opened.$close()
    }
  }

  /** Reads the table from where it was left, and keeps account of it there. */
  private async pass(name: 'items' | 'derived', work: (item: Item) => Promise<boolean>): Promise<void> {
    const { design, fingerprint } = this.layout
    const at = { TableName: design.name, Key: fingerprintKey(this.layout) }
    const note = (place: Item, isAnew = false) => {
      const from = this.options.from && { from: { S: this.before.fingerprint } }
      const request = {
        ...at,
        UpdateExpression: `SET #b = :b${isAnew ? ' REMOVE #d' : ''}`,
        ExpressionAttributeNames: { '#b': `backfill.${name}`, ...(isAnew && { '#d': 'backfill.derived' }) },
        ExpressionAttributeValues: {
          ':b': { M: { to: { S: fingerprint }, ...from, ...(this.isBack && { back: { BOOL: true } }), ...place } },
        },
      }
      return isDone(() => this.store.updateItem(request), /^Cond/)
    }
    const kept = (await this.store.getItem({ ...at, ConsistentRead: true })).Item?.[`backfill.${name}`]?.M
    const known = kept?.to?.S === fingerprint ? kept : undefined
    if (known?.done) return
    // Also where it does not come to the end of the first page, others must know of it. What was counted before is of
    // items as they were then.
    if (!known) await note({}, name === 'items')
    let start: Key | undefined = known?.start?.M
    do {
      await othersTurn(this.options.signal)
      const page = await this.store.scan({
        TableName: design.name,
        Limit: PAGE_ITEMS,
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      })
      const items = (page.Items ?? []).filter(item => !isStray(this.before, this.layout, item))
      const own = items.filter(item => isOwn(this.before, this.layout, item))
      const beside = items.filter(item => !own.includes(item))
      this.read += page.Items?.length ?? 0
      const each = async (item: Item) => {
        if (await work(item).catch(unread(keyOf(this.layout.names, item)))) this.changed++
      }
      // Nodes and edges that want the same place meet as live writers do. What lies beside them comes after them, one by
      // one, since several may be of the same.
      await inTurn(own, CONCURRENCY, each)
      await inTurn(name === 'items' ? await leftAmong(this.deriving, this.before, beside) : beside, 1, each)
      start = page.LastEvaluatedKey
      await note(start ? { start: { M: start } } : { done: { BOOL: true } })
      await calledBack(() => this.options.progress?.({ read: this.read, changed: this.changed }))
    } while (start)
  }

  private async bringUp(item: Item): Promise<boolean> {
    const { layout, before, deriving } = this
    if (this.early.delete(this.versionOf(item))) return false
    let isChanged = false
    let found: Item | undefined = item
    for (let times = TIMES; found && times > 0; times--) {
      const left = await takeLeft(deriving, before, found)
      if (!left) break
      if (left === 'taken') return true
      // Since the page was read, it may have gone with the one that it is of.
      if (!(await this.itemAt(keyOf(layout.names, item)))) return isChanged
      // It goes with that, which others may change or delete before it is met, without knowing of this.
      if (await this.bringUpOwn(left)) {
        isChanged = true
        if (this.early.size < EARLY_KNOWN) this.early.add(this.versionOf(left))
      }
      found = await this.itemAt(keyOf(layout.names, item))
    }
    return isChanged || (found !== undefined && (await this.bringUpOwn(found)))
  }

  /** What others wrote since is another. */
  private versionOf(item: Item): string {
    return `${keyText(this.layout, item)} ${item[this.layout.names.etag]?.S}`
  }

  private async bringUpOwn(item: Item): Promise<boolean> {
    const { store, layout, before } = this
    let found: Item | undefined = item
    let isChanged = false
    let transactions = await this.movedWith(item)
    for (let times = TIMES; found && times > 0; times--) {
      if (transactions.length === 0) return isChanged
      try {
        for (const TransactItems of transactions)
          await store.transactWriteItems({ TransactItems, ClientRequestToken: fresh(this.deriving) })
        return true
      } catch (error) {
        const { CancellationReasons = [] } = error as Partial<ServiceException>
        if (!CancellationReasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) throw error
        const now = await this.itemAt(keyOf(layout.names, found))
        const isSame: boolean = now !== undefined && sameValue({ M: now }, { M: found })
        const place = isSame ? placeOf(before, layout, found) : undefined
        const other = place && (await this.itemAt(place))
        const isTaken = other !== undefined && keyText(layout, other) !== keyText(layout, found)
        if (isTaken && !isToMove(before, layout, other)) {
          transactions = await this.givenWay(found, other, transactions)
          continue
        }
        // Who had its place, or a value that it alone may have, may be gone by now.
        if (isSame && times === 1) throw taken(keyOf(layout.names, found), error)
        if (isSame) isChanged = (await takeFrom(this.deriving, before, found, transactions.flat())) || isChanged
        if (!isTaken) found = now
        transactions = found ? await this.movedWith(...(isTaken ? await this.crowd(found, other) : [found])) : []
      }
    }
    if (found) throw new GraphError('write.contended', 'others changed an item each time it was read: try again later')
    return false
  }

  /** The writes of an item in whose place another lies that is not to be moved: the one of them goes that is older, or over. */
  private async givenWay(
    found: Item,
    other: Item,
    transactions: TransactWriteItem[][],
  ): Promise<TransactWriteItem[][]> {
    const { deriving, before, layout } = this
    const isGone = isOver(deriving, before, found)
    if (!isGone && isOver(deriving, layout, other)) {
      await takeOver(deriving, other)
      return transactions
    }
    if (!isGone) checkSame(before, layout, found, other)
    return transactionsOf(before, layout, [found], await superseded(deriving, before, found, other))
  }

  /** Items each of which belongs where the next one lies, until a place is free or it is that of the first. */
  private async crowd(first: Item, second: Item): Promise<Item[]> {
    const { layout, before } = this
    const items = [first]
    let next: Item | undefined = second
    while (next && isToMove(before, layout, next) && keyText(layout, next) !== keyText(layout, first)) {
      items.push(next)
      next = await this.itemAt(placeOf(before, layout, next)!)
    }
    return items
  }

  private async itemAt(Key: Key): Promise<Item | undefined> {
    return (await this.store.getItem({ TableName: this.layout.design.name, Key, ConsistentRead: true })).Item
  }

  /** The writes that bring items up together. */
  private async movedWith(...items: readonly Item[]): Promise<TransactWriteItem[][]> {
    const { store, layout } = this
    const isNew = items.every(item => this.isNew(item))
    const before = isNew ? layout : this.before
    const all: Found[] = []
    for (const item of items) {
      const copies = await carriedOf(store, [this.before, layout], before, item, this.resourced)
      const carried = { ...copies, ...computedIn(before, layout, item, copies) }
      const there =
        this.options.from && !isNew
          ? await timedSides(this.deriving, before, item)
          : await this.sidesThere(item, sidesOf(before, layout, item, carried))
      all.push({ item, carried, there, nowMs: this.deriving.context.surroundings.now() })
    }
    return transactionsOf(before, layout, items, moved(before, layout, all))
  }

  /** Of what looks as if it were still to be brought up, where all is, those who know the new layout wrote it since. */
  private isNew(item: Item): boolean {
    const { layout, before, isUp } = this
    return isApart(before, layout, item) || (isUp && isAlike(before, layout, item))
  }

  /** Those that are in the table as they should be: without the layout before, nothing else tells. */
  private async sidesThere(own: Item, sides: readonly Item[]): Promise<Item[]> {
    const { names, kinds } = this.layout
    const keys = sides.map(side => keyOf(names, side))
    const found = await itemsAt(this.deriving, keys)
    return sides.filter(side => {
      const there = found.get(keyText(this.layout, side))
      const { role, type } = kinds.find(({ mark }) => mark === side[names.type]?.S)!
      const isSame = (name: string) => sameValue((name === names.etag ? own : side)[name], there![name])
      const more = role === 'mirror' ? [names.etag, ...fixedCopies(this.layout, type)] : []
      return there && [...Object.keys(side), ...more, ...ownTimes(this.layout)].every(isSame)
    })
  }
}

const TIMES = 10
/** Of a table that does not tell how it was written. */
const UNTOLD = { kinds: {} }
/** Those that are not known are brought up once more. */
const EARLY_KNOWN = 100_000
