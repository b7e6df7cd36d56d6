import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { Context } from '../../graph/context.js'
import { given, isText, workOptions } from '../../graph/given.js'
import { contextOf } from '../../graph/open.js'
import { Sending } from '../../graph/sending.js'
import { told } from '../../graph/told.js'
import { keyOf, typeOf } from '../../plan/identity.js'
import { isLive } from '../../plan/row.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { othersTurn } from '../others-turn.js'
import { isGraphError } from '../rows/graph-error.js'
import { type ItemRow, ownerOfItem, rowOfItem } from '../rows/item-row.js'

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
export interface DumpPlace extends DumpCounts {
  /** For each segment of the table the key after which it goes on; 'end' where it is done. */
  readonly segments: readonly (Key | 'begin' | 'end')[]
}

/** A node or an edge that cannot be read as it is declared. */
export interface UnreadItem {
  readonly key: Key
  readonly code: string
  readonly message: string
}

/** What was read at once. */
export interface DumpedPage {
  /** All items, as they are stored. */
  readonly items: readonly Item[]
  readonly rows: readonly ItemRow[]
  readonly failed: readonly UnreadItem[]
}

/** How a table is written out. */
export interface DumpOptions {
  /** Where an earlier call stopped, as it told with its last page. */
  readonly from?: DumpPlace | undefined
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
  opened: object,
  take: (page: DumpedPage, place: DumpPlace) => void | Promise<void>,
  options: DumpOptions = {},
): Promise<DumpCounts> {
  const context = contextOf(opened)
  workOptions('dump', options, 'from, segments, consistent, types, tenant, signal')
  given(typeof take === 'function', 'dump() takes a function, which gets each page')
  return new Dump(context, take, options).run()
}

function isPlace({ items, rows, unknown, failed, units, segments }: DumpPlace): boolean {
  const isKnown = [items, rows, unknown, failed, units].every(Number.isFinite)
  return isKnown && Array.isArray(segments) && segments.length > 0
}

class Dump {
  private place: DumpPlace
  private taken: Promise<void> = Promise.resolve()
  /** What ended it: then no other segment goes on either. */
  private failure: { readonly error: unknown } | undefined

  constructor(
    private readonly context: Context,
    private readonly take: (page: DumpedPage, place: DumpPlace) => void | Promise<void>,
    private readonly options: DumpOptions,
  ) {
    const { from, segments = SEGMENTS, types = [], tenant } = options
    const { layout } = context
    given(Number.isInteger(segments) && segments > 0, 'segments are a whole number from 1')
    given(Array.isArray(types), 'types is a list of names')
    // Of what there is not, nothing would be found, without a word.
    for (const type of types) typeOf(layout, type)
    given(
      tenant === undefined || (layout.design.tenant && isText(tenant)),
      'a tenant is a text, in a graph that is divided by tenants: leave it out',
    )
    given(!from || isPlace(from), 'from is a place that a dump told with a page')
    const counts = { items: 0, rows: 0, unknown: 0, failed: 0, units: 0 }
    this.place = from ?? { ...counts, segments: Array.from({ length: segments }, () => 'begin' as const) }
  }

  private readonly fail = (error: unknown): void => {
    this.failure ??= { error }
  }

  async run(): Promise<DumpCounts> {
    await Promise.all(this.place.segments.map((_, segment) => this.read(segment).catch(this.fail)))
    if (this.failure) throw this.failure.error
    const { segments: _, ...counts } = this.place
    return counts
  }

  private async read(segment: number): Promise<void> {
    const { design } = this.context.layout
    const { consistent = false, signal } = this.options
    for (let at = this.place.segments[segment]!; at !== 'end'; at = this.place.segments[segment]!) {
      await othersTurn(signal)
      if (this.failure) return
      const sending = new Sending(this.context, {}, true)
      const input = {
        TableName: design.name,
        Segment: segment,
        TotalSegments: this.place.segments.length,
        ConsistentRead: consistent,
        ...(at !== 'begin' && { ExclusiveStartKey: at }),
      }
      const answer = (await told(sending.send({ operation: 'scan', input }))) as {
        Items?: Item[]
        LastEvaluatedKey?: Key
      }
      await this.pass(segment, answer.Items ?? [], answer.LastEvaluatedKey ?? 'end', sending.tally.total)
    }
  }

  /** One page after the other, whichever segment it is of. */
  private pass(segment: number, items: readonly Item[], next: Key | 'end', units: number): Promise<void> {
    const turn = this.taken.then(async () => {
      this.options.signal?.throwIfAborted()
      if (this.failure) return
      const page = this.pageOf(items)
      const { place } = this
      const to: DumpPlace = {
        items: place.items + items.length,
        rows: place.rows + page.rows.length,
        unknown: place.unknown + page.unknown,
        failed: place.failed + page.failed.length,
        units: place.units + units,
        segments: place.segments.map((at, i) => (i === segment ? next : at)),
      }
      await this.take(page, to)
      this.place = to
    })
    this.taken = turn.catch(this.fail)
    return turn
  }

  private pageOf(items: readonly Item[]): DumpedPage & { readonly unknown: number } {
    const { layout, surroundings } = this.context
    const { types, tenant } = this.options
    const rows: ItemRow[] = []
    const failed: UnreadItem[] = []
    let unknown = 0
    for (const item of items) {
      try {
        const found = rowOfItem(layout, item)
        if (found === 'unknown') unknown++
        if (typeof found === 'string' || !isLive(layout, item, surroundings.now())) continue
        if (types && !types.includes(found.type.name)) continue
        if (tenant === undefined || found.tenant === tenant) rows.push(found)
      } catch (error) {
        if (!isGraphError(error)) throw error
        const { type, tenant: whose = tenant } = ownerOfItem(layout, item)
        const isAsked = (!types || !type || types.includes(type)) && (tenant === undefined || whose === tenant)
        if (isAsked) failed.push({ key: keyOf(layout.names, item), code: error.code, message: error.message })
      }
    }
    return { items, rows, failed, unknown }
  }
}
