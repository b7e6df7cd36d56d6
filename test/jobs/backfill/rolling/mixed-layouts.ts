import { consumer } from '../../../../src/derive/settle/consumer.js'
import { memory } from '../../../../src/engine/memory.js'
import { layout as layoutOf, open, type Store } from '../../../../src/index.js'
import { parseOwnItem } from '../../../../src/jobs/backfill/own-items.js'
import { deploy, deployment } from '../../../../src/jobs/deploy/deploy.js'
import { backfill, verify } from '../../../../src/jobs/index.js'
import { itemsOf, itemsOfReadRows, itemsOfStoredRow } from '../../../../src/layout/items/items.js'
import type { Layout } from '../../../../src/layout/layout.js'
import { ownKindByName, uniqueKeyTextOf } from '../../../../src/plan/identity.js'
import { rowOf } from '../../../../src/plan/row.js'
import type { DeclaredNode } from '../../../../src/schema/declarations.js'
import { wrap } from '../../../../src/store/wrap.js'
import { itemsIn } from '../../../derive/simulator/check-table.js'
import { Delivery } from '../../../derive/simulator/delivery.js'
import { Random } from '../../../derive/simulator/random.js'
import { Actor, MOST_TURNS, Schedule, until } from '../../../derive/simulator/schedule.js'
import { apart } from '../../../derive/simulator/split-requests.js'
import { Tap } from '../../../derive/simulator/stream.js'
import { isComputed } from '../../../graph/model/reference/computed-values.js'
import { partsOfKey, type Row, textOf } from '../../../graph/model/reference/identity.js'
import { Model, type Write } from '../../../graph/model/reference/model.js'
import { Commands } from '../../../graph/model/runner/commands.js'
import { callOf, type Handles, ModelClock, tenantOf } from '../../../graph/model/runner/handles.js'
import { outcomeOf, shown } from '../../../graph/model/runner/outcome.js'
import { allIds, anyRow, Crowded } from '../../../graph/model/runner/random-values.js'
import { difference, isOurs, texts } from '../../../graph/model/runner/table-state.js'
import type { Schema } from '../../../graph/model/schemas/random-schemas.js'

const DEATH_RATE = 0.01
const MOST_LIVES = 12
const WRITES_FIRST = 20

/** A graph with its layout and its applications. */
interface Version {
  readonly schema: Schema
  readonly layout: Layout
}

/** Applications with two layouts on one table. Their requests run in a seeded order. */
export class Rolling {
  /** A log of the operations, for the message of a failure. */
  readonly trace: string[] = []
  private readonly store = memory()
  private readonly random: Random
  private readonly schedule: Schedule
  /** A clock that resolves every sleep at once. */
  private isAlone = true
  private isTold = false
  private writers: Handles[] = []
  private stream: { readonly tap: Tap; readonly delivery: Delivery } | undefined

  private constructor(
    private readonly before: Version,
    private readonly after: Version,
    seed: number,
  ) {
    this.random = new Random(seed)
    this.schedule = new Schedule(this.random)
  }

  /** Creates a table with every node and some edges. Undefined if it cannot be migrated between the layouts. */
  static async of(before: Schema, after: Schema, seed: number): Promise<Rolling | undefined> {
    const [was, is] = [before, after].map(schema => ({ schema, layout: layoutOf(schema.graph) as Layout })) as [
      Version,
      Version,
    ]
    if (looksAlike(was, is)) return undefined
    const rolling = new Rolling(was, is, seed)
    return (await rolling.prepare()) ? rolling : undefined
  }

  private async prepare(): Promise<boolean> {
    const { schema, layout } = this.before
    await open(layout, this.store, { follow: false })
    this.writers = [await this.opened(this.before, 'old 0'), await this.opened(this.before, 'old 1')]
    const [first] = this.writers as [Handles]
    const model = Model.of(schema.graph.declared)
    const choice = new Crowded(this.random.below(2 ** 31))
    for (const type of schema.graph.declared.nodes)
      for (const id of allIds(type)) {
        const parts = partsOfKey(type, id)
        const row = { ...withoutUnique(type, anyRow(type, choice)), ...parts, born: textOf(parts).length }
        await callOf(first, model, { verb: 'put', type: type.name, row })
      }
    await this.write(first, this.before, 'first', WRITES_FIRST)
    const { difference } = await deployment(this.after.layout, this.store)
    // Local indexes of a table cannot change.
    if (difference.impossible.length > 0) return false
    const sleep = () => new Promise<void>(resolve => setTimeout(resolve, 0))
    await deploy(this.after.layout, this.store, { clock: { now: () => 0, sleep } })
    const { Table } = await this.store.describeTable({ TableName: this.after.layout.design.name })
    if (Table?.LatestStreamArn)
      this.stream = {
        tap: new Tap(this.store, Table.LatestStreamArn),
        delivery: new Delivery(this.random, this.random.chance(0.5)),
      }
    this.writers.push(await this.opened(this.after, 'new 0'), await this.opened(this.after, 'new 1'))
    this.isAlone = false
    return true
  }

  /** Applications with both layouts write and follow the stream. */
  writeOnBoth(count: number): Promise<void> {
    const work = this.writers.map((handles, at) =>
      this.write(handles, at < 2 ? this.before : this.after, `${at < 2 ? 'old' : 'new'} ${at % 2}`, count),
    )
    return this.until(this.followed(Promise.all(work), [this.before, this.after]))
  }

  /**
   * Applications with the new layout write during the backfill, which gets the old layout always or only if required.
   * Returns false if the backfill is rejected.
   */
  async bringUpBeside(count: number, isTold = false): Promise<boolean> {
    let isDone = false
    this.isTold = isTold
    const work = [2, 3].map(at => this.write(this.writers[at]!, this.after, `new ${at % 2}`, count))
    const bringUp = async () => {
      isDone = await this.broughtUp()
    }
    await this.until(this.followed(Promise.all([bringUp(), ...work]), [this.after, this.after]))
    return isDone
  }

  /** Returns all faults except dangling edges. */
  async faults(): Promise<unknown[]> {
    if (this.stream) await this.until(this.follow('last', this.after, () => true))
    const opened = await open(this.after.layout, this.store, { follow: false })
    const faults: unknown[] = []
    await verify(opened, { onFault: fault => fault.code !== 'edge.dangling' && faults.push(fault) })
    // Without the old layout, its attributes remain on items, and no reader uses them.
    if (this.isTold) faults.push(...(await this.strays()))
    return faults
  }

  /** Returns superfluous and missing items of the table. */
  private async strays(): Promise<string[]> {
    const { layout, schema } = this.after
    const { design, names, kinds } = layout
    const rows: Record<string, object[]> = {}
    const found = (await itemsIn(this.store, design.name)).filter(item => !isOurs(layout, item))
    for (const item of found) {
      const kind = kinds.find(({ typeMark }) => typeMark === item[names.type]?.S)
      if (kind === undefined || kind !== ownKindByName(layout, kind.type.name)) continue
      rows[kind.name] = [...(rows[kind.name] ?? []), rowOf(layout, kind, item)]
    }
    // The mark that distinguishes a moved item from one that is still to be moved.
    const known = found.map(({ $moved, ...item }) => item)
    const items = itemsOfReadRows(layout, rows as never, tenantOf(schema)).map(({ item }) => item)
    const wrong = difference(texts(layout, known), texts(layout, items))
    return wrong ? [wrong] : []
  }

  /** Runs the work with concurrent consumers of the layouts. */
  private async followed(work: Promise<unknown>, versions: readonly Version[]): Promise<void> {
    let isOver = false
    const end = work.finally(() => {
      isOver = true
    })
    const following = this.stream ? versions.map((each, at) => this.follow(`follower ${at}`, each, () => isOver)) : []
    await Promise.all([end, ...following])
  }

  /** Delivers records late, repeatedly and in any order, until all are handled. */
  private async follow(name: string, { layout }: Version, isOver: () => boolean): Promise<void> {
    const { tap, delivery } = this.stream!
    for (;;) {
      const actor = new Actor(name)
      await this.schedule.turn(new Actor(name, false))
      delivery.add(await tap.poll(), this.schedule.turns)
      const isLast = isOver()
      const { records, done } = delivery.take(
        isLast ? MOST_TURNS : this.schedule.turns,
        this.random.chance(0.2) ? 1 : 0,
      )
      if (isLast && delivery.isEmpty) return
      const retry = { clock: new ModelClock(), random: () => this.random.next() }
      const random = (bytes: number) => this.random.bytes(bytes)
      const handled = consumer(layout, this.storeOf(actor), { retry, random }).handle(records)
      const end = await Promise.race([handled, actor.ended])
      for (const { error, record } of end?.failures ?? [])
        this.trace.push(`${name} ${JSON.stringify(record.dynamodb?.Keys)}: ${error}`)
      done(new Set(end ? end.failures.map(({ record }) => record) : records))
    }
  }

  /** Runs the work in a sequence of processes that crash at any request. */
  private async broughtUp(): Promise<boolean> {
    let from = this.isTold ? this.before.layout : undefined
    for (let lives = 1; ; lives++) {
      const actor = new Actor(`backfill ${lives}`, lives < MOST_LIVES)
      const retry = { clock: new ModelClock(), random: () => this.random.next() }
      const run = () => backfill(this.after.layout, this.storeOf(actor), { ...(from && { from }), retry })
      const end = await Promise.race([outcomeOf(run), actor.ended])
      if (!end || end.code === 'write.contended') continue
      if (end.code === undefined) return true
      if (/pass the old layout as 'from'/.test(end.error.message)) from = this.before.layout
      // Two nodes may have got one unique value under two layouts, and counted edges may have no path.
      else if (end.code === 'unique.taken' || /have no path from their end/.test(end.error.message)) return false
      else throw end.error
    }
  }

  private async write(handles: Handles, { schema }: Version, by: string, count: number): Promise<void> {
    const { declared } = schema.graph
    const commands = new Commands(declared, 0, undefined, Crowded)
    const model = Model.of(declared)
    // A node that is created again does not know the edges of the earlier one.
    const isKept = ({ verb, type }: Write) => verb === 'delete' && declared.nodes.some(({ name }) => name === type)
    for (let i = 0; i < count; i++) {
      const command = commands.of(this.random.below(2 ** 31))
      const writes = 'writes' in command ? command.writes : 'write' in command ? [command.write] : []
      for (const write of writes.filter(each => !isKept(each))) {
        const { code } = await outcomeOf(() => callOf(handles, model, write))
        this.trace.push(`${this.schedule.turns} ${by} ${shown(write)}: ${code ?? 'done'}`)
      }
    }
  }

  private storeOf(actor: Actor): Store {
    const turned = wrap(this.store, async (operation, request, options, send) => {
      if (!this.isAlone && /Item|query|scan/.test(operation)) await this.schedule.turn(actor)
      if (!this.isAlone && /^(transactWrite|update|put|delete)Item/.test(operation) && actor.mayCrash)
        this.trace.push(`${this.schedule.turns} ${actor.name} ${operation}`)
      return send(request, options)
    })
    return apart(turned, this.random)
  }

  private async opened({ layout, schema }: Version, name: string): Promise<Handles> {
    const clock = new ModelClock()
    const opened: unknown = await open(layout, this.storeOf(new Actor(name, false)), {
      ...{ create: false, drift: 'allow', follow: false },
      clock: () => clock.now(),
      random: bytes => this.random.bytes(bytes),
      retry: { clock, random: () => this.random.next() },
    })
    const tenant = tenantOf(schema)
    return (tenant ? (opened as { $tenant(id: string): unknown }).$tenant(tenant) : opened) as Handles
  }

  /** Runs turns, with crashes now and then, until the promise settles. */
  private until(work: Promise<unknown>): Promise<void> {
    return until(this.schedule, work, () => {
      const mortals = this.schedule.actors.filter(({ mayCrash }) => mayCrash)
      if (mortals[0] && this.random.chance(DEATH_RATE)) this.schedule.crash(mortals[0])
    })
  }
}

/** Values that can coexist: none is unique to one node or an input of a computed value. */
function withoutUnique({ attributes, unique }: DeclaredNode, { mail, name, ...rest }: Row): Row {
  const isOfName = unique.includes('mail') && isComputed(attributes.mail!)
  return isOfName || name === undefined ? rest : { ...rest, name }
}

/**
 * Whether an item of one layout could be mistaken for one of the other at its correct key. Then concurrent writes are
 * not safe.
 */
function looksAlike({ layout: before, schema }: Version, { layout: after }: Version): boolean {
  const choice = new Crowded(1)
  const tenant = tenantOf(schema)
  const types = [...after.graph.declared.nodes, ...after.graph.declared.edges]
  const ownIn = (layout: Layout, type: string, row: object) =>
    itemsOf(layout, { [type]: [row] } as never, tenant)[0]!.item
  return types.some(type =>
    Array.from({ length: 100 }, () => anyRow(type, choice)).some(row => {
      const item = ownIn(after, type.name, row)
      const was = parseOwnItem(before, item)
      if (!was || uniqueKeyTextOf(after, item) === uniqueKeyTextOf(after, ownIn(before, type.name, row))) return false
      return (
        uniqueKeyTextOf(after, itemsOfStoredRow(before, was.type, was.values)[0]!.item) === uniqueKeyTextOf(after, item)
      )
    }),
  )
}
