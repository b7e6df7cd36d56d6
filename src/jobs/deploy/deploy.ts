import type { TableDescription } from '../../dynamodb/operation-types.js'
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

/** The progress of a step. */
export interface DeployProgress {
  /** Description of the step. */
  readonly message: string
  /** Whether the step was requested, is in progress, or is done. */
  readonly state: 'begun' | 'waiting' | 'done'
  /** Descriptions of the operations that the step waits for. */
  readonly busy: readonly string[]
}

/** Options of `deploy()`. */
export interface ApplyOptions extends DeployOptions {
  readonly progress?: ((progress: DeployProgress) => void) | undefined
  readonly signal?: AbortSignalLike | undefined
  readonly clock?: Clock | undefined
}

/** The result of `deploy()`. */
export interface DeployResult {
  readonly table: string
  /** Descriptions of the completed steps. */
  readonly done: readonly string[]
  /** Descriptions of the steps that are not possible yet. */
  readonly postponed: readonly string[]
  readonly drift: readonly string[]
}

const OPTION_NAMES = 'table, recoveryDays, deletionProtection, autoscaled, consumers, optional'

/**
 * Compares a layout with a live table and returns the steps that are left.
 *
 * @param graphOrLayout The graph or layout to deploy.
 * @param store The store that holds the table.
 * @returns The missing tables, indexes and settings.
 * @example
 * ```ts
 * import { graph, node, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { deployment } from 'edgewise/jobs'
 *
 * const user = node('user', { name: string() }, { id: 'name' })
 * const { create, difference } = await deployment(graph('social', [user]), memory())
 * ```
 */
export async function deployment(
  graphOrLayout: Graph<AnyType, boolean> | Layout,
  store: Service,
  options: DeployOptions = {},
): Promise<Deployment> {
  parseOptions('deployment', options, OPTION_NAMES)
  return rethrowJobError(compareWithTable(layoutOf(graphOrLayout), withTableRetries(store), options))
}

/**
 * Creates the table of a layout or updates a live one, one change at a time, and waits for each. The remaining steps
 * are computed from the table itself, so an interrupted call can be repeated.
 *
 * @param graphOrLayout The graph or layout to deploy.
 * @param store The store that holds the table.
 * @returns The completed steps, and those that are not possible yet.
 * @throws {table.mismatch} The table cannot get this design.
 * @throws {call.argument} An option is invalid.
 * @example
 * ```ts
 * import { graph, node, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { deploy } from 'edgewise/jobs'
 *
 * const user = node('user', { name: string() }, { id: 'name' })
 * const { done } = await deploy(graph('social', [user]), memory())
 * ```
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

/** Far more steps than any table needs. */
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
    throw new GraphError(
      'table.mismatch',
      'deploy(): the table still differs from its design after all steps; check the steps with deployment().',
    )
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
      // A concurrent call created the table.
      if ((error as { name?: string }).name !== 'ResourceInUseException') throw error
    }
    await this.waitUntilVisible(request.TableName!, message)
    await this.waitUntilIdle(request.TableName!, message)
    await this.reportDone(message)
  }

  /**
   * Waits for a new table, which DynamoDB may not describe for some seconds. Gives up after that, because a deleted
   * table never appears.
   */
  private async waitUntilVisible(table: string, message: string): Promise<void> {
    const { clock = systemClock, signal } = this.options
    for (let pauseMs = POLL_MS; pauseMs < POLL_MAX_MS; pauseMs *= 2) {
      if (await describeIfExists(this.store, table)) return
      await this.report(message, 'waiting', ['the table is not visible yet'])
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
      // The time to live of another attribute must be disabled first.
      const sameOperation = difference.steps.filter(({ operation }) => operation === step.operation)
      this.postponed.push(...sameOperation.map(step => step.message))
      return
    }
    await this.waitUntilIdle(table, message)
    await this.reportDone(message)
  }

  /** Checks that a step took effect. The description of the table may lag. */
  private async waitUntilShown(message: string): Promise<void> {
    const { clock = systemClock, signal } = this.options
    const pauseMs = POLL_MS * 2 ** this.unseenCount++
    if (pauseMs > POLL_MAX_MS)
      throw new GraphError(
        'table.mismatch',
        `deploy(): a completed step does not show in the table (${message}); check the table and call deploy() again.`,
      )
    await this.report(message, 'waiting', ['the table does not show it yet'])
    await clock.sleep(pauseMs, signal)
  }

  /** Backups are unavailable for some seconds after a table becomes active. */
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

  /** Waits until the table and its indexes are not being changed. */
  private async waitUntilIdle(table: string, message: string): Promise<void> {
    const { clock = systemClock, signal } = this.options
    for (let pauseMs = POLL_MS; ; pauseMs = Math.min(pauseMs * 2, POLL_MAX_MS)) {
      const live = await describeIfExists(this.store, table)
      const busy = describeBusy(live)
      if (busy.length === 0) return
      if (!TRANSIENT_STATUS.test(live?.TableStatus ?? ''))
        throw new GraphError(
          'table.mismatch',
          `table '${table}': its status is ${live?.TableStatus}; resolve this state and call deploy() again.`,
        )
      await this.report(message, 'waiting', busy)
      await clock.sleep(pauseMs, signal)
    }
  }

  private async complete({ table, drift, fingerprint }: Deployment): Promise<DeployResult> {
    const tableLayout = { ...this.layout, design: { ...this.layout.design, name: table } }
    // Foreign items are adopted without a type mark.
    if (fingerprint === 'none' && (this.isCreated || (await this.isEmpty(table))))
      await checkFingerprint(tableLayout, this.store, true)
    // Record new types in the fingerprint here, because an application that is bound to a tenant may not write it.
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
/** Table states that require an action of the user. */
const TRANSIENT_STATUS = /^(ACTIVE|CREATING|UPDATING|DELETING)$/
const POLL_MAX_MS = 5000
const UNREADY = /^(ContinuousBackupsUnavailable|TableNotFound)Exception$/
/** Ten times the longest wait that was observed. */
const BACKUPS_PAUSE_MAX_MS = 15_000

function describeBusy(live: TableDescription | undefined): string[] {
  if (!live) return []
  const { TableStatus = 'ACTIVE', GlobalSecondaryIndexes = [] } = live
  const indexes = GlobalSecondaryIndexes.filter(({ IndexStatus = 'ACTIVE' }) => IndexStatus !== 'ACTIVE')
  return [
    ...(TableStatus === 'ACTIVE' ? [] : [`the table is ${TableStatus}`]),
    ...indexes.map(
      ({ IndexName, IndexStatus, Backfilling }) =>
        `the index ${IndexName} is ${IndexStatus}${Backfilling ? ', its entries are being backfilled' : ''}`,
    ),
  ]
}

function assertPossible({ table, difference: { impossible } }: Deployment): void {
  const [first, ...more] = impossible.filter(({ optional }) => !optional)
  if (first)
    throw new GraphError(
      'table.mismatch',
      `table '${table}': it cannot get the new design (${[first, ...more].map(({ message }) => message).join(' ')}); create another table.`,
    )
}

/** DynamoDB allows one change of the time to live per hour. */
function isTooSoon({ operation }: Step, error: unknown): boolean {
  const { name = '', message = '' } = error as Error
  return (
    operation === 'UpdateTimeToLive' && name === 'ValidationException' && /multiple times|fixed interval/.test(message)
  )
}
