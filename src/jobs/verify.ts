import { type Deriving, itemAt, itemsAt } from '../derive/deriving.js'
import { kindOf } from '../derive/sides.js'
import { isTooLarge } from '../derive/too-large.js'
import { Turns } from '../derive/turns.js'
import type { Item, Key } from '../dynamodb/attribute-value.js'
import { workOptions } from '../graph/given.js'
import { inTurn } from '../graph/in-turn.js'
import { contextOf } from '../graph/open.js'
import { keyOf, typeOf } from '../plan/identity.js'
import { GraphError } from '../schema/error.js'
import type { AbortSignalLike } from '../store/abort-signal.js'
import { calledBack, toldOfJob } from './callbacks.js'
import { type Fault, type FaultCode, faultText } from './fault.js'
import { inspect, lookedAt, type Pass } from './inspect.js'
import { itemsOfNode, nodeItem } from './inspect-node.js'
import { othersTurn } from './others-turn.js'
import { ownerOfItem } from './rows/item-row.js'

/** What is looked at. */
export interface VerifyOptions {
  /** Only nodes or edges of this type. */
  readonly type?: string | undefined
  /** Only the node with this id, and its edges. */
  readonly id?: unknown
  /** Of a graph with tenants: whose node it is. */
  readonly tenant?: string | undefined
  /** Where an earlier run had come to. */
  readonly cursor?: string | undefined
  readonly signal?: AbortSignalLike | undefined
  /** Told after each page; waited for. */
  readonly progress?: ((progress: VerifyProgress) => void | Promise<void>) | undefined
  /** Told of each fault as it is found; waited for. */
  readonly onFault?: ((fault: FoundFault) => void) | undefined
}

const KNOWN = 'type, id, tenant, cursor, signal, progress, onFault'

/** How far it is. */
export interface VerifyProgress {
  /** Items that were looked at. */
  readonly read: number
  readonly faults: number
  /** Of a repair: how many of them are mended. */
  readonly mended: number
  /** Given to the next run, it goes on from here; undefined where nothing is left. */
  readonly cursor: string | undefined
}

/** A fault as it is told. */
export type FoundFault = Omit<Fault, 'lags' | 'by' | 'mend'> & {
  /** Of a graph with tenants: whose it is, as far as its item tells. */
  readonly tenant?: string | undefined
  /** Of a repair: whether it is mended. */
  readonly mended?: boolean
}

/** What was found. */
export interface Verified {
  readonly read: number
  readonly mended: number
  /** How often each was found. */
  readonly faults: Readonly<Partial<Record<FaultCode, number>>>
}

const PAGE_ITEMS = 200
const CONCURRENCY = 8

/**
 * Looks for what is not as it should be: counters, copies, mirrors, facets, sentinels, keys of indexes, and edges that
 * lead nowhere. Reads strongly consistently, and writes nothing.
 */
export async function verify(opened: object, options: VerifyOptions = {}): Promise<Verified> {
  workOptions('verify', options, KNOWN, 'progress, onFault')
  return toldOfJob(new Inspection(opened, options, false).run(), options.signal)
}

/** Looks for the same, and mends it beside live writers, under the same conditions as they write. */
export async function repair(opened: object, options: VerifyOptions = {}): Promise<Verified> {
  workOptions('repair', options, KNOWN, 'progress, onFault')
  return toldOfJob(new Inspection(opened, options, true).run(), options.signal)
}

/** The same for a job that is done only when all is mended: rejects where others kept something from it. Answers how much was. */
export async function repairAll(opened: object, options: VerifyOptions): Promise<number> {
  const inspection = new Inspection(opened, options, true)
  const { mended } = await inspection.run()
  if (inspection.isContended)
    throw new GraphError('write.contended', 'others changed it each time it was to be mended: try again later')
  return mended
}

class Inspection {
  /** Whether something is left that could have been mended, had others not changed it each time. */
  isContended = false
  private readonly deriving: Deriving
  private readonly faults: Partial<Record<FaultCode, number>> = {}
  private readonly seen = new Set<string>()
  private read = 0
  private found = 0
  private mended = 0

  constructor(
    opened: object,
    private readonly options: VerifyOptions,
    private readonly mends: boolean,
  ) {
    this.deriving = { context: contextOf(opened), turns: new Turns() }
  }

  async run(): Promise<Verified> {
    const { type, id, cursor } = this.options
    if (type !== undefined) typeOf(this.deriving.context.layout, type)
    this.checkTenant()
    if (id === undefined) {
      const passes: readonly Pass[] = this.mends ? ['items', 'kept'] : ['all']
      const from = placeOf(cursor, this.deriving.context.layout.names.keys)
      if (from && !passes.includes(from.pass))
        throw new GraphError('cursor.invalid', 'the cursor is of a verification, or of a repair, and this is the other')
      for (const pass of passes.slice(passes.indexOf(from?.pass ?? passes[0]!)))
        await this.scan(pass, pass === from?.pass ? from.key : undefined)
      await this.told(undefined)
    } else if (type === undefined) throw new GraphError('call.given', 'an id without a type: say whose it is')
    else if (cursor !== undefined)
      throw new GraphError('call.given', 'a cursor is of a run through the table: leave it out where an id is given')
    else {
      const node = await nodeItem(this.deriving, type, id, this.options.tenant)
      for await (const items of itemsOfNode(this.deriving, type, id, this.options.tenant)) await this.look(items, 'all')
      await this.look(node ? [node] : [], 'all')
      await this.told(undefined)
    }
    return { read: this.read, mended: this.mended, faults: this.faults }
  }

  /** It tells whose node an id is of: alone it would seem that only what is this tenant's is looked at. */
  private checkTenant(): void {
    const { tenant, id } = this.options
    const wanted = id !== undefined && this.deriving.context.layout.design.tenant
    if (wanted ? !tenant : tenant !== undefined)
      throw new GraphError(
        'call.given',
        wanted
          ? 'the graph is divided by tenants: give the tenant whose node it is'
          : 'a tenant tells whose node the id is of, in a graph that is divided by tenants: leave it out',
      )
  }

  private async scan(pass: Pass, from: Key | undefined): Promise<void> {
    const { store, layout } = this.deriving.context
    let start = from
    do {
      await othersTurn(this.options.signal)
      const page = await store.scan({
        TableName: layout.design.name,
        ConsistentRead: true,
        Limit: PAGE_ITEMS,
        ...(start && { ExclusiveStartKey: start }),
      })
      await this.look(
        (page.Items ?? []).filter(item => this.isAsked(item)),
        pass,
      )
      start = page.LastEvaluatedKey as Key | undefined
      if (start) await this.told({ pass, key: start })
    } while (start)
  }

  private isAsked(item: Item): boolean {
    const { type } = this.options
    const { layout } = this.deriving.context
    return type === undefined || kindOf(layout, item)?.type.name === type
  }

  private async told(place: Place | undefined): Promise<void> {
    const cursor = place && btoa(encodeURIComponent(JSON.stringify(place)))
    const at = { read: this.read, faults: this.found, mended: this.mended, cursor }
    await calledBack(() => this.options.progress?.(at))
  }

  private async look(items: readonly Item[], pass: Pass): Promise<void> {
    const { names } = this.deriving.context.layout
    if (pass !== 'kept') this.read += items.length
    let rest = items
    for (let times = TIMES; rest.length > 0; times--) {
      const { mended } = this
      const looked = pass === 'kept' ? [] : await lookedAt(this.deriving, rest, CONCURRENCY)
      await inTurn(rest, CONCURRENCY, async (item, at) => {
        this.options.signal?.throwIfAborted()
        for (const fault of await inspect(this.deriving, item, pass, looked[at])) await this.take(fault, item, pass)
      })
      if (pass === 'kept' || this.mended === mended || times === 1) return
      // What mended one may have left another wrong that was looked at before, or let more be told of the same.
      const keys = rest.map(item => keyOf(names, item))
      rest = [...(await itemsAt(this.deriving, keys)).values()]
    }
  }

  private async take({ mend, lags: _, by: _by, ...untold }: Fault, item: Item, pass: Pass): Promise<void> {
    const { layout } = this.deriving.context
    // A row does not tell of whom of several tenants it is.
    const { tenant } = ownerOfItem(layout, item)
    const fault: FoundFault = { ...untold, ...(tenant !== undefined && { tenant }) }
    // An edge is met from each end that finds it.
    const text = JSON.stringify([keyOf(layout.names, item), faultText(layout, fault)])
    if (this.seen.has(text)) return
    this.seen.add(text)
    this.found++
    this.faults[fault.code] = (this.faults[fault.code] ?? 0) + 1
    if (!this.mends) {
      return calledBack(() => this.options.onFault?.(fault))
    }
    const mended = mend !== undefined && (await this.mend(mend, fault, item, pass))
    if (mended) this.mended++
    await calledBack(() => this.options.onFault?.({ ...fault, mended }))
  }

  /**
   * Whether it is right afterwards. Another writer may have come in between, or what mended another fault of the same item
   * or of the one that it is of: it is mended as both are then.
   */
  private async mend(
    mend: () => Promise<unknown>,
    fault: Omit<Fault, 'mend'>,
    item: Item,
    pass: Pass,
  ): Promise<boolean> {
    const { layout } = this.deriving.context
    let isContended = false
    let next: Fault['mend'] = mend
    for (let times = TIMES; next; times--) {
      isContended = await isRefused(next())
      const now = await itemAt(this.deriving, keyOf(layout.names, item))
      const left = now ? await inspect(this.deriving, now, pass) : []
      const same = left.find(each => faultText(layout, each) === faultText(layout, fault))
      if (!now || !same) return true
      next = times > 1 ? same.mend : undefined
    }
    this.isContended ||= isContended
    return false
  }
}

const TIMES = 3

/** Whether others kept it from being mended. One that has no room for what mends it, or would copy what cannot be read, stays as it is. */
async function isRefused(mending: Promise<unknown>): Promise<boolean> {
  try {
    await mending
    return false
  } catch (error) {
    const { name: kind, code: why } = error as Partial<Record<string, unknown>>
    if (kind === 'ConditionalCheckFailedException' || why === 'write.contended') return true
    if (!isTooLarge(error) && !/^stored\./.test(String(why))) throw error
    return false
  }
}

/** Where a run is: how far which pass has come. */
interface Place {
  readonly pass: Pass
  readonly key: Key
}

function placeOf(cursor: string | undefined, keys: readonly string[]): Place | undefined {
  if (cursor === undefined) return undefined
  const place = placeIn(cursor)
  if (place?.pass && keys.every(name => place.key?.[name])) return place
  throw new GraphError('cursor.invalid', 'this is no cursor of a verification: leave it out to begin anew')
}

function placeIn(cursor: string): Place | undefined {
  try {
    return JSON.parse(decodeURIComponent(atob(cursor))) as Place
  } catch {
    return undefined
  }
}
