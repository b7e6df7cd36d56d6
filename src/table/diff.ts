import type { TableDescription } from '../dynamodb/operations/table-description.js'
import type { TimeToLiveDescription } from '../dynamodb/operations/time-to-live.js'
import type { TableDesign } from '../layout/design.js'
import { givenDesign } from '../layout/given-layout.js'
import { checkOptions } from '../schema/refusal.js'
import { plural } from './diff/backfill.js'
import { earlyCapacity, lateCapacity } from './diff/capacity.js'
import { indexSteps } from './diff/indexes.js'
import { impossible } from './diff/keys.js'
import { type Protection, protectionSteps } from './diff/protection.js'
import { streamSteps, timeToLiveSteps } from './diff/settings.js'
import type { Compared, Impossible, Step, StepWords } from './diff/step.js'

/** How a live table differs from its design. */
export interface TableDifference {
  readonly table: string
  /** What the table is still busy with, before the first step. */
  readonly busy: readonly string[]
  /** In the order in which they must be taken, each awaited. */
  readonly steps: readonly Step[]
  readonly impossible: readonly Impossible[]
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
  const table = live.TableName ?? givenDesign(design).name
  const compared: Compared = { design, table, live, ttl: options.ttl, autoscaled: options.autoscaled ?? false }
  const { steps, leftovers, kept } = indexSteps(compared)
  const leftoverNames = leftovers.flatMap(step => deletedIndexes(step))
  return {
    table,
    busy: busy(live),
    steps: [
      ...earlyCapacity(compared, kept),
      ...steps,
      ...lateCapacity(compared, leftoverNames),
      ...streamSteps(compared),
      ...protectionSteps(compared, options.protection ?? {}),
      ...leftovers,
      ...timeToLiveSteps(compared),
    ],
    impossible: impossible(compared),
  }
}

function deletedIndexes(step: Step): string[] {
  const updates = step.operation === 'UpdateTable' ? (step.input.GlobalSecondaryIndexUpdates ?? []) : []
  return updates.flatMap(update => update.Delete?.IndexName ?? [])
}

function busy(live: TableDescription): string[] {
  const indexes = (live.GlobalSecondaryIndexes ?? []).filter(({ IndexStatus = 'ACTIVE' }) => IndexStatus !== 'ACTIVE')
  const { TableStatus = 'ACTIVE' } = live
  return [
    ...(TableStatus === 'ACTIVE' ? [] : [`The table is ${TableStatus}.`]),
    ...indexes.map(({ IndexName, IndexStatus }) => `The index ${IndexName} is ${IndexStatus}.`),
  ]
}

/** A difference for people to read. */
export function differenceText(difference: TableDifference): string {
  const { table, busy, steps, impossible } = difference
  if (steps.length + impossible.length + busy.length === 0) return `${table}: matches the schema, nothing to change.\n`
  return stepsText(`${table}: `, difference)
}

/** Steps for people to read, of which there may be more than the table itself asks for. */
export function stepsText(
  begins: string,
  { busy, steps, impossible }: Pick<TableDifference, 'busy' | 'impossible'> & { readonly steps: readonly StepWords[] },
): string {
  const needed = steps.filter(step => !step.optional).length
  const counts = [
    ...(needed > 0 ? [`${plural(needed, 'step')} needed`] : []),
    ...(steps.length > needed ? [`${steps.length - needed} optional`] : []),
    ...(impossible.length > 0 ? [`${impossible.length} not possible`] : []),
  ]
  return [
    `${begins}${counts.length > 0 ? counts.join(', ') : 'matches the schema, but is busy'}`,
    ...section('Wait first', busy),
    ...section(
      'Cannot be changed on a live table',
      impossible.map(one => one.message),
    ),
    ...steps.map(stepText),
    '',
  ].join('\n')
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map(line => `- ${line}`)]
}

function stepText(step: StepWords, position: number, { length }: { readonly length: number }): string {
  const wait = position < length - 1 ? [`Before the next step, wait until ${step.wait}.`] : []
  const [first, ...more] = [`${step.optional ? '(optional) ' : ''}${step.message}`, step.cost, ...wait]
  const mark = `${position + 1}. `
  return ['', `${mark}${first}`, ...more.map(line => `${' '.repeat(mark.length)}${line}`)].join('\n')
}
