import type { TableDescription, TimeToLiveDescription } from '../../dynamodb/operation-types.js'
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

/** The difference between a live table and its design. */
export interface TableDifference {
  readonly table: string
  /** Operations in progress, which must end before the first step. */
  readonly busy: readonly string[]
  /** The steps in their order. Each must be complete before the next. */
  readonly steps: readonly Step[]
  readonly impossible: readonly ImpossibleChange[]
}

/** The state of a table that its description does not contain. */
export interface DiffOptions {
  /** The live TTL, which DescribeTable does not return; off by default. */
  readonly ttl?: TimeToLiveDescription | undefined
  /** Whether autoscaling manages the capacity, so that deviations from the design are expected. */
  readonly autoscaled?: boolean | undefined
  /** The wanted protection of the data; unchanged by default. */
  readonly protection?: Protection | undefined
}

/**
 * Compares a live table with its design.
 *
 * @param live - the result of DescribeTable
 * @returns the steps to the design in their order, and the differences that cannot be changed
 * @throws {call.argument} if `design` is not a table design
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { createTableInput, diff, formatDifference } from 'edgewise/table'
 *
 * const { design } = layout(graph('social', [node('user', { name: string() }, { id: 'name' })]))
 * const store = memory()
 * await store.createTable(createTableInput(design))
 * const { Table } = await store.describeTable({ TableName: design.name })
 * if (Table) console.log(formatDifference(diff(design, Table)))
 * ```
 */
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

/**
 * Formats a difference as text: its steps with their costs, and the changes that are not possible.
 *
 * @example
 * ```ts
 * import { formatDifference } from 'edgewise/table'
 *
 * console.log(formatDifference({ table: 'social', busy: [], steps: [], impossible: [] }))
 * ```
 */
export function formatDifference(difference: TableDifference): string {
  const { table, busy, steps, impossible } = difference
  if (steps.length + impossible.length + busy.length === 0) return `${table}: matches the schema, nothing to change.\n`
  return formatSteps(`${table}: `, difference)
}

/** Formats steps as text. Callers may add steps of their own to those of the table. */
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
