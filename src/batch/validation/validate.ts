import { createDerivationContext } from '../../derive/settle/context.js'
import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { parseWorkOptions } from '../../graph/arguments.js'
import { contextOf } from '../../graph/open.js'
import { rethrowJobError, runCallback } from '../../jobs/callbacks.js'
import { isSameAggregate } from '../../jobs/compare-aggregates.js'
import { ownerOfItem } from '../../jobs/rows/item-row.js'
import { type FaultCode, faultRowOf, keyRowOf, type VerifyFault } from '../../jobs/verify/fault.js'
import { findFaults } from '../../jobs/verify/inspect.js'
import { inspectItems } from '../../jobs/verify/verify.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem, uniqueKeyTextOf } from '../../plan/identity.js'
import { valuesOf } from '../../plan/row.js'
import { endNodeOf } from '../../plan/write/effects/item-write.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { BatchData } from '../open-batch.js'
import type { SparkResults } from '../spark/results.js'
import { SparkItems } from '../spark/spark-items.js'
import { type CounterQuery, counterQueries } from './counter-queries.js'
import { type EntryQuery, entryQueries } from './entry-queries.js'
import { exactSums } from './exact-sums.js'
import type { ValidationFinding } from './findings.js'
import { type HiddenSuspect, type SuspectedFault, unchangedSuspects } from './hidden-suspects.js'
import { BatchItems, nodeText, type ValidatedItems } from './validated-items.js'

/** How a validation runs. */
export interface ValidateOptions {
  /** The opened graph of the live table. An inconsistency in the data is confirmed there before it becomes a finding. */
  readonly live?: object | undefined
  readonly signal?: AbortSignalLike | undefined
  /** Called with each finding, and awaited. */
  readonly onFinding?: ((finding: ValidationFinding) => void | Promise<void>) | undefined
  /** Called after each block of items, and awaited. */
  readonly progress?: ((progress: ValidateProgress) => void | Promise<void>) | undefined
}

const KNOWN = 'live, signal, onFinding, progress'

/** How far a validation is. */
export interface ValidateProgress {
  readonly read: number
  /** Inconsistencies in the data. An inconsistency that no longer exists in the live table is not a finding. */
  readonly suspected: number
}

/** The result of a validation. */
export interface ValidateResult {
  readonly read: number
  readonly findings: number
  /** The number of findings by code. */
  readonly codes: Readonly<Partial<Record<FaultCode, number>>>
}

/**
 * Compares all derived data with its sources: keys with templates and values, index keys, mirrors,
 * facets, sentinels, copies, counters, sums, embedded maps, and edges with their nodes.
 *
 * @param data The items of an export, or the results of a validation on Spark; a live table changes while it is read, so
 *   pass it as `live` too.
 *
 * @throws {batch.sql} if the data needs more memory than the batch may use.
 * @example
 * ```ts
 * import { edge, graph, node, open, string } from 'edgewise'
 * import { openBatch, validate } from 'edgewise/batch'
 * import { memory } from 'edgewise/engine'
 *
 * const user = node('user', { id: string() }, { id: 'id' })
 * const social = graph('social', [user, edge('follow', { follower: user, followed: user })])
 * const store = memory()
 * const g = await open(social, store)
 * await g.user.put({ id: 'ann' })
 * await using data = await openBatch(social, { from: { store } })
 * const { codes } = await validate(data, { live: g, onFinding: finding => console.log(finding.code) })
 * ```
 */
export async function validate(data: BatchData | SparkResults, options: ValidateOptions = {}): Promise<ValidateResult> {
  parseWorkOptions('validate', options, KNOWN, 'onFinding, progress')
  const items = data instanceof BatchData ? new BatchItems(data) : new SparkItems(data)
  return rethrowJobError(new Validation(items, options).run(), options.signal)
}

class Validation {
  private read = 0
  private suspected = 0
  private findings = 0
  private readonly codes: Partial<Record<FaultCode, number>> = {}
  private readonly suspects = new Map<string, Key>()
  private readonly hidden: HiddenSuspects[] = []
  /** Keys of nodes that are unreadable or have unreadable edges: their counters cannot be checked. */
  private readonly unverifiable = new Set<string>()

  constructor(
    private readonly data: ValidatedItems,
    private readonly options: ValidateOptions,
  ) {}

  async run(): Promise<ValidateResult> {
    const counters = counterQueries(this.data.program)
    const entries = entryQueries(this.data.program)
    await this.findDuplicates()
    await this.compareItems()
    for (const [number, query] of counters.entries()) await this.compareCounters(query, number)
    for (const [number, query] of entries.entries()) await this.compareEntries(query, number, counters.length + number)
    if (this.options.live) await this.confirmLive(this.options.live)
    return { read: this.read, findings: this.findings, codes: this.codes }
  }

  /** An export that was written or copied wrongly may have an item twice. No table can, so nothing has to be confirmed. */
  private async findDuplicates(): Promise<void> {
    const { layout } = this.data
    const rows = await this.data.duplicates()
    for (const item of new Map(rows.map(row => [nodeText(row), row.item])).values()) {
      const kind = layout.kinds.find(({ typeMark }) => typeMark === item[layout.names.type]?.S)
      const about = kind ? this.about(kind, item) : { type: '', row: keyRowOf(layout, item) }
      this.suspected++
      await this.report(this.findingOf(item, { code: 'item.duplicate', ...about }))
    }
  }

  /** Compares each item with its derived items and with its sources. */
  private async compareItems(): Promise<void> {
    const { data, options } = this
    const momentMs = data.moment.getTime()
    const environment = { now: () => momentMs, random: (bytes: number) => new Uint8Array(bytes) }
    const derivation = createDerivationContext(data.layout, await data.openStore(), environment)
    for await (const { items, read } of data.blocks()) {
      options.signal?.throwIfAborted()
      const faults = await Promise.all(items.map(item => findFaults(derivation, item, 'items')))
      for (const [index, item] of items.entries()) await this.takeFaults(item, faults[index]!)
      this.read += read
      await runCallback(() => options.progress?.({ read: this.read, suspected: this.suspected }))
    }
  }

  private async takeFaults(item: Item, faults: readonly VerifyFault[]): Promise<void> {
    const { layout } = this.data
    if (faults.some(({ code }) => UNREAD.has(code))) for (const key of nodesOf(layout, item)) this.unverifiable.add(key)
    for (const fault of faults) await this.suspect(item, fault)
  }

  private async compareCounters(query: CounterQuery, number: number): Promise<void> {
    const { node, code, name } = query
    const rows = await this.data.counterRows(query, number)
    const inexact = rows.filter(({ exact }) => exact === false)
    const sums = exactSums(inexact, inexact.length > 0 ? await this.data.amounts(query, number, inexact) : [])
    const hidden = this.hiddenSuspects(query, number)
    for (const row of rows) {
      const { item, expected, found } = row
      const text = nodeText(row)
      const total = sums.has(text) ? sums.get(text) : { N: plainNumber(String(expected)) }
      const stored = found === null ? undefined : { N: String(found) }
      if (this.isUnverifiable(item)) continue
      if (isSameAggregate(total, stored ?? (code === 'edges.uncounted' ? undefined : { N: '0' }))) continue
      const fault = { code, ...this.about(node, item), name, expected: total, found: stored }
      hidden?.suspects.push({ row, fault })
      await this.suspect(item, fault)
    }
  }

  private async compareEntries(query: EntryQuery, number: number, hiddenNumber: number): Promise<void> {
    const hidden = this.hiddenSuspects(query, hiddenNumber)
    for (const row of await this.data.entryRows(query.sql, number)) {
      const { item } = row
      if (this.isUnverifiable(item)) continue
      const fault: SuspectedFault = { code: 'entry.drift', ...this.about(query.node, item), name: query.name }
      hidden?.suspects.push({ row, fault })
      await this.suspect(item, fault)
    }
  }

  /** Where suspected nodes that cannot find their edges wait for confirmation; undefined if they find them. */
  private hiddenSuspects(query: CounterQuery | EntryQuery, number: number): HiddenSuspects | undefined {
    if (!query.hiddenEdges || !this.options.live) return undefined
    const hidden: HiddenSuspects = { query, number, suspects: [] }
    this.hidden.push(hidden)
    return hidden
  }

  private isUnverifiable(node: Item): boolean {
    return this.unverifiable.has(uniqueKeyTextOf(this.data.layout, node))
  }

  private about(kind: Kind, item: Item) {
    return { type: kind.type.name, row: faultRowOf(this.data.layout, kind, item) }
  }

  private async suspect(item: Item, fault: SuspectedFault): Promise<void> {
    const { layout } = this.data
    const key = keyOfItem(layout.names, item)
    this.suspected++
    if (this.options.live) {
      this.suspects.set(uniqueKeyTextOf(layout, key), key)
      return
    }
    await this.report(this.findingOf(item, fault))
  }

  private findingOf(item: Item, { code, type, row, name, expected, found }: SuspectedFault): ValidationFinding {
    const { layout } = this.data
    const { tenant } = ownerOfItem(layout, item)
    const key = keyOfItem(layout.names, item)
    return { code, type, row, name, expected, found, key, ...(tenant !== undefined && { tenant }) }
  }

  private async confirmLive(live: object): Promise<void> {
    const found: ValidationFinding[] = []
    await inspectItems(live, [...this.suspects.values()], false, {
      ...(this.options.signal && { signal: this.options.signal }),
      onFault: (fault, key) => found.push({ ...fault, key }),
    })
    for (const { query, number, suspects } of this.hidden) {
      if (suspects.length === 0) continue
      const rows = suspects.map(({ row }) => row)
      const edges = await this.data.hiddenEdges(query, number, rows)
      const unchanged = await unchangedSuspects(contextOf(live), suspects, edges, this.options.signal)
      found.push(...unchanged.map(({ row, fault }) => this.findingOf(row.item, fault)))
    }
    for (const finding of found) await this.report(finding)
  }

  private async report(finding: ValidationFinding): Promise<void> {
    this.findings++
    this.codes[finding.code] = (this.codes[finding.code] ?? 0) + 1
    await runCallback(() => this.options.onFinding?.(finding))
  }
}

/** Suspected nodes that cannot find their edges, and the query of these edges with its number. */
interface HiddenSuspects {
  readonly query: CounterQuery | EntryQuery
  readonly number: number
  readonly suspects: HiddenSuspect[]
}

const UNREAD: ReadonlySet<FaultCode> = new Set(['item.unknown', 'item.unreadable'])

/** The keys of an item that cannot be read and, if it is an edge, of the nodes that it seems to lead to. */
function nodesOf(layout: Layout, item: Item): string[] {
  const own = uniqueKeyTextOf(layout, item)
  const kind = layout.kinds.find(({ typeMark }) => typeMark === item[layout.names.type]?.S)
  if (kind?.type.kind !== 'edge') return [own]
  try {
    const values = valuesOf(layout, kind, item)
    return [own, ...kind.type.ends.map(end => uniqueKeyTextOf(layout, endNodeOf(layout, end, values).key))]
  } catch {
    // Its ends cannot be read from its key.
    return [own]
  }
}

/** A decimal of SQL without superfluous zeros. */
const plainNumber = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
