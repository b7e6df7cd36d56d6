import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import { optionsOf, workOptions } from '../../graph/given.js'
import { checkFingerprint } from '../../graph/table.js'
import { type Layout, layoutOf } from '../../layout/layout.js'
import { GraphError } from '../../schema/error.js'
import type { AnyType, Graph } from '../../schema/graph.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { type Clock, systemClock } from '../../store/backoff.js'
import type { Service } from '../../store/port.js'
import type { Step } from '../../table/diff/step.js'
import { calledBack, toldOfJob } from '../callbacks.js'
import { consumersWords, type Deployment, type DeployOptions, describe, look } from './look.js'
import { patient, type Tables } from './patient.js'

/** Which step is under way. */
export interface DeployProgress {
  /** What is done, in words. */
  readonly message: string
  /** Whether it is asked for, waited for, or done. */
  readonly state: 'begun' | 'waiting' | 'done'
  /** What is waited for, in words. */
  readonly busy: readonly string[]
}

/** How the steps of a deployment are taken. */
export interface ApplyOptions extends DeployOptions {
  readonly progress?: ((progress: DeployProgress) => void) | undefined
  readonly signal?: AbortSignalLike | undefined
  readonly clock?: Clock | undefined
}

/** What was done. */
export interface Deployed {
  readonly table: string
  /** What was done, in words. */
  readonly done: readonly string[]
  /** What cannot be done yet, in words. */
  readonly later: readonly string[]
  readonly drift: readonly string[]
}

const KNOWN = 'table, recoveryDays, deletionProtection, autoscaled, consumers, optional'

/** What a live table lacks of a layout. */
export async function deployment(
  what: Graph<AnyType, boolean> | Layout,
  store: Service,
  options: DeployOptions = {},
): Promise<Deployment> {
  optionsOf('deployment', options, KNOWN)
  return toldOfJob(look(layoutOf(what), patient(store), options))
}

/**
 * Makes the table of a layout, or brings a live one up to it, one change after the other, and waits for each. What is
 * left is worked out from the table itself each time, so that the same call goes on where another was cut off.
 */
export async function deploy(
  what: Graph<AnyType, boolean> | Layout,
  store: Service,
  options: ApplyOptions = {},
): Promise<Deployed> {
  workOptions('deploy', options, `${KNOWN}, progress, signal, clock`, 'progress')
  return toldOfJob(new Deploy(layoutOf(what), patient(store, options.clock), options).run(), options.signal)
}

/** Far more than a table can need. */
const STEPS = 200

class Deploy {
  private readonly done: string[] = []
  private readonly later: string[] = []
  private readonly taken = new Set<string>()
  private isMade = false
  private unseen = 0

  constructor(
    private readonly layout: Layout,
    private readonly store: Tables,
    private readonly options: ApplyOptions,
  ) {}

  async run(): Promise<Deployed> {
    for (let left = STEPS; left > 0; left--) {
      this.options.signal?.throwIfAborted()
      const found = await look(this.layout, this.store, this.options)
      refuseImpossible(found)
      if (found.create) {
        await this.make(found.create, `Create the table ${found.table}.`)
        this.isMade = true
      } else if (found.difference.busy.length > 0) await this.settle(found.table, found.difference.busy[0]!)
      else {
        const step = this.nextStep(found)
        if (step) await this.take(found, step)
        else if (found.consumers) await this.make(found.consumers, consumersWords(found.consumers))
        else return this.end(found)
      }
    }
    throw new GraphError('table.mismatch', 'the table does not become as designed, however often it is changed')
  }

  private nextStep({ difference }: Deployment): Step | undefined {
    const { optional = false } = this.options
    return difference.steps.find(step => (optional || !step.optional) && !this.later.includes(step.message))
  }

  private async make(request: NonNullable<Deployment['create']>, message: string): Promise<void> {
    await this.tell(message, 'begun')
    try {
      await this.store.createTable(request)
    } catch (error) {
      // Another made it in the same moment.
      if ((error as { name?: string }).name !== 'ResourceInUseException') throw error
    }
    await this.appear(request.TableName!, message)
    await this.settle(request.TableName!, message)
    await this.finish(message)
  }

  /** For some seconds a table that was made may be in no description; one that another has deleted comes in none. */
  private async appear(table: string, message: string): Promise<void> {
    const { clock = systemClock, signal } = this.options
    for (let pauseMs = POLL_MS; pauseMs < POLL_MAX_MS; pauseMs *= 2) {
      if (await describe(this.store, table)) return
      await this.tell(message, 'waiting', ['the table is not to be seen yet'])
      await clock.sleep(pauseMs, signal)
    }
  }

  private async take({ table, difference }: Deployment, step: Step): Promise<void> {
    const { message } = step
    const text = JSON.stringify(step.input)
    if (this.taken.has(text)) return this.lookAgain(message)
    this.taken.add(text)
    this.unseen = 0
    await this.tell(message, 'begun')
    try {
      await this.sendOnceReady(step)
    } catch (error) {
      if (!isTooSoon(step, error)) throw error
      // That of one attribute is turned on only when that of another is off.
      const all = difference.steps.filter(({ operation }) => operation === step.operation)
      this.later.push(...all.map(each => each.message))
      return
    }
    await this.settle(table, message)
    await this.finish(message)
  }

  /** A description may be behind what was done. */
  private async lookAgain(message: string): Promise<void> {
    const { clock = systemClock, signal } = this.options
    const pauseMs = POLL_MS * 2 ** this.unseen++
    if (pauseMs > POLL_MAX_MS)
      throw new GraphError('table.mismatch', `this was done, and the table does not show it: ${message}`)
    await this.tell(message, 'waiting', ['the table does not show it yet'])
    await clock.sleep(pauseMs, signal)
  }

  /** For some seconds after a table is active, its backups are not. */
  private async sendOnceReady(step: Step): Promise<void> {
    const { clock = systemClock, signal } = this.options
    for (let pauseMs = POLL_MS; ; pauseMs *= 2) {
      try {
        await this.send(step)
        return
      } catch (error) {
        if (!UNREADY.test((error as Error).name) || pauseMs > BACKUPS_PAUSE_MAX_MS) throw error
      }
      await this.tell(step.message, 'waiting', ['backups are being enabled'])
      await clock.sleep(pauseMs, signal)
    }
  }

  private send(step: Step): Promise<unknown> {
    switch (step.operation) {
      case 'UpdateTable':
        return this.store.updateTable(step.input)
      case 'UpdateTimeToLive':
        return this.store.updateTimeToLive(step.input)
      case 'UpdateContinuousBackups':
        return this.store.updateContinuousBackups(step.input)
    }
  }

  /** Waits until neither the table nor an index of it is being changed. */
  private async settle(table: string, message: string): Promise<void> {
    const { clock = systemClock, signal } = this.options
    for (let pauseMs = POLL_MS; ; pauseMs = Math.min(pauseMs * 2, POLL_MAX_MS)) {
      const live = await describe(this.store, table)
      const busy = busyWords(live)
      if (busy.length === 0) return
      if (!PASSING.test(live?.TableStatus ?? ''))
        throw new GraphError(
          'table.mismatch',
          `the table '${table}' is ${live?.TableStatus}, which does not pass by itself`,
        )
      await this.tell(message, 'waiting', busy)
      await clock.sleep(pauseMs, signal)
    }
  }

  private async end({ table, drift, fingerprint }: Deployment): Promise<Deployed> {
    const placed = { ...this.layout, design: { ...this.layout.design, name: table } }
    // What others wrote is adopted as it is, without a mark of ours.
    if (fingerprint === 'none' && (this.isMade || (await this.isEmpty(table))))
      await checkFingerprint(placed, this.store, true)
    // Types that came since are written down here too: an application that is bound to a tenant may not.
    if (fingerprint === 'other' && drift.length === 0) await checkFingerprint(placed, this.store, false)
    return { table, done: this.done, later: this.later, drift }
  }

  private async isEmpty(TableName: string): Promise<boolean> {
    const { Items = [], LastEvaluatedKey } = await this.store.scan({ TableName, Limit: 1, ConsistentRead: true })
    return Items.length === 0 && !LastEvaluatedKey
  }

  private async finish(message: string): Promise<void> {
    this.done.push(message)
    await this.tell(message, 'done')
  }

  private tell(message: string, state: DeployProgress['state'], busy: readonly string[] = []): Promise<void> {
    return calledBack(() => this.options.progress?.({ message, state, busy }))
  }
}

const POLL_MS = 100
/** A table whose key is out of reach, or that is archived, waits for somebody. */
const PASSING = /^(ACTIVE|CREATING|UPDATING|DELETING)$/
const POLL_MAX_MS = 5000
const UNREADY = /^(ContinuousBackupsUnavailable|TableNotFound)Exception$/
/** Ten times as long as it was seen to take. */
const BACKUPS_PAUSE_MAX_MS = 15_000

function busyWords(live: TableDescription | undefined): string[] {
  if (!live) return []
  const { TableStatus = 'ACTIVE', GlobalSecondaryIndexes = [] } = live
  const indexes = GlobalSecondaryIndexes.filter(({ IndexStatus = 'ACTIVE' }) => IndexStatus !== 'ACTIVE')
  return [
    ...(TableStatus === 'ACTIVE' ? [] : [`the table is ${TableStatus}`]),
    ...indexes.map(
      ({ IndexName, IndexStatus, Backfilling }) =>
        `the index ${IndexName} is ${IndexStatus}${Backfilling ? ', its entries are being written' : ''}`,
    ),
  ]
}

function refuseImpossible({ table, difference: { impossible } }: Deployment): void {
  const [first, ...more] = impossible.filter(({ optional }) => !optional)
  if (first)
    throw new GraphError(
      'table.mismatch',
      `the table '${table}' cannot become as designed: ${[first, ...more].map(({ message }) => message).join(' ')}`,
    )
}

/** A TTL can be changed once an hour. */
function isTooSoon({ operation }: Step, error: unknown): boolean {
  const { name = '', message = '' } = error as Error
  return (
    operation === 'UpdateTimeToLive' && name === 'ValidationException' && /multiple times|fixed interval/.test(message)
  )
}
