import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import type { TimeToLiveDescription } from '../../dynamodb/operations/time-to-live.js'
import type { TableDesign } from '../../layout/design.js'
import { requireDesign } from '../../layout/require-layout.js'
import { checkOptions } from '../../schema/checks/assertions.js'
import { pluralize } from './backfill.js'
import { capacityStepsAfterIndexes, capacityStepsBeforeIndexes } from './capacity.js'
import { indexSteps } from './indexes.js'
import { findImpossibleChanges } from './keys.js'
import { type Protection, protectionSteps } from './protection.js'
import type { DiffContext, ImpossibleChange, Step, StepDescription } from './step.js'
import { streamSteps, timeToLiveSteps } from './stream-and-ttl.js'

/** How a live table differs from its design. */
export interface TableDifference {
  readonly table: string
  /** What the table is still busy with, before the first step. */
  readonly busy: readonly string[]
  /** In the order in which they must be taken, each awaited. */
  readonly steps: readonly Step[]
  readonly impossible: readonly ImpossibleChange[]
}

/** What a description of a table does not say. */
export interface DiffOptions {
  /** The live TTL, which no description of a table has; off where it is not given. */
  readonly ttl?: TimeToLiveDescription | undefined
  /** Whether the capacity is left to autoscaling, so that another than the designed one is as it should be. */
  readonly autoscaled?: boolean | undefined
  /** What is to guard the data; left as it is unless given. */
  readonly protection?: Protection | undefined
}

/** What must change for a live table to be as its layout asks, in which order, and what cannot. */
export function diff(design: TableDesign, live: TableDescription, options: DiffOptions = {}): TableDifference {
  checkOptions('diff', options, 'ttl, autoscaled, protection')
  if (options.protection !== undefined)
    checkOptions('protection', options.protection, 'recoveryDays, recovery, deletion')
  const table = live.TableName ?? requireDesign(design).name
  const context: DiffContext = { design, table, live, ttl: options.ttl, autoscaled: options.autoscaled ?? false }
  const { steps, leftovers, retained } = indexSteps(context)
  const leftoverNames = leftovers.flatMap(step => deletedIndexes(step))
  return {
    table,
    busy: busyMessages(live),
    steps: [
      ...capacityStepsBeforeIndexes(context, retained),
      ...steps,
      ...capacityStepsAfterIndexes(context, leftoverNames),
      ...streamSteps(context),
      ...protectionSteps(context, options.protection ?? {}),
      ...leftovers,
      ...timeToLiveSteps(context),
    ],
    impossible: findImpossibleChanges(context),
  }
}

function deletedIndexes(step: Step): string[] {
  const updates = step.operation === 'UpdateTable' ? (step.input.GlobalSecondaryIndexUpdates ?? []) : []
  return updates.flatMap(update => update.Delete?.IndexName ?? [])
}

function busyMessages(live: TableDescription): string[] {
  const indexes = (live.GlobalSecondaryIndexes ?? []).filter(({ IndexStatus = 'ACTIVE' }) => IndexStatus !== 'ACTIVE')
  const { TableStatus = 'ACTIVE' } = live
  return [
    ...(TableStatus === 'ACTIVE' ? [] : [`The table is ${TableStatus}.`]),
    ...indexes.map(({ IndexName, IndexStatus }) => `The index ${IndexName} is ${IndexStatus}.`),
  ]
}

/** A difference for people to read. */
export function formatDifference(difference: TableDifference): string {
  const { table, busy, steps, impossible } = difference
  if (steps.length + impossible.length + busy.length === 0) return `${table}: matches the schema, nothing to change.\n`
  return formatSteps(`${table}: `, difference)
}

/** Steps for people to read, of which there may be more than the table itself asks for. */
export function formatSteps(
  heading: string,
  {
    busy,
    steps,
    impossible,
  }: Pick<TableDifference, 'busy' | 'impossible'> & { readonly steps: readonly StepDescription[] },
): string {
  const needed = steps.filter(step => !step.optional).length
  const counts = [
    ...(needed > 0 ? [`${pluralize(needed, 'step')} needed`] : []),
    ...(steps.length > needed ? [`${steps.length - needed} optional`] : []),
    ...(impossible.length > 0 ? [`${impossible.length} not possible`] : []),
  ]
  return [
    `${heading}${counts.length > 0 ? counts.join(', ') : 'matches the schema, but is busy'}`,
    ...formatSection('Wait first', busy),
    ...formatSection(
      'Cannot be changed on a live table',
      impossible.map(one => one.message),
    ),
    ...steps.map(formatStep),
    '',
  ].join('\n')
}

function formatSection(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map(line => `- ${line}`)]
}

function formatStep(step: StepDescription, position: number, { length }: { readonly length: number }): string {
  const wait = position < length - 1 ? [`Before the next step, wait until ${step.wait}.`] : []
  const [first, ...more] = [`${step.optional ? '(optional) ' : ''}${step.message}`, step.cost, ...wait]
  const mark = `${position + 1}. `
  return ['', `${mark}${first}`, ...more.map(line => `${' '.repeat(mark.length)}${line}`)].join('\n')
}
