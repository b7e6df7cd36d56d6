import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import { parseOptions, parseWorkOptions } from '../../graph/arguments.js'
import { checkFingerprint } from '../../graph/table-setup/prepare.js'
import { type Layout, layoutOf } from '../../layout/layout.js'
import { GraphError } from '../../schema/error.js'
import type { AnyType, Graph } from '../../schema/graph.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { type Clock, systemClock } from '../../store/backoff.js'
import type { Service } from '../../store/port.js'
import type { Step } from '../../table/diff/step.js'
import { rethrowJobError, runCallback } from '../callbacks.js'
import {
  compareWithTable,
  consumersStepText,
  type Deployment,
  type DeployOptions,
  describeIfExists,
} from './deployment.js'
import { type DeploymentStore, withTableRetries } from './deployment-store.js'

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
export interface DeployResult {
  readonly table: string
  /** What was done, in words. */
  readonly done: readonly string[]
  /** What cannot be done yet, in words. */
  readonly postponed: readonly string[]
  readonly drift: readonly string[]
}

const OPTION_NAMES = 'table, recoveryDays, deletionProtection, autoscaled, consumers, optional'

/** What a live table lacks of a layout. */
export async function deployment(
  graphOrLayout: Graph<AnyType, boolean> | Layout,
  store: Service,
  options: DeployOptions = {},
): Promise<Deployment> {
  parseOptions('deployment', options, OPTION_NAMES)
  return rethrowJobError(compareWithTable(layoutOf(graphOrLayout), withTableRetries(store), options))
}

/**
 * Makes the table of a layout, or brings a live one up to it, one change after the other, and waits for each. What is
 * left is worked out from the table itself each time, so that the same call goes on where another was cut off.
 */
export async function deploy(
  graphOrLayout: Graph<AnyType, boolean> | Layout,
  store: Service,
  options: ApplyOptions = {},
): Promise<DeployResult> {
  parseWorkOptions('deploy', options, `${OPTION_NAMES}, progress, signal, clock`, 'progress')
  return rethrowJobError(
    new Deploy(layoutOf(graphOrLayout), withTableRetries(store, options.clock), options).run(),
    options.signal,
  )
}

/** Far more than a table can need. */
const MAX_STEPS = 200

class Deploy {
  private readonly done: string[] = []
  private readonly postponed: string[] = []
  private readonly sentInputs = new Set<string>()
  private isCreated = false
  private unseenCount = 0

  constructor(
    private readonly layout: Layout,
    private readonly store: DeploymentStore,
    private readonly options: ApplyOptions,
  ) {}

  async run(): Promise<DeployResult> {
    for (let remainingSteps = MAX_STEPS; remainingSteps > 0; remainingSteps--) {
      this.options.signal?.throwIfAborted()
      const deploymentNow = await compareWithTable(this.layout, this.store, this.options)
      assertPossible(deploymentNow)
      if (deploymentNow.create) {
        await this.createAndWait(deploymentNow.create, `Create the table ${deploymentNow.table}.`)
        this.isCreated = true
      } else if (deploymentNow.difference.busy.length > 0)
        await this.waitUntilIdle(deploymentNow.table, deploymentNow.difference.busy[0]!)
      else {
        const step = this.nextStep(deploymentNow)
        if (step) await this.applyStep(deploymentNow, step)
        else if (deploymentNow.consumers)
          await this.createAndWait(deploymentNow.consumers, consumersStepText(deploymentNow.consumers))
        else return this.complete(deploymentNow)
      }
    }
    throw new GraphError('table.mismatch', 'the table does not become as designed, however often it is changed')
  }

  private nextStep({ difference }: Deployment): Step | undefined {
    const { optional = false } = this.options
    return difference.steps.find(step => (optional || !step.optional) && !this.postponed.includes(step.message))
  }

  private async createAndWait(request: NonNullable<Deployment['create']>, message: string): Promise<void> {
    await this.report(message, 'begun')
    try {
      await this.store.createTable(request)
    } catch (error) {
      // Another made it in the same moment.
      if ((error as { name?: string }).name !== 'ResourceInUseException') throw error
    }
    await this.waitUntilVisible(request.TableName!, message)
    await this.waitUntilIdle(request.TableName!, message)
    await this.reportDone(message)
  }

  /** For some seconds a table that was made may be in no description; one that another has deleted comes in none. */
  private async waitUntilVisible(table: string, message: string): Promise<void> {
    const { clock = systemClock, signal } = this.options
    for (let pauseMs = POLL_MS; pauseMs < POLL_MAX_MS; pauseMs *= 2) {
      if (await describeIfExists(this.store, table)) return
      await this.report(message, 'waiting', ['the table is not to be seen yet'])
      await clock.sleep(pauseMs, signal)
    }
  }

  private async applyStep({ table, difference }: Deployment, step: Step): Promise<void> {
    const { message } = step
    const inputText = JSON.stringify(step.input)
    if (this.sentInputs.has(inputText)) return this.waitUntilShown(message)
    this.sentInputs.add(inputText)
    this.unseenCount = 0
    await this.report(message, 'begun')
    try {
      await this.sendOnceReady(step)
    } catch (error) {
      if (!isTooSoon(step, error)) throw error
      // That of one attribute is turned on only when that of another is off.
      const sameOperation = difference.steps.filter(({ operation }) => operation === step.operation)
      this.postponed.push(...sameOperation.map(step => step.message))
      return
    }
    await this.waitUntilIdle(table, message)
    await this.reportDone(message)
  }

  /** A description may be behind what was done. */
  private async waitUntilShown(message: string): Promise<void> {
    const { clock = systemClock, signal } = this.options
    const pauseMs = POLL_MS * 2 ** this.unseenCount++
    if (pauseMs > POLL_MAX_MS)
      throw new GraphError('table.mismatch', `this was done, and the table does not show it: ${message}`)
    await this.report(message, 'waiting', ['the table does not show it yet'])
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
      await this.report(step.message, 'waiting', ['backups are being enabled'])
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
  private async waitUntilIdle(table: string, message: string): Promise<void> {
    const { clock = systemClock, signal } = this.options
    for (let pauseMs = POLL_MS; ; pauseMs = Math.min(pauseMs * 2, POLL_MAX_MS)) {
      const live = await describeIfExists(this.store, table)
      const busy = describeBusy(live)
      if (busy.length === 0) return
      if (!TRANSIENT_STATUS.test(live?.TableStatus ?? ''))
        throw new GraphError(
          'table.mismatch',
          `the table '${table}' is ${live?.TableStatus}, which does not pass by itself`,
        )
      await this.report(message, 'waiting', busy)
      await clock.sleep(pauseMs, signal)
    }
  }

  private async complete({ table, drift, fingerprint }: Deployment): Promise<DeployResult> {
    const tableLayout = { ...this.layout, design: { ...this.layout.design, name: table } }
    // What others wrote is adopted as it is, without a mark of ours.
    if (fingerprint === 'none' && (this.isCreated || (await this.isEmpty(table))))
      await checkFingerprint(tableLayout, this.store, true)
    // Types that came since are written down here too: an application that is bound to a tenant may not.
    if (fingerprint === 'other' && drift.length === 0) await checkFingerprint(tableLayout, this.store, false)
    return { table, done: this.done, postponed: this.postponed, drift }
  }

  private async isEmpty(TableName: string): Promise<boolean> {
    const { Items = [], LastEvaluatedKey } = await this.store.scan({ TableName, Limit: 1, ConsistentRead: true })
    return Items.length === 0 && !LastEvaluatedKey
  }

  private async reportDone(message: string): Promise<void> {
    this.done.push(message)
    await this.report(message, 'done')
  }

  private report(message: string, state: DeployProgress['state'], busy: readonly string[] = []): Promise<void> {
    return runCallback(() => this.options.progress?.({ message, state, busy }))
  }
}

const POLL_MS = 100
/** A table whose key is out of reach, or that is archived, waits for somebody. */
const TRANSIENT_STATUS = /^(ACTIVE|CREATING|UPDATING|DELETING)$/
const POLL_MAX_MS = 5000
const UNREADY = /^(ContinuousBackupsUnavailable|TableNotFound)Exception$/
/** Ten times as long as it was seen to take. */
const BACKUPS_PAUSE_MAX_MS = 15_000

function describeBusy(live: TableDescription | undefined): string[] {
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

function assertPossible({ table, difference: { impossible } }: Deployment): void {
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
