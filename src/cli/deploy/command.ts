import { deploy, deployment } from '../../jobs/deploy/deploy.js'
import type { DeployOptions as Chosen, Deployment } from '../../jobs/deploy/deployment.js'
import type { Layout } from '../../layout/layout.js'
import { backfillCommandHint } from '../backfill/command-hint.js'
import { CommandFailure, InterruptedFailure } from '../command-failure.js'
import { CREATES_TABLE, runWithLoadedGraph, type StoreContext } from '../connection/with-store.js'
import { loadGraph } from '../graph-file/load-graph.js'
import type { SchemaOptions, StoreOptions } from '../options.js'
import { paint, print, printJson } from '../terminal/output.js'
import { startProgressLine } from '../terminal/progress-line.js'
import { canPrompt, Prompt, UnansweredError } from '../terminal/prompt.js'
import { abortOnStop, StopSignalError } from '../terminal/stop-signal.js'
import { formatDeployment } from './deployment-text.js'

interface DeployOptions extends SchemaOptions, StoreOptions {
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly optional?: boolean
  readonly recovery: number
  readonly protection: boolean
  readonly consumers: boolean
  readonly autoscaled?: boolean
}

/**
 * Shows the missing changes of a table, asks for confirmation, and applies them. A data folder is created only after
 * confirmation.
 */
export async function deployCommand(file: string, options: DeployOptions): Promise<void> {
  const loaded = await loadGraph(file, options)
  const hasChanges = await runWithLoadedGraph(loaded, options, context => reviewChanges(context, options))
  if (!options.dryRun)
    await runWithLoadedGraph(loaded, options, context => applyChanges(context, options, hasChanges), CREATES_TABLE)
}

function toDeployOptions({ table }: StoreContext, options: DeployOptions): Chosen {
  const { recovery, protection, consumers, autoscaled = false, optional = false } = options
  return { table, recoveryDays: recovery, deletionProtection: protection, consumers, autoscaled, optional }
}

/** Shows the plan and returns whether it has changes; throws if the plan is impossible or not confirmed. */
async function reviewChanges(context: StoreContext, options: DeployOptions): Promise<boolean> {
  const { file, layout, store, table } = context
  const deployed = await deployment(layout, store, toDeployOptions(context, options))
  if (!options.json) print(formatDeployment(layout, deployed))
  const isImpossible = deployed.difference.impossible.some(step => !step.optional)
  if (options.json && (isImpossible || options.dryRun)) printJson({ ...deployed, done: [] })
  if (isImpossible)
    throw new CommandFailure(
      `table '${table}': the table cannot be changed to this schema; create another table with --table.`,
    )
  // An update of the fingerprint alone needs no confirmation.
  const changes = hasChangesToApply(deployed, options.optional ?? false)
  if (options.dryRun) reportDrift(file, layout, deployed.drift)
  else if (changes) await confirmChanges(options)
  return changes
}

async function applyChanges(context: StoreContext, options: DeployOptions, changes: boolean): Promise<void> {
  const { file, layout, store, table } = context
  const signal = abortOnStop()
  const line = startProgressLine()
  const startMs = performance.now()
  try {
    const result = await deploy(layout, store, {
      ...toDeployOptions(context, options),
      signal,
      progress: ({ message, state, busy }) => {
        if (state === 'waiting') line.update(() => `${busy.join(', ')} (${formatElapsed(startMs)})`)
        if (state !== 'done' || options.json) return
        line.clear()
        print(`${paint('green', '✓')} ${message}`)
      },
    })
    line.clear()
    if (options.json) printJson(result)
    for (const message of result.postponed)
      console.error(`Not yet: ${message} DynamoDB changes a TTL once an hour; run the command again then.`)
    if (!options.json && changes)
      print(`${table} matches the schema${result.postponed.length > 0 ? ', except for that' : ''}.`)
    reportDrift(file, layout, result.drift)
  } catch (error) {
    line.clear()
    if (!(error instanceof StopSignalError)) throw error
    throw new InterruptedFailure('deploy: a signal stopped the command; run the same command again to continue.', error)
  }
}

function hasChangesToApply({ create, consumers, difference: { steps, busy } }: Deployment, optional: boolean): boolean {
  return (create ?? consumers) !== undefined || busy.length > 0 || steps.some(step => optional || !step.optional)
}

async function confirmChanges({ yes }: DeployOptions): Promise<void> {
  if (yes) return
  if (!canPrompt())
    throw new CommandFailure(
      'deploy: nothing was changed, because there is no terminal to confirm on; add --yes to apply the changes.',
    )
  const prompt = new Prompt()
  try {
    if (await prompt.confirm('Apply these changes?')) return
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error
  } finally {
    prompt.close()
  }
  throw new CommandFailure(
    'deploy: nothing was changed, because the changes were not confirmed; answer y, or add --yes.',
  )
}

function reportDrift(file: string, layout: Layout, drift: readonly string[]): void {
  if (drift.length === 0) return
  console.error(`The items were written under another layout; run ${backfillCommandHint(file, layout, drift)}.`)
}

const formatElapsed = (startMs: number) => `${Math.round((performance.now() - startMs) / 1000)} s`
