import { deploy, deployment } from '../../jobs/deploy/deploy.js'
import type { DeployOptions as Chosen, Deployment } from '../../jobs/deploy/look.js'
import type { Layout } from '../../layout/layout.js'
import { Asking, canAsk, Unanswered } from '../asking.js'
import { backfillHint } from '../backfill-hint.js'
import { Failure, Interrupted } from '../failure.js'
import { inStore, MAKES, type OnStore } from '../on-store.js'
import type { SchemaOptions, StoreOptions } from '../options.js'
import { paint, print, printJson } from '../output.js'
import { progress } from '../progress.js'
import { loadGraph } from '../schema-file.js'
import { abortOnStop, Stopped } from '../stop-signal.js'
import { deploymentText } from './words.js'

interface DeployOptions extends SchemaOptions, StoreOptions {
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly optional?: boolean
  readonly recovery: number
  readonly protection: boolean
  readonly consumers: boolean
  readonly autoscaled?: boolean
}

/** Shows what a table lacks, asks, and brings it up. A folder of data is made only when that is agreed to. */
export async function deployCommand(file: string, options: DeployOptions): Promise<void> {
  const loaded = await loadGraph(file, options)
  const asked = await inStore(loaded, options, on => ask(on, options))
  if (!options.dryRun) await inStore(loaded, options, on => apply(on, options, asked), MAKES)
}

function chosenOf({ table }: OnStore, options: DeployOptions): Chosen {
  const { recovery, protection, consumers, autoscaled = false, optional = false } = options
  return { table, recoveryDays: recovery, deletionProtection: protection, consumers, autoscaled, optional }
}

/** Shows what is to be done, and answers whether that is anything; throws where it cannot be, or nobody agrees. */
async function ask(on: OnStore, options: DeployOptions): Promise<boolean> {
  const { file, layout, store, table } = on
  const found = await deployment(layout, store, chosenOf(on, options))
  if (!options.json) print(deploymentText(layout, found))
  const isImpossible = found.difference.impossible.some(each => !each.optional)
  if (options.json && (isImpossible || options.dryRun)) printJson({ ...found, done: [] })
  if (isImpossible) throw new Failure(`table '${table}' cannot be changed to this schema; create another table`)
  // A fingerprint alone is nothing to ask about.
  const changes = changesOf(found, options.optional ?? false)
  if (options.dryRun) afterwards(file, layout, found.drift)
  else if (changes) await agree(options)
  return changes
}

async function apply(on: OnStore, options: DeployOptions, changes: boolean): Promise<void> {
  const { file, layout, store, table } = on
  const signal = abortOnStop()
  const line = progress()
  const startMs = performance.now()
  try {
    const done = await deploy(layout, store, {
      ...chosenOf(on, options),
      signal,
      progress: ({ message, state, busy }) => {
        if (state === 'waiting') line.say(() => `${busy.join(', ')} (${elapsed(startMs)})`)
        if (state !== 'done' || options.json) return
        line.end()
        print(`${paint('green', '✓')} ${message}`)
      },
    })
    line.end()
    if (options.json) printJson(done)
    for (const message of done.later)
      console.error(`Not yet: ${message} DynamoDB changes a TTL once an hour; run the command again then.`)
    if (!options.json && changes)
      print(`${table} matches the schema${done.later.length > 0 ? ', except for that' : ''}.`)
    afterwards(file, layout, done.drift)
  } catch (error) {
    line.end()
    if (!(error instanceof Stopped)) throw error
    throw new Interrupted('stopped; run the same command again to continue', error)
  }
}

function changesOf({ create, consumers, difference: { steps, busy } }: Deployment, optional: boolean): boolean {
  return (create ?? consumers) !== undefined || busy.length > 0 || steps.some(step => optional || !step.optional)
}

async function agree({ yes }: DeployOptions): Promise<void> {
  if (yes) return
  if (!canAsk())
    throw new Failure('nothing was changed, because there is no terminal to confirm on; add --yes to apply the changes')
  const asking = new Asking()
  try {
    if (await asking.confirm('Apply these changes?')) return
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
  } finally {
    asking.close()
  }
  throw new Failure('nothing was changed')
}

function afterwards(file: string, layout: Layout, drift: readonly string[]): void {
  if (drift.length === 0) return
  console.error(`The items were written under another layout; run ${backfillHint(file, layout, drift)}.`)
}

const elapsed = (startMs: number) => `${Math.round((performance.now() - startMs) / 1000)} s`
