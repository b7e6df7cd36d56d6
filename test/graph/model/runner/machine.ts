import { expect } from 'vitest'
import { layout as layoutOf } from '../../../../src/index.js'
import type { Layout } from '../../../../src/layout/layout.js'
import type { DeclaredType } from '../../../../src/layout/slots.js'
import type { Store } from '../../../../src/store/port.js'
import { inOneOrder, isEqual, keyOf, placeOf, type Row } from '../reference/identity.js'
import { Model, type Write } from '../reference/model.js'
import { found, type PathRead } from '../reference/reads.js'
import type { Schema } from '../schemas/random-schemas.js'
import type { Command } from './commands.js'
import { callOf, type Handles, queryOf, tenantOf } from './handles.js'
import { type Outcome, outcomeOf, shown } from './outcome.js'
import { Choice } from './random-choice.js'
import { anyRow } from './random-values.js'
import { difference, expectedState, tableState } from './table-state.js'

type Of<Does extends Command['does']> = Extract<Command, { does: Does }>

/** Runs commands on a graph in a store and on the model, and compares the results and the table. */
export class Machine {
  readonly layout: Layout
  model: Model
  /** The commands and results, for the failure message. */
  readonly trace: string[] = []
  readonly tenant: string | undefined
  private foreign: readonly string[] = []
  /** Runs the stream consumer until all writes are processed, when the graph has stream data. */
  settle: () => Promise<void> = async () => {}

  constructor(
    schema: Schema,
    readonly store: Store,
    public handles: Handles,
  ) {
    this.layout = (schema.layout ?? layoutOf(schema.graph)) as Layout
    this.model = Model.of(schema.graph.declared)
    this.tenant = tenantOf(schema)
  }

  async perform(command: Command): Promise<void> {
    this.trace.push(shown(command))
    switch (command.does) {
      case 'write':
        return this.write(command)
      case 'transact':
        return this.transact(command.writes)
      case 'batch':
        return this.batch(command.writes)
      case 'race':
        return this.race(command.writes)
      case 'get':
        return this.get(command)
      case 'many': {
        const expected = command.keys.map(key => this.model.get(command.type, key))
        return expect(await this.handles[command.type]!.many(command.keys)).toEqual(expected)
      }
      case 'together':
        return this.together(command)
      case 'unique': {
        const expected = this.rows(command.type).find(row => row[command.name] === command.value)
        return expect(await (this.handles[command.type]!.by[command.name]!(command.value) as unknown)).toEqual(expected)
      }
      case 'path':
        return this.path(command)
      case 'scan': {
        const rows = (await this.handles[command.type]!.scan().all()) as Row[]
        return expect(this.sorted(command.type, rows)).toEqual(this.sorted(command.type, this.rows(command.type)))
      }
      case 'collect':
        return this.collect(command)
    }
  }

  /** All rows of a type as a read returns them. */
  rows(type: string): Row[] {
    const declared = this.model.type(type)
    return this.model.stored(type).map(row => this.model.seen(declared, row))
  }

  /** Sorts scan results, which have no order. An undirected edge has its ends in stored order there. */
  private sorted(type: string, rows: readonly Row[]): Row[] {
    const declared = this.model.type(type)
    const placed = rows.map(row => ({ place: placeOf(declared, row), row: inOneOrder(declared, row) }))
    return placed.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({ row }) => row)
  }

  /** Expects the table to equal the layout of the model, without stale or superfluous items. */
  async expectTable(model = this.model): Promise<void> {
    await this.settle()
    const state = await tableState(this.store, this.layout)
    expect(difference(state, this.expected(model))).toBe('')
  }

  expected(model: Model): string[] {
    return [...expectedState(this.layout, model, this.tenant), ...this.foreign].sort()
  }

  /** Adds rows of another tenant with the same ids, which must remain unchanged. */
  async shareWith(other: Handles): Promise<void> {
    const { nodes, edges } = this.model.graph
    for (const [seed, type] of [...nodes, ...nodes, ...edges, ...edges].entries())
      await outcomeOf(() => other[type.name]!.put(anyRow(type, new Choice(seed))))
    await this.settle()
    this.foreign = await tableState(this.store, this.layout)
  }

  private async write({ write, returning }: Of<'write'>): Promise<void> {
    const type = this.model.type(write.type)
    const reasons = this.model.refusals(write)
    const old = this.model.replaced(write)
    const call = () => callOf(this.handles, this.model, write)
    const outcome: Outcome<unknown> = await outcomeOf<unknown>(() => (returning ? call().returning(returning) : call()))
    expectOutcome(outcome, reasons, write)
    if (outcome.code === undefined) this.model = this.model.after(write)
    await this.expectTable()
    if (!returning || outcome.code !== undefined) return
    const now = write.verb === 'delete' ? undefined : this.model.get(write.type, keyOf(type, write.row))
    // The stream counts the edges of a new node only after the response.
    const uncounted = now && !old ? this.model.uncounted(type) : {}
    const expected = returning === 'old' ? old : now && { ...now, ...uncounted }
    expect(this.withoutCopies(type, outcome.value)).toEqual(this.withoutCopies(type, expected))
  }

  /** A row without embedded copies of mutable attributes, which may be stale. */
  withoutCopies(type: DeclaredType, row: unknown): unknown {
    const synced = this.model.graph.edges.flatMap(({ carry }) =>
      carry.filter(({ sync }) => sync).map(({ copyName }) => copyName),
    )
    const kept = Object.keys(type.attributes).filter(name => type.attributes[name]!.kind === 'embedded')
    if (!row || synced.length === 0 || kept.length === 0) return row
    const stays = ([name]: [string, unknown]) => !synced.includes(name)
    const plain = (entry: object) => Object.fromEntries(Object.entries(entry).filter(stays))
    const entries = kept.map(name => {
      const map = (row as Row)[name] as Record<string, object>
      return [name, Object.fromEntries(Object.entries(map).map(([id, entry]) => [id, plain(entry)]))] as const
    })
    return { ...row, ...Object.fromEntries(entries) }
  }

  /**
   * Expects a transaction to be atomic: its writes have the effect of some sequential order. It may be refused when
   * two writes change the same item.
   */
  private async transact(writes: readonly Write[]): Promise<void> {
    const isMeeting = this.apart(writes).length < writes.length
    const ends = (isMeeting ? ordersOf(writes) : [writes]).map(order => this.inTurn(order))
    const calls = () => writes.map(write => callOf(this.handles, this.model, write))
    const outcome = await outcomeOf(() => this.handles.$transact(calls()))
    if (outcome.code !== undefined) {
      const early = writes.flatMap(write => this.model.refusals(write))
      const isDoable = this.inTurn(this.inPlanOrder(writes)).reasons.length === 0
      const told = isDoable ? [] : [...ends.flatMap(each => each.reasons), ...early]
      const reasons = [...told, ...(isMeeting ? ['write.transaction'] : [])]
      expect(reasons, `${outcome.error.message} ${shown(writes)}`).toContain(outcome.code)
      return this.expectTable()
    }
    // Two nodes may also swap their unique values in one transaction.
    const isPossible = ({ model, reasons }: (typeof ends)[number]) =>
      reasons.every(code => code === 'unique.taken') && model.isUnique
    const possible = ends.filter(isPossible).map(({ model }) => model)
    expect(possible.length, `done, but: ${shown(ends[0]!.reasons)} ${shown(writes)}`).toBeGreaterThan(0)
    await this.settle()
    const state = await tableState(this.store, this.layout)
    this.model = possible.find(model => difference(state, this.expected(model)) === '') ?? possible[0]!
    await this.expectTable()
  }

  /** Orders deletions of edges before their nodes, and puts of edges after their nodes. */
  private inPlanOrder(writes: readonly Write[]): Write[] {
    const rank = ({ type, verb }: Write) => (this.model.type(type).kind === 'node' ? 1 : verb === 'delete' ? 0 : 2)
    return [...writes].sort((one, other) => rank(one) - rank(other))
  }

  /** Applies writes sequentially and collects the reasons that prevent any of them. */
  private inTurn(writes: readonly Write[]): { model: Model; reasons: string[] } {
    let { model } = this
    const reasons: string[] = []
    for (const write of writes) {
      if (model.isJob(write)) reasons.push('node.cascade')
      reasons.push(...model.refusals(write))
      model = model.after(write)
    }
    return { model, reasons }
  }

  /** The writes that are independent of the ones before. */
  apart(writes: readonly Write[]): Write[] {
    const touched = new Set<string>()
    return writes.filter(write => {
      const own = new Set(this.model.touched(write))
      const isApart = [...own].every(each => !touched.has(each))
      for (const each of own) touched.add(each)
      return isApart
    })
  }

  /** Expects each write to be atomic, and the error to name the failed writes. */
  private async batch(writes: readonly Write[]): Promise<void> {
    const single = this.batchable(writes)
    const refused = single.map(write => this.model.refusals(write))
    const outcome = await outcomeOf(() =>
      this.handles.$batch(single.map(write => callOf(this.handles, this.model, write))),
    )
    const expected = refused.flatMap((reasons, call) => (reasons.length > 0 ? [call] : []))
    if (outcome.code === undefined) expect(expected, shown(single)).toEqual([])
    else {
      expect(outcome.code, outcome.error.message).toBe('batch.failed')
      const { failed } = outcome.error.details as unknown as { failed: { call: number; error: { code: string } }[] }
      expect(failed.map(({ call }) => call)).toEqual(expected)
      for (const { call, error } of failed) expect(refused[call], String(error)).toContain(error.code)
    }
    single.forEach((write, i) => {
      if (refused[i]!.length === 0) this.model = this.model.after(write)
    })
    await this.expectTable()
  }

  /** The writes that one batch accepts; invalid input would reject the batch as a whole. */
  batchable(writes: readonly Write[]): Write[] {
    const isWrong = (write: Write) =>
      this.model.isJob(write) ||
      this.model.refusals(write).some(code => code === 'write.empty' || code === 'node.strict')
    return this.apart(writes).filter(write => !isWrong(write))
  }

  /** Expects concurrent writes to have the effect of some sequential order. */
  private async race(writes: readonly Write[]): Promise<void> {
    const before = this.model
    const deleted = writes.filter(write => before.isJob(write))
    const outcomes = await Promise.all(writes.map(write => outcomeOf(() => callOf(this.handles, before, write))))
    await this.settle()
    const state = (await tableState(this.store, this.layout)).join('\n')
    const ends = ordersOf(writes.map((_, i) => i)).flatMap(order => {
      let model: Model | undefined = before
      for (const i of order) model = model && explained(model, writes[i]!, outcomes[i]!, deleted)
      return model ? [model] : []
    })
    const end = ends.find(model => this.expected(model).join('\n') === state)
    const told = outcomes.map(({ code = 'done' }) => code).join(', ')
    const closest = ends[0] ? difference(state.split('\n'), this.expected(ends[0])) : 'no order explains the outcomes'
    expect(end, `${told}: ${shown(writes)}\n${closest}`).toBeDefined()
    this.model = end!
  }

  private async get({ named: { type, key }, consistent }: Of<'get'>): Promise<void> {
    const expected = this.model.get(type, key)
    expect(await this.handles[type]!.get(key, { consistent })).toEqual(expected)
    expect(await this.handles[type]!.exists(key)).toBe(expected !== undefined)
  }

  private async together({ how, named }: Of<'together'>): Promise<void> {
    const calls = named.map(({ type, key }) => this.handles[type]!.get(key))
    expect(await this.handles[how](calls)).toEqual(named.map(({ type, key }) => this.model.get(type, key)))
  }

  private async path({ read, manner, pageRows }: Of<'path'>): Promise<void> {
    const expected = found(this.model, read)
    const query = queryOf(this.handles, read, this.canBeConsistent(read))
    if (manner === 'all') expect(await query.all()).toEqual(expected)
    else if (manner === 'first') expect(await query.first()).toEqual(expected[0])
    else if (manner === 'count') expect(await query.count()).toBe(expected.length)
    else if (manner === 'iterate') {
      const rows: unknown[] = []
      for await (const row of query) rows.push(row)
      expect(rows).toEqual(expected)
    } else await this.pages(read, pageRows)
  }

  /** Expects pages to concatenate to the whole list, each within the requested size. */
  private async pages(read: PathRead, limit: number): Promise<void> {
    const { limit: _, ...whole } = read
    const expected = found(this.model, whole)
    const rows: unknown[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const page = await queryOf(this.handles, whole, this.canBeConsistent(read)).page({ limit, cursor })
      expect(page.items.length).toBeLessThanOrEqual(limit)
      rows.push(...page.items)
      cursor = page.cursor
    } while (cursor !== undefined && pages++ <= 2 * expected.length + 10)
    expect(rows).toEqual(expected)
  }

  /** An undirected edge is read from both its ends. */
  private canBeConsistent({ path: { type, name } }: PathRead): boolean {
    const isBoth = type.kind === 'edge' && type.undirected
    const accesses = this.layout.accesses.filter(each => each.type.name === type.name && (isBoth || each.name === name))
    return accesses.every(({ consistent }) => consistent)
  }

  private async collect({ type, id, parts }: Of<'collect'>): Promise<void> {
    const asked = parts.map((part, i) => [`part${i}`, () => queryOf(this.handles, part)] as const)
    const rows = parts.map((part, i) => [`part${i}`, found(this.model, part, true)] as const)
    const collected = await this.handles[type]!.collect(id, Object.fromEntries(asked))
    expect(collected).toEqual({ node: this.model.get(type, id), ...Object.fromEntries(rows) })
  }
}

export function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]]
  return all.flatMap((first, i) => ordersOf([...all.slice(0, i), ...all.slice(i + 1)]).map(rest => [first, ...rest]))
}

function expectOutcome(outcome: Outcome<unknown>, reasons: readonly string[], write: Write): void {
  if (outcome.code === undefined) expect(reasons, `done, but: ${shown(write)}`).toEqual([])
  else expect(reasons, `${outcome.error.message}: ${shown(write)}`).toContain(outcome.code)
}

/** Whether a written edge leads to a node that is deleted. */
function isAt(model: Model, { type: name, row }: Write, deleted: Write): boolean {
  const type = model.type(name)
  const node = model.type(deleted.type)
  const id = keyOf(node, deleted.row)
  return type.kind === 'edge' && type.ends.some(end => end.node === node && isEqual(row[end.name], id))
}

/** The rows after a write with this outcome; undefined when the rows do not explain the outcome. */
function explained(
  model: Model,
  write: Write,
  { code }: Outcome<unknown>,
  deleted: readonly Write[],
): Model | undefined {
  const reasons = model.refusals(write)
  if (code === undefined) return reasons.length === 0 ? model.after(write) : undefined
  // A node whose deletion is cancelled was marked briefly, and accepted no edges meanwhile.
  const isGoing =
    code === 'node.deleting' ||
    (/^edge.(end|carry).absent$/.test(code) && deleted.some(each => isAt(model, write, each)))
  return reasons.includes(code) || isGoing ? model : undefined
}
