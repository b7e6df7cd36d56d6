import {
  type DerivationContext,
  generateToken,
  readCurrentItem,
  readCurrentItems,
} from '../../derive/settle/context.js'
import type { Item } from '../../dynamodb/attribute-value.js'
import type { ServiceException } from '../../dynamodb/exception.js'
import type { TransactWriteItem } from '../../dynamodb/operation-types.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem, uniqueKeyTextOf } from '../../plan/identity.js'
import { isSameValue } from '../../plan/slot-values.js'
import { GraphError } from '../../schema/error.js'
import { readMissingCopies, type SourceCheck } from './derived-data.js'
import { toUniqueTakenError } from './errors.js'
import {
  computeNewValues,
  expectedSideItems,
  type ItemMove,
  isMistakableForOld,
  newKeyOf,
  planMoves,
  shouldMove,
} from './item.js'
import { assertSameItem } from './key-collisions.js'
import { removeOrphanSideItem } from './orphan-side-items.js'
import { isOnlyInNewLayout } from './own-items.js'
import { fixedCopyNamesOf, managedExpiryNamesOf } from './side-writes.js'
import { planSupersededRemoval } from './superseded-items.js'
import { readTimedSideItems } from './timed-side-items.js'
import { splitIntoTransactions } from './transactions.js'
import { isExpiredEdge, removeExpiredEdge, vacatePlaces } from './vacate-place.js'

/** What a backfill knows about the table. */
interface MigrationState {
  /** Whether the old layout was passed, so that side items of the old layout are known. */
  readonly hasOldLayout: boolean
  /** Whether the stored fingerprint shows that the whole table is migrated. */
  readonly isAlreadyUpdated: boolean
  readonly hasNewSource: SourceCheck
}

const MAX_ATTEMPTS = 10
/** Limits the memory for known versions. An unknown version is only migrated again. */
const MAX_EARLY_VERSIONS = 100_000

/** Migrates single items from one layout to another, with their side items. */
export class ItemMigration {
  private readonly layout: Layout
  /** Keys and etags of owners that were migrated early, together with a side item. */
  private readonly earlyVersions = new Set<string>()

  constructor(
    private readonly derivation: DerivationContext,
    private readonly oldLayout: Layout,
    private readonly state: MigrationState,
  ) {
    this.layout = derivation.context.layout
  }

  /** Migrates an item, or deletes it if it is an orphan side item. Returns whether it changed anything. */
  async migrate(item: Item): Promise<boolean> {
    const { layout, oldLayout, derivation } = this
    if (this.earlyVersions.delete(this.versionOf(item))) return false
    let isChanged = false
    let currentItem: Item | undefined = item
    for (let attempts = MAX_ATTEMPTS; currentItem && attempts > 0; attempts--) {
      const orphanOwner = await removeOrphanSideItem(derivation, oldLayout, currentItem)
      if (!orphanOwner) break
      if (orphanOwner === 'taken') return true
      // The side item may have been deleted with its owner since the page was read.
      if (!(await readCurrentItem(this.derivation, keyOfItem(layout.names, item)))) return isChanged
      // Migrate the owner now: a later change or deletion of the owner by a writer with the new layout would not see
      // this side item.
      if (await this.migrateOwnItem(orphanOwner)) {
        isChanged = true
        if (this.earlyVersions.size < MAX_EARLY_VERSIONS) this.earlyVersions.add(this.versionOf(orphanOwner))
      }
      currentItem = await readCurrentItem(this.derivation, keyOfItem(layout.names, item))
    }
    return isChanged || (currentItem !== undefined && (await this.migrateOwnItem(currentItem)))
  }

  /** Identifies an item with its version, so that a later write counts as another version. */
  private versionOf(item: Item): string {
    return `${uniqueKeyTextOf(this.layout, item)} ${item[this.layout.names.etag]?.S}`
  }

  private async migrateOwnItem(item: Item): Promise<boolean> {
    const { layout, oldLayout } = this
    const { store } = this.derivation.context
    let currentItem: Item | undefined = item
    let isChanged = false
    let transactions = await this.planTransactions(item)
    for (let attempts = MAX_ATTEMPTS; currentItem && attempts > 0; attempts--) {
      if (transactions.length === 0) return isChanged
      try {
        for (const TransactItems of transactions)
          await store.transactWriteItems({ TransactItems, ClientRequestToken: generateToken(this.derivation) })
        return true
      } catch (error) {
        const { CancellationReasons = [] } = error as Partial<ServiceException>
        if (!CancellationReasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) throw error
        const latestItem = await readCurrentItem(this.derivation, keyOfItem(layout.names, currentItem))
        const isUnchanged: boolean = latestItem !== undefined && isSameValue({ M: latestItem }, { M: currentItem })
        const targetKey = isUnchanged ? newKeyOf(oldLayout, layout, currentItem) : undefined
        const occupant = targetKey && (await readCurrentItem(this.derivation, targetKey))
        const isOccupied =
          occupant !== undefined && uniqueKeyTextOf(layout, occupant) !== uniqueKeyTextOf(layout, currentItem)
        if (isOccupied && !shouldMove(oldLayout, layout, occupant)) {
          transactions = await this.planOccupiedMove(currentItem, occupant, transactions)
          continue
        }
        // The item at the target key, or the owner of the unique value, may have been deleted meanwhile.
        if (isUnchanged && attempts === 1) throw toUniqueTakenError(keyOfItem(layout.names, currentItem), error)
        if (isUnchanged)
          isChanged = (await vacatePlaces(this.derivation, oldLayout, currentItem, transactions.flat())) || isChanged
        if (!isOccupied) currentItem = latestItem
        transactions = currentItem
          ? await this.planTransactions(
              ...(isOccupied ? await this.collectMoveChain(currentItem, occupant) : [currentItem]),
            )
          : []
      }
    }
    if (currentItem)
      throw new GraphError('write.contended', 'backfill(): an item kept changing in all 10 attempts; retry later.')
    return false
  }

  /**
   * Plans the writes for an item whose target key holds an item that does not move. The older or expired one of the
   * two is deleted.
   */
  private async planOccupiedMove(
    moving: Item,
    occupant: Item,
    transactions: TransactWriteItem[][],
  ): Promise<TransactWriteItem[][]> {
    const { derivation, oldLayout, layout } = this
    const isExpired = isExpiredEdge(derivation, oldLayout, moving)
    if (!isExpired && isExpiredEdge(derivation, layout, occupant)) {
      await removeExpiredEdge(derivation, occupant)
      return transactions
    }
    if (!isExpired) assertSameItem(oldLayout, layout, moving, occupant)
    return splitIntoTransactions(
      oldLayout,
      layout,
      [moving],
      await planSupersededRemoval(derivation, oldLayout, moving, occupant),
    )
  }

  /**
   * Collects a chain of items in which each one moves to the key of the next, until a key is free or the chain is a
   * cycle.
   */
  private async collectMoveChain(first: Item, second: Item): Promise<Item[]> {
    const { layout, oldLayout } = this
    const chain = [first]
    let next: Item | undefined = second
    while (
      next &&
      shouldMove(oldLayout, layout, next) &&
      uniqueKeyTextOf(layout, next) !== uniqueKeyTextOf(layout, first)
    ) {
      chain.push(next)
      next = await readCurrentItem(this.derivation, newKeyOf(oldLayout, layout, next)!)
    }
    return chain
  }

  /** Plans the transactions that migrate items together. */
  private async planTransactions(...items: readonly Item[]): Promise<TransactWriteItem[][]> {
    const { layout } = this
    const { store } = this.derivation.context
    const isNew = items.every(item => this.isNewLayoutItem(item))
    const oldLayout = isNew ? layout : this.oldLayout
    const moves: ItemMove[] = []
    for (const item of items) {
      const copies = await readMissingCopies(store, [this.oldLayout, layout], oldLayout, item, this.state.hasNewSource)
      const newValues = { ...copies, ...computeNewValues(oldLayout, layout, item, copies) }
      const existingSides =
        this.state.hasOldLayout && !isNew
          ? await readTimedSideItems(this.derivation, oldLayout, item)
          : await this.filterCurrentSideItems(item, expectedSideItems(oldLayout, layout, item, newValues))
      moves.push({ item, newValues, existingSides, nowMs: this.derivation.context.environment.now() })
    }
    return splitIntoTransactions(oldLayout, layout, items, planMoves(oldLayout, layout, moves))
  }

  /**
   * Whether an item already has the new layout. In a migrated table, an item that also fits the old layout was written
   * with the new one.
   */
  private isNewLayoutItem(item: Item): boolean {
    const { layout, oldLayout } = this
    return (
      isOnlyInNewLayout(oldLayout, layout, item) ||
      (this.state.isAlreadyUpdated && isMistakableForOld(oldLayout, layout, item))
    )
  }

  /**
   * Returns the expected side items that exist unchanged. Without the old layout, only a comparison shows which ones
   * to write.
   */
  private async filterCurrentSideItems(ownItem: Item, sides: readonly Item[]): Promise<Item[]> {
    const { names, kinds } = this.layout
    const keys = sides.map(side => keyOfItem(names, side))
    const itemsByKey = await readCurrentItems(this.derivation, keys)
    return sides.filter(side => {
      const existing = itemsByKey.get(uniqueKeyTextOf(this.layout, side))
      const { role, type } = kinds.find(({ typeMark }) => typeMark === side[names.type]?.S)!
      const isSame = (name: string) => isSameValue((name === names.etag ? ownItem : side)[name], existing![name])
      const extraNames = role === 'mirror' ? [names.etag, ...fixedCopyNamesOf(this.layout, type)] : []
      return existing && [...Object.keys(side), ...extraNames, ...managedExpiryNamesOf(this.layout)].every(isSame)
    })
  }
}
