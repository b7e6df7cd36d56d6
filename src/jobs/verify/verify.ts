import { type DerivationContext, readCurrentItem, readCurrentItems } from '../../derive/settle/context.js'
import { isItemSizeError } from '../../derive/settle/item-size-error.js'
import { KeyedMutex } from '../../derive/settle/keyed-mutex.js'
import { kindOfItem } from '../../derive/settle/side-items.js'
import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { parseWorkOptions } from '../../graph/arguments.js'
import { contextOf } from '../../graph/open.js'
import { forEachConcurrently } from '../../graph/run/concurrency.js'
import { keyOfItem, typeByName } from '../../plan/identity.js'
import { GraphError } from '../../schema/error.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { rethrowJobError, runCallback } from '../callbacks.js'
import { ownerOfItem } from '../rows/item-row.js'
import { yieldToEventLoop } from '../yield-to-event-loop.js'
import { type FaultCode, faultIdOf, type VerifyFault } from './fault.js'
import { inspectBatch, inspectItem, type VerifyPass } from './inspect.js'
import { readItemsOfNode, readNodeItem } from './node-items.js'

/** Options of `verify()` and `repair()`. */
export interface VerifyOptions {
  /** Inspects only nodes or edges of this type. */
  readonly type?: string | undefined
  /** Inspects only the node with this id, and its edges. */
  readonly id?: unknown
  /** Tenant of the node with this id, in a graph with tenants. */
  readonly tenant?: string | undefined
  /** Resumes at the cursor of an earlier run. */
  readonly cursor?: string | undefined
  readonly signal?: AbortSignalLike | undefined
  /** Called after each page, and awaited. */
  readonly progress?: ((progress: VerifyProgress) => void | Promise<void>) | undefined
  /** Called with each fault when it is found, and awaited. */
  readonly onFault?: ((fault: FoundFault) => void) | undefined
}

const OPTION_NAMES = 'type, id, tenant, cursor, signal, progress, onFault'

/** The progress of a run. */
export interface VerifyProgress {
  /** Number of inspected items. */
  readonly read: number
  readonly faults: number
  /** Number of repaired faults, in a repair. */
  readonly repaired: number
  /** Cursor to resume the run here. Undefined at the end. */
  readonly cursor: string | undefined
}

/** A reported fault. */
export type FoundFault = Omit<VerifyFault, 'mayLag' | 'evidence' | 'repair'> & {
  /** Tenant of the item, in a graph with tenants, if it can be read. */
  readonly tenant?: string | undefined
  /** Whether the fault was repaired, in a repair. */
  readonly repaired?: boolean
}

/** The result of a run. */
export interface VerifyResult {
  readonly read: number
  readonly repaired: number
  /** Number of faults by code. */
  readonly faults: Readonly<Partial<Record<FaultCode, number>>>
}

const PAGE_ITEMS = 200
const CONCURRENCY = 8

/**
 * Checks a table for inconsistencies: counters, copies, mirrors, facets, sentinels, index keys and dangling edges.
 * Reads with strong consistency and writes nothing.
 *
 * @param graph The opened graph.
 * @returns The number of inspected items, and the number of faults by code.
 * @throws {call.argument} An option is invalid.
 * @throws {cursor.invalid} The cursor is not one of `verify()`.
 * @example
 * ```ts
 * import { graph, node, open, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { verify } from 'edgewise/jobs'
 *
 * const user = node('user', { name: string() }, { id: 'name' })
 * const { faults } = await verify(await open(graph('social', [user]), memory()))
 * ```
 */
export async function verify(graph: object, options: VerifyOptions = {}): Promise<VerifyResult> {
  parseWorkOptions('verify', options, OPTION_NAMES, 'progress, onFault')
  return rethrowJobError(new Inspection(graph, options, false).run(), options.signal)
}

/**
 * Checks a table as `verify()` does and repairs the faults. Safe with concurrent writers, because repairs use the same
 * conditions as writes.
 *
 * @param graph The opened graph.
 * @returns The number of inspected items and of repaired faults, and the number of faults by code.
 * @throws {call.argument} An option is invalid.
 * @throws {cursor.invalid} The cursor is not one of `repair()`.
 * @example
 * ```ts
 * import { graph, node, open, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { repair } from 'edgewise/jobs'
 *
 * const user = node('user', { name: string() }, { id: 'name' })
 * const { repaired } = await repair(await open(graph('social', [user]), memory()))
 * ```
 */
export async function repair(graph: object, options: VerifyOptions = {}): Promise<VerifyResult> {
  parseWorkOptions('repair', options, OPTION_NAMES, 'progress, onFault')
  return rethrowJobError(new Inspection(graph, options, true).run(), options.signal)
}

/** Options of an inspection of single items. */
export interface InspectItemsOptions {
  readonly signal?: AbortSignalLike | undefined
  /** Called with each inconsistency and the key of its item, and awaited. */
  readonly onFault?: ((fault: FoundFault, key: Key) => unknown) | undefined
}

/** Inspects the items with these keys as they are in the table now, and repairs them if `repairs` is true. */
export async function inspectItems(
  opened: object,
  keys: readonly Key[],
  repairs: boolean,
  { signal, onFault }: InspectItemsOptions = {},
): Promise<VerifyResult> {
  const inspection = new Inspection(opened, { ...(signal && { signal }) }, repairs)
  return rethrowJobError(inspection.runItems(keys, onFault), signal)
}

/**
 * Repairs a table for a job that needs every repair to succeed. Throws `write.contended` if concurrent writes
 * prevented one. Returns the number of repaired faults.
 */
export async function repairAll(graph: object, options: VerifyOptions): Promise<number> {
  const inspection = new Inspection(graph, options, true)
  const { repaired } = await inspection.run()
  if (inspection.isContended)
    throw new GraphError('write.contended', 'repair(): some items kept changing in all 3 attempts; retry later.')
  return repaired
}

class Inspection {
  /** Whether concurrent writes prevented a repair in every attempt. */
  isContended = false
  private readonly derivation: DerivationContext
  private readonly faultCounts: Partial<Record<FaultCode, number>> = {}
  private readonly reportedIds = new Set<string>()
  private itemsRead = 0
  private faultsFound = 0
  private repaired = 0
  private onItemFault: InspectItemsOptions['onFault']

  constructor(
    opened: object,
    private readonly options: VerifyOptions,
    private readonly isRepair: boolean,
  ) {
    this.derivation = { context: contextOf(opened), nodeMutex: new KeyedMutex() }
  }

  async run(): Promise<VerifyResult> {
    const { type, id, cursor } = this.options
    if (type !== undefined) typeByName(this.derivation.context.layout, type)
    this.assertTenantOption()
    if (id === undefined) {
      const passes: readonly VerifyPass[] = this.isRepair ? ['items', 'kept'] : ['all']
      const resumeAt = parseCursor(cursor, this.derivation.context.layout.names.keys)
      if (resumeAt && !passes.includes(resumeAt.pass))
        throw new GraphError(
          'cursor.invalid',
          'cursor: a cursor of verify() cannot resume repair(), nor the other way round; leave it out to start again.',
        )
      for (const pass of passes.slice(passes.indexOf(resumeAt?.pass ?? passes[0]!)))
        await this.scan(pass, pass === resumeAt?.pass ? resumeAt.key : undefined)
      await this.reportProgress(undefined)
    } else if (type === undefined)
      throw new GraphError('call.argument', "id: the option 'type' is missing; add the type of the node.")
    else if (cursor !== undefined)
      throw new GraphError('call.argument', "cursor: it cannot be combined with 'id'; leave one of them out.")
    else {
      const node = await readNodeItem(this.derivation, type, id, this.options.tenant)
      for await (const items of readItemsOfNode(this.derivation, type, id, this.options.tenant))
        await this.inspectItems(items, 'all')
      await this.inspectItems(node ? [node] : [], 'all')
      await this.reportProgress(undefined)
    }
    return { read: this.itemsRead, repaired: this.repaired, faults: this.faultCounts }
  }

  /** Inspects items. Aggregates of nodes are repaired after the mirrors of their edges. */
  async runItems(keys: readonly Key[], onFault: InspectItemsOptions['onFault']): Promise<VerifyResult> {
    this.onItemFault = onFault
    const passes: readonly VerifyPass[] = this.isRepair ? ['items', 'kept'] : ['all']
    for (const pass of passes)
      for (let at = 0; at < keys.length; at += PAGE_ITEMS) {
        await yieldToEventLoop(this.options.signal)
        const items = await readCurrentItems(this.derivation, keys.slice(at, at + PAGE_ITEMS))
        await this.inspectItems([...items.values()], pass)
      }
    return { read: this.itemsRead, repaired: this.repaired, faults: this.faultCounts }
  }

  /**
   * Requires a tenant with an id, and rejects a tenant without one, which would suggest that only this tenant is
   * inspected.
   */
  private assertTenantOption(): void {
    const { tenant, id } = this.options
    const needsTenant = id !== undefined && this.derivation.context.layout.design.tenant
    if (needsTenant ? !tenant : tenant !== undefined)
      throw new GraphError(
        'call.argument',
        needsTenant
          ? "id: the graph has tenants, but 'tenant' is missing; add the tenant of the node."
          : "tenant: it requires 'id' and a graph with tenants; leave it out.",
      )
  }

  private async scan(pass: VerifyPass, resumeKey: Key | undefined): Promise<void> {
    const { store, layout } = this.derivation.context
    let startKey = resumeKey
    do {
      await yieldToEventLoop(this.options.signal)
      const page = await store.scan({
        TableName: layout.design.name,
        ConsistentRead: true,
        Limit: PAGE_ITEMS,
        ...(startKey && { ExclusiveStartKey: startKey }),
      })
      await this.inspectItems(
        (page.Items ?? []).filter(item => this.isSelected(item)),
        pass,
      )
      startKey = page.LastEvaluatedKey as Key | undefined
      if (startKey) await this.reportProgress({ pass, key: startKey })
    } while (startKey)
  }

  private isSelected(item: Item): boolean {
    const { type } = this.options
    const { layout } = this.derivation.context
    return type === undefined || kindOfItem(layout, item)?.type.name === type
  }

  private async reportProgress(position: CursorPosition | undefined): Promise<void> {
    const cursor = position && btoa(encodeURIComponent(JSON.stringify(position)))
    const progress = { read: this.itemsRead, faults: this.faultsFound, repaired: this.repaired, cursor }
    await runCallback(() => this.options.progress?.(progress))
  }

  private async inspectItems(items: readonly Item[], pass: VerifyPass): Promise<void> {
    const { names } = this.derivation.context.layout
    if (pass !== 'kept') this.itemsRead += items.length
    let remaining = items
    for (let attempts = MAX_ATTEMPTS; remaining.length > 0; attempts--) {
      const { repaired: repairedBefore } = this
      const firstLooks = pass === 'kept' ? [] : await inspectBatch(this.derivation, remaining, CONCURRENCY)
      await forEachConcurrently(remaining, CONCURRENCY, async (item, index) => {
        this.options.signal?.throwIfAborted()
        for (const fault of await inspectItem(this.derivation, item, pass, firstLooks[index]))
          await this.recordFault(fault, item, pass)
      })
      if (pass === 'kept' || this.repaired === repairedBefore || attempts === 1) return
      // A repair may make an earlier inspected item wrong, or reveal further faults of the same item, so inspect the
      // items again.
      const keys = remaining.map(item => keyOfItem(names, item))
      remaining = [...(await readCurrentItems(this.derivation, keys)).values()]
    }
  }

  private async recordFault(
    { repair, mayLag: _, evidence: _by, ...reported }: VerifyFault,
    item: Item,
    pass: VerifyPass,
  ): Promise<void> {
    const { layout } = this.derivation.context
    // The row does not contain the tenant.
    const { tenant } = ownerOfItem(layout, item)
    const fault: FoundFault = { ...reported, ...(tenant !== undefined && { tenant }) }
    // An edge is inspected from each end that finds it, so report its faults once.
    const reportedId = JSON.stringify([keyOfItem(layout.names, item), faultIdOf(layout, fault)])
    if (this.reportedIds.has(reportedId)) return
    this.reportedIds.add(reportedId)
    this.faultsFound++
    this.faultCounts[fault.code] = (this.faultCounts[fault.code] ?? 0) + 1
    const key = keyOfItem(layout.names, item)
    if (!this.isRepair) {
      return runCallback(() => this.onItemFault?.(fault, key) ?? this.options.onFault?.(fault))
    }
    const isRepaired = repair !== undefined && (await this.tryRepair(repair, fault, item, pass))
    if (isRepaired) this.repaired++
    const outcome = { ...fault, repaired: isRepaired }
    await runCallback(() => this.onItemFault?.(outcome, key) ?? this.options.onFault?.(outcome))
  }

  /**
   * Runs a repair until the fault is gone. Repeats it with fresh reads, because a concurrent write or another repair
   * may have interfered.
   */
  private async tryRepair(
    repairFault: () => Promise<unknown>,
    fault: Omit<VerifyFault, 'repair'>,
    item: Item,
    pass: VerifyPass,
  ): Promise<boolean> {
    const { layout } = this.derivation.context
    let isContended = false
    let nextRepair: VerifyFault['repair'] = repairFault
    for (let attempts = MAX_ATTEMPTS; nextRepair; attempts--) {
      isContended = await isContendedWrite(nextRepair())
      const currentItem = await readCurrentItem(this.derivation, keyOfItem(layout.names, item))
      const remainingFaults = currentItem ? await inspectItem(this.derivation, currentItem, pass) : []
      const sameFault = remainingFaults.find(
        remainingFault => faultIdOf(layout, remainingFault) === faultIdOf(layout, fault),
      )
      if (!currentItem || !sameFault) return true
      nextRepair = attempts > 1 ? sameFault.repair : undefined
    }
    this.isContended ||= isContended
    return false
  }
}

const MAX_ATTEMPTS = 3

/**
 * Whether a concurrent write prevented a repair. A repair is given up if it would exceed the size of an item or a key,
 * write an invalid or an unreadable value, or lead around a cycle that another program wrote.
 */
async function isContendedWrite(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return false
  } catch (error) {
    const { name: errorName, code } = error as Partial<Record<string, unknown>>
    if (errorName === 'ConditionalCheckFailedException' || code === 'write.contended') return true
    if (!isItemSizeError(error) && !/^(stored\.|key\.|value\.|tree\.depth$)/.test(String(code))) throw error
    return false
  }
}

/** Position of a run: the pass, and the key in it. */
interface CursorPosition {
  readonly pass: VerifyPass
  readonly key: Key
}

function parseCursor(cursor: string | undefined, keys: readonly string[]): CursorPosition | undefined {
  if (cursor === undefined) return undefined
  const position = decodeCursor(cursor)
  if (position?.pass && keys.every(name => position.key?.[name])) return position
  throw new GraphError('cursor.invalid', 'cursor: it is not a cursor of this job; leave it out to start again.')
}

function decodeCursor(cursor: string): CursorPosition | undefined {
  try {
    return JSON.parse(decodeURIComponent(atob(cursor))) as CursorPosition
  } catch {
    return undefined
  }
}
