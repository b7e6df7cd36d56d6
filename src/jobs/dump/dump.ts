import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { assertArgument, assertInteger, isNonEmptyText, parseWorkOptions } from '../../graph/arguments.js'
import type { Context } from '../../graph/context.js'
import { contextOf } from '../../graph/open.js'
import { RequestSender } from '../../graph/run/request-sender.js'
import { rethrowStoreError } from '../../graph/run/store-errors.js'
import { keyOfItem, typeByName } from '../../plan/identity.js'
import { isLive } from '../../plan/row.js'
import { GraphError } from '../../schema/error.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { type ItemRow, ownerOfItem, rowOfItem } from '../rows/item-row.js'
import { yieldToEventLoop } from '../yield-to-event-loop.js'

/** The numbers of dumped items. */
export interface DumpCounts {
  /** number of items that were read */
  readonly items: number
  /** number of nodes and edges */
  readonly rows: number
  /** number of items without a type of the graph */
  readonly unknown: number
  /** number of nodes and edges that do not match their declaration */
  readonly failed: number
  /** consumed capacity units */
  readonly units: number
}

/** The position of a dump, to resume it. Plain data that can be stored as JSON. */
export interface DumpCursor extends DumpCounts {
  /** The key after which each segment resumes, or `end` if the segment is done. */
  readonly segments: readonly (Key | 'begin' | 'end')[]
}

/** A node or an edge that does not match its declaration. */
export interface UnreadableItem {
  readonly key: Key
  readonly code: string
  readonly message: string
}

/** One page of a dump. */
export interface DumpPage {
  /** All items of the page as they are stored. */
  readonly items: readonly Item[]
  readonly rows: readonly ItemRow[]
  readonly failed: readonly UnreadableItem[]
}

/** Options of `dump()`. */
export interface DumpOptions {
  /** Cursor of the last page of an earlier dump, to resume it. */
  readonly from?: DumpCursor | undefined
  /** Number of segments that are read concurrently. Default: 4. */
  readonly segments?: number | undefined
  /** Whether to read with strong consistency, at twice the price. Default: false. */
  readonly consistent?: boolean | undefined
  /** Dumps only these types. */
  readonly types?: readonly string[] | undefined
  /** Dumps only this tenant. */
  readonly tenant?: string | undefined
  readonly signal?: AbortSignalLike | undefined
}

const SEGMENTS = 4

/**
 * Dumps a table page by page. Each page has the cursor after it; the next page is yielded when this one is processed.
 * The dump is not a snapshot: an item that is written meanwhile may or may not be included.
 *
 * @param graph The opened graph.
 * @param onPage Called with each page and the cursor after it, and awaited.
 * @returns The numbers of dumped items.
 * @throws {call.argument} An option is invalid.
 * @example
 * ```ts
 * import { graph, node, open, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { dump } from 'edgewise/jobs'
 *
 * const user = node('user', { name: string() }, { id: 'name' })
 * const counts = await dump(await open(graph('social', [user]), memory()), ({ rows }) => console.log(rows))
 * ```
 */
export async function dump(
  graph: object,
  onPage: (page: DumpPage, place: DumpCursor) => void | Promise<void>,
  options: DumpOptions = {},
): Promise<DumpCounts> {
  const context = contextOf(graph)
  parseWorkOptions('dump', options, 'from, segments, consistent, types, tenant, signal')
  assertArgument(
    typeof onPage === 'function',
    'dump(): the second argument is not a function; give a function that receives each page.',
  )
  return new Dump(context, onPage, options).run()
}

function isDumpCursor({ items, rows, unknown, failed, units, segments }: DumpCursor): boolean {
  const hasCounts = [items, rows, unknown, failed, units].every(Number.isFinite)
  return hasCounts && Array.isArray(segments) && segments.length > 0
}

class Dump {
  private cursor: DumpCursor
  private delivered: Promise<void> = Promise.resolve()
  /** The error that ended the dump. The other segments stop too. */
  private failure: { readonly error: unknown } | undefined

  constructor(
    private readonly context: Context,
    private readonly onPage: (page: DumpPage, place: DumpCursor) => void | Promise<void>,
    private readonly options: DumpOptions,
  ) {
    const { from, segments = SEGMENTS, types = [], tenant } = options
    const { layout } = context
    assertInteger(segments, 'segments')
    assertArgument(Array.isArray(types), 'types: the value is not an array; give an array of names.')
    // Throw on an unknown type: the dump would silently be empty.
    for (const type of types) typeByName(layout, type)
    assertArgument(
      tenant === undefined || (layout.design.tenant && isNonEmptyText(tenant)),
      'tenant: the graph has no tenants, or the value is not a string; leave it out.',
    )
    assertArgument(
      !from || isDumpCursor(from),
      'from: the value is not a cursor of a dump; leave it out to start again.',
    )
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

  /** Yields pages of all segments in the order of their arrival. */
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
        if (!GraphError.is(error)) throw error
        const { type, tenant: owner = tenant } = ownerOfItem(layout, item)
        const isSelected = (!types || !type || types.includes(type)) && (tenant === undefined || owner === tenant)
        if (isSelected) failed.push({ key: keyOfItem(layout.names, item), code: error.code, message: error.message })
      }
    }
    return { items, rows, failed, unknown }
  }
}
