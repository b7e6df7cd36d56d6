import type { Item } from '../../src/dynamodb/attribute-value.js'
import { memory } from '../../src/engine/memory.js'
import { layout as layoutOf, open, type Store } from '../../src/index.js'
import { finishDeletes, type LoadCursor, load, repair, type VerifyProgress, verify } from '../../src/jobs/index.js'
import { itemsOfReadRows } from '../../src/layout/items/items.js'
import type { Layout } from '../../src/layout/layout.js'
import { ownKindByName } from '../../src/plan/identity.js'
import { rowOf } from '../../src/plan/row.js'
import { wrap } from '../../src/store/wrap.js'
import { itemsIn } from '../derive/simulator/check-table.js'
import { Random } from '../derive/simulator/random.js'
import { Actor, Schedule, until } from '../derive/simulator/schedule.js'
import { apart } from '../derive/simulator/split-requests.js'
import { Model, type Write } from '../graph/model/reference/model.js'
import { type Command, Commands } from '../graph/model/runner/commands.js'
import { callOf, type Handles, ModelClock, tenantOf } from '../graph/model/runner/handles.js'
import { outcomeOf, shown } from '../graph/model/runner/outcome.js'
import { anyRow, Crowded } from '../graph/model/runner/random-values.js'
import { difference, tableState, texts } from '../graph/model/runner/table-state.js'
import type { Schema } from '../graph/model/schemas/random-schemas.js'

const DEATH_RATE = 0.02
const MOST_LIVES = 8
const NODES_FIRST = 5

/** Writers and concurrent jobs over the whole table. All crash at any request and are restarted. */
export class Mortals {
  /** A log of the operations, for the message of a failure. */
  readonly trace: string[] = []
  private readonly store = memory()
  private readonly random: Random
  private readonly schedule: Schedule
  private readonly layout: Layout
  private readonly commands: Commands
  private readonly model: Model

  constructor(
    private readonly schema: Schema,
    seed: number,
  ) {
    this.random = new Random(seed)
    this.schedule = new Schedule(this.random)
    this.layout = (schema.layout ?? layoutOf(schema.graph)) as Layout
    this.commands = new Commands(schema.graph.declared, 0, undefined, Crowded)
    this.model = Model.of(schema.graph.declared)
  }

  async run(writes: number): Promise<void> {
    const alone = await this.tenanted(await open(this.layout, this.store, { follow: false }))
    const choice = new Crowded(this.random.below(2 ** 31))
    for (const type of this.schema.graph.declared.nodes)
      for (let i = 0; i < NODES_FIRST; i++)
        await outcomeOf(() => callOf(alone, this.model, { verb: 'put', type: type.name, row: anyRow(type, choice) }))
    let isDone = false
    const write = async () => {
      await Promise.all([0, 1, 2].map(at => this.write(`writer ${at}`, writes)))
      isDone = true
    }
    const finish = async () => {
      while (!isDone) await this.lives('finish', opened => finishDeletes(opened))
    }
    const mend = async () => {
      while (!isDone) await this.repair()
    }
    await this.until(Promise.all([write(), this.load(writes), finish(), mend()]))
  }

  /** Finishes interrupted work and returns all faults except dangling edges. */
  async faults(): Promise<unknown[]> {
    const opened = await open(this.layout, this.store, { follow: false })
    await finishDeletes(opened)
    const faults: unknown[] = (await itemsIn(this.store, this.layout.design.name)).filter(
      (item: Item) => item[this.layout.names.deletionMark],
    )
    faults.push(...(await this.strays()))
    await verify(opened, { onFault: fault => fault.code !== 'edge.dangling' && faults.push(fault) })
    return faults
  }

  /** Returns superfluous and missing items of the table. */
  private async strays(): Promise<string[]> {
    const { layout } = this
    const rows: Record<string, object[]> = {}
    for (const item of await itemsIn(this.store, layout.design.name)) {
      const kind = layout.kinds.find(({ typeMark }) => typeMark === item[layout.names.type]?.S)
      if (kind === undefined || kind !== ownKindByName(layout, kind.type.name)) continue
      rows[kind.name] = [...(rows[kind.name] ?? []), rowOf(layout, kind, item)]
    }
    const items = itemsOfReadRows(layout, rows as never, tenantOf(this.schema)).map(({ item }) => item)
    const wrong = difference(await tableState(this.store, layout), texts(layout, items))
    return wrong ? [wrong] : []
  }

  /** Runs writes one after the other. A crash leaves the current one unfinished. */
  private async write(name: string, count: number): Promise<void> {
    const commands = Array.from({ length: count }, () => this.commands.of(this.random.below(2 ** 31)))
    for (let done = 0, lives = 1; done < count; lives++) {
      const actor = new Actor(`${name}.${lives}`, lives < MOST_LIVES)
      const live = async () => {
        const handles = await this.opened(actor)
        while (done < count) await this.perform(actor, handles, commands[done++]!)
      }
      await Promise.race([live(), actor.ended])
    }
  }

  private async perform(actor: Actor, handles: Handles, command: Command): Promise<void> {
    const call = (write: Write) => callOf(handles, this.model, write)
    const isPart = (write: Write) => !this.model.isJob(write)
    const writes = 'writes' in command ? command.writes : 'write' in command ? [command.write] : []
    const token = this.random.chance(0.3) ? { token: `t${this.random.below(2 ** 31)}` } : {}
    const run = async () => {
      if (command.does === 'transact' || command.does === 'race')
        await handles.$transact(writes.filter(isPart).map(call), token)
      else if (command.does === 'batch') await handles.$batch(writes.filter(isPart).map(call))
      else for (const write of writes) await call(write).run(token)
    }
    const { code } = await outcomeOf(run)
    this.trace.push(`${this.schedule.turns} ${actor.name} ${shown(command)}: ${code ?? 'done'}`)
  }

  private async load(count: number): Promise<void> {
    const { declared } = this.schema.graph
    const choice = new Crowded(this.random.below(2 ** 31))
    const types = [...declared.nodes, ...declared.nodes, ...declared.edges]
    const rows = Array.from({ length: count * 2 }, () => {
      const type = this.random.pick(types)
      return { type: type.name, ...anyRow(type, choice) }
    })
    const plain = (_: string, value: unknown) => (value instanceof Set ? [...value] : value)
    const bytes = new TextEncoder().encode(rows.map(row => `${JSON.stringify(row, plain)}\n`).join(''))
    const source = {
      name: 'rows',
      format: 'json' as const,
      async *open(start: number) {
        yield bytes.subarray(start)
      },
    }
    const tenant = tenantOf(this.schema)
    let from: LoadCursor | undefined
    await this.lives('load', opened =>
      load(opened, [source], {
        concurrency: 1,
        ...(from && { from }),
        ...(tenant !== undefined && { tenant }),
        progress: place => {
          from = place
        },
        failed: failed => {
          for (const { line, code } of failed) this.trace.push(`load ${shown(rows[line - 1])}: ${code}`)
        },
      }),
    )
  }

  private async repair(): Promise<void> {
    let cursor: string | undefined
    const progress = (at: VerifyProgress) => {
      cursor = at.cursor
    }
    await this.lives('repair', opened => repair(opened, { progress, ...(cursor !== undefined && { cursor }) }))
  }

  /** Runs a job in a sequence of processes. */
  private async lives(name: string, job: (opened: object) => Promise<unknown>): Promise<void> {
    for (let lives = 1; ; lives++) {
      const actor = new Actor(`${name}.${lives}`, lives < MOST_LIVES)
      const run = async () => {
        await job(await this.openedWhole(actor))
      }
      const end = await Promise.race([outcomeOf(run), actor.ended])
      if (end && end.code !== undefined && end.code !== 'write.contended') throw end.error
      if (end && end.code === undefined) return
    }
  }

  private storeOf(actor: Actor): Store {
    const turned = wrap(this.store, async (operation, request, options, send) => {
      if (/Item|query|scan/.test(operation)) await this.schedule.turn(actor)
      if (/^(transactWrite|update|put|delete)Item/.test(operation))
        this.trace.push(`${this.schedule.turns} ${actor.name} ${operation} ${JSON.stringify(request)}`)
      return send(request, options)
    })
    return apart(turned, this.random)
  }

  private async openedWhole(actor: Actor): Promise<object> {
    const clock = new ModelClock()
    return open(this.layout, this.storeOf(actor), {
      ...{ create: false, follow: false },
      clock: () => clock.now(),
      random: bytes => this.random.bytes(bytes),
      retry: { clock, random: () => this.random.next() },
    })
  }

  private async opened(actor: Actor): Promise<Handles> {
    return this.tenanted(await this.openedWhole(actor))
  }

  private tenanted(opened: unknown): Handles {
    const tenant = tenantOf(this.schema)
    return (tenant ? (opened as { $tenant(id: string): unknown }).$tenant(tenant) : opened) as Handles
  }

  /** Runs turns, with crashes now and then, until the promise settles. */
  private until(work: Promise<unknown>): Promise<void> {
    return until(this.schedule, work, () => {
      const mortals = this.schedule.actors.filter(({ mayCrash }) => mayCrash)
      if (!mortals[0] || !this.random.chance(DEATH_RATE)) return
      const actor = this.random.pick(mortals)
      this.trace.push(`${this.schedule.turns} ${actor.name} dies`)
      this.schedule.crash(actor)
    })
  }
}
