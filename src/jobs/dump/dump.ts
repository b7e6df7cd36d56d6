import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { assertArgument, isNonEmptyText, parseWorkOptions } from '../../graph/arguments.js'
import type { Context } from '../../graph/context.js'
import { contextOf } from '../../graph/open.js'
import { RequestSender } from '../../graph/run/request-sender.js'
import { rethrowStoreError } from '../../graph/run/store-errors.js'
import { keyOfItem, typeByName } from '../../plan/identity.js'
import { isLive } from '../../plan/row.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { isGraphError } from '../rows/graph-error.js'
import { type ItemRow, ownerOfItem, rowOfItem } from '../rows/item-row.js'
import { yieldToEventLoop } from '../yield-to-event-loop.js'

/** What was written out. */
export interface DumpCounts {
  /** items that were read */
  readonly items: number
  /** nodes and edges among them */
  readonly rows: number
  /** items that are of no type of the graph */
  readonly unknown: number
  /** nodes and edges that cannot be read as they are declared */
  readonly failed: number
  /** capacity units */
  readonly units: number
}

/** How far a dump came: with it, the same dump goes on. Plain data, to be kept as JSON. */
export interface DumpCursor extends DumpCounts {
  /** For each segment of the table the key after which it goes on; 'end' where it is done. */
  readonly segments: readonly (Key | 'begin' | 'end')[]
}

/** A node or an edge that cannot be read as it is declared. */
export interface UnreadableItem {
  readonly key: Key
  readonly code: string
  readonly message: string
}

/** What was read at once. */
export interface DumpPage {
  /** All items, as they are stored. */
  readonly items: readonly Item[]
  readonly rows: readonly ItemRow[]
  readonly failed: readonly UnreadableItem[]
}

/** How a table is written out. */
export interface DumpOptions {
  /** Where an earlier call stopped, as it told with its last page. */
  readonly from?: DumpCursor | undefined
  /** Into how many segments the table is cut, which are read side by side; 4 unless said. */
  readonly segments?: number | undefined
  /** Whether what was written before the read of its page is in it; twice the price. Off unless said. */
  readonly consistent?: boolean | undefined
  /** Only these types. */
  readonly types?: readonly string[] | undefined
  /** Only this tenant's. */
  readonly tenant?: string | undefined
  readonly signal?: AbortSignalLike | undefined
}

const SEGMENTS = 4

/**
 * Reads a whole table, page by page. Each page is taken before the next is told, with the place from which the dump goes
 * on when it is taken. It is no snapshot: what is written meanwhile may be in it or not, an item once or not at all.
 */
export async function dump(
  graph: object,
  onPage: (page: DumpPage, place: DumpCursor) => void | Promise<void>,
  options: DumpOptions = {},
): Promise<DumpCounts> {
  const context = contextOf(graph)
  parseWorkOptions('dump', options, 'from, segments, consistent, types, tenant, signal')
  assertArgument(typeof onPage === 'function', 'dump() takes a function, which gets each page')
  return new Dump(context, onPage, options).run()
}

function isDumpCursor({ items, rows, unknown, failed, units, segments }: DumpCursor): boolean {
  const hasCounts = [items, rows, unknown, failed, units].every(Number.isFinite)
  return hasCounts && Array.isArray(segments) && segments.length > 0
}

class Dump {
  private cursor: DumpCursor
  private delivered: Promise<void> = Promise.resolve()
  /** What ended it: then no other segment goes on either. */
  private failure: { readonly error: unknown } | undefined

  constructor(
    private readonly context: Context,
    private readonly onPage: (page: DumpPage, place: DumpCursor) => void | Promise<void>,
    private readonly options: DumpOptions,
  ) {
    const { from, segments = SEGMENTS, types = [], tenant } = options
    const { layout } = context
    assertArgument(Number.isInteger(segments) && segments > 0, 'segments are a whole number from 1')
    assertArgument(Array.isArray(types), 'types is a list of names')
    // Of what there is not, nothing would be found, without a word.
    for (const type of types) typeByName(layout, type)
    assertArgument(
      tenant === undefined || (layout.design.tenant && isNonEmptyText(tenant)),
      'a tenant is a text, in a graph that is divided by tenants: leave it out',
    )
    assertArgument(!from || isDumpCursor(from), 'from is a place that a dump told with a page')
    const counts = { items: 0, rows: 0, unknown: 0, failed: 0, units: 0 }
    this.cursor = from ?? { ...counts, segments: Array.from({ length: segments }, () => 'begin' as const) }
  }

  private readonly fail = (error: unknown): void => {
    this.failure ??= { error }
  }

  async run(): Promise<DumpCounts> {
    await Promise.all(this.cursor.segments.map((_, segment) => this.readSegment(segment).catch(this.fail)))
    if (this.failure) throw this.failure.error
    const { segments: _, ...counts } = this.cursor
    return counts
  }

  private async readSegment(segment: number): Promise<void> {
    const { design } = this.context.layout
    const { consistent = false, signal } = this.options
    for (let position = this.cursor.segments[segment]!; position !== 'end'; position = this.cursor.segments[segment]!) {
      await yieldToEventLoop(signal)
      if (this.failure) return
      const sender = new RequestSender(this.context, {}, true)
      const input = {
        TableName: design.name,
        Segment: segment,
        TotalSegments: this.cursor.segments.length,
        ConsistentRead: consistent,
        ...(position !== 'begin' && { ExclusiveStartKey: position }),
      }
      const output = (await rethrowStoreError(sender.send({ operation: 'scan', input }))) as {
        Items?: Item[]
        LastEvaluatedKey?: Key
      }
      await this.deliverPage(segment, output.Items ?? [], output.LastEvaluatedKey ?? 'end', sender.consumed.total)
    }
  }

  /** One page after the other, whichever segment it is of. */
  private deliverPage(
    segment: number,
    items: readonly Item[],
    nextPosition: Key | 'end',
    units: number,
  ): Promise<void> {
    const delivery = this.delivered.then(async () => {
      this.options.signal?.throwIfAborted()
      if (this.failure) return
      const page = this.toPage(items)
      const { cursor: from } = this
      const updated: DumpCursor = {
        items: from.items + items.length,
        rows: from.rows + page.rows.length,
        unknown: from.unknown + page.unknown,
        failed: from.failed + page.failed.length,
        units: from.units + units,
        segments: from.segments.map((position, index) => (index === segment ? nextPosition : position)),
      }
      await this.onPage(page, updated)
      this.cursor = updated
    })
    this.delivered = delivery.catch(this.fail)
    return delivery
  }

  private toPage(items: readonly Item[]): DumpPage & { readonly unknown: number } {
    const { layout, environment } = this.context
    const { types, tenant } = this.options
    const rows: ItemRow[] = []
    const failed: UnreadableItem[] = []
    let unknown = 0
    for (const item of items) {
      try {
        const parsed = rowOfItem(layout, item)
        if (parsed === 'unknown') unknown++
        if (typeof parsed === 'string' || !isLive(layout, item, environment.now())) continue
        if (types && !types.includes(parsed.type.name)) continue
        if (tenant === undefined || parsed.tenant === tenant) rows.push(parsed)
      } catch (error) {
        if (!isGraphError(error)) throw error
        const { type, tenant: owner = tenant } = ownerOfItem(layout, item)
        const isSelected = (!types || !type || types.includes(type)) && (tenant === undefined || owner === tenant)
        if (isSelected) failed.push({ key: keyOfItem(layout.names, item), code: error.code, message: error.message })
      }
    }
    return { items, rows, failed, unknown }
  }
}
