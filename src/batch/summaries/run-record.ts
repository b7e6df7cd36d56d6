import type { Context } from '../../graph/context.js'
import { toFnvHash } from '../../layout/fingerprint.js'
import { JOB_RUN_TOKEN, receiptKey } from '../../layout/items/internal-items.js'
import { WriteExpression } from '../../plan/write/expression.js'
import { GraphError } from '../../schema/error.js'
import type { SummaryJob } from './summary-job.js'
import type { RunTimes } from './summary-write.js'

const MOMENT = 'moment'
const COMPUTED = 'computed'
const DEFINITIONS = 'definitions'
const ENDED = 'ended'
const BEGUN = 'begun'

/** The runs of the jobs of one name. */
export interface LastRun extends RunTimes {
  /** The definitions that ran completely with the data of `moment`, which is empty if none ever ended. */
  readonly definitions: readonly string[]
  readonly ended: string
  /** The moment and the definition of a run that has written and not ended. */
  readonly begun?: string | undefined
}

/** Two jobs of one name differ in the hashes of their computations. Jobs of one definition have the same targets. */
export const definitionOf = ({ definition, type, into }: SummaryJob): string =>
  [toFnvHash(definition), ...Object.keys(into).map(name => `${type}.${name}`)].join(' ')

const isOfSameTarget = (one: string, other: string) => {
  const targets = new Set(one.split(' ').slice(1))
  return other.split(' ').some(target => targets.has(target))
}

/**
 * Whether a run wrote after the moment of this data. The data does not show what it wrote, so a result that equals the
 * data may differ from the live item.
 */
export const hasLateWrites = (last: LastRun | undefined, moment: string, definition: string): boolean =>
  last !== undefined &&
  ((last.begun !== undefined && last.begun !== `${moment} ${definition}`) ||
    (last.ended >= moment && last.definitions.some(each => isOfSameTarget(each, definition))))

/** Whether a job of another definition wrote summaries of the same data, which this one replaces. */
export const hasOtherDefinition = (last: LastRun | undefined, moment: string, definition: string): boolean =>
  last !== undefined &&
  ((last.moment === moment && last.definitions.length > 0) ||
    (last.begun?.startsWith(`${moment} `) === true && last.begun !== `${moment} ${definition}`))

/** The item with the moment of the data of the last complete run of a job. */
const recordKey = ({ layout }: Context, name: string) => receiptKey(layout, JOB_RUN_TOKEN + name)

/** The runs of the jobs of one name; undefined before the first. */
export async function lastRun(context: Context, name: string): Promise<LastRun | undefined> {
  const TableName = context.layout.design.name
  const { Item } = await context.store.getItem({ TableName, Key: recordKey(context, name), ConsistentRead: true })
  if (!Item) return undefined
  const [moment, computed, ended] = [MOMENT, COMPUTED, ENDED].map(each => Item[each]?.S ?? '') as [
    string,
    string,
    string,
  ]
  return { moment, computed, ended, definitions: Item[DEFINITIONS]?.SS ?? [], begun: Item[BEGUN]?.S }
}

/** Notes that a run is about to write, unless one that began before has not ended. */
export async function noteBegin(context: Context, name: string, moment: string, definition: string): Promise<void> {
  const expression = new WriteExpression()
  const { names, design } = context.layout
  const begun = expression.name(BEGUN)
  expression.set(begun, `if_not_exists(${begun}, ${expression.value({ S: `${moment} ${definition}` })})`)
  expression.set(expression.name(names.type), { S: '$receipt' })
  const request = { TableName: design.name, Key: recordKey(context, name) }
  await context.store.updateItem(expression.addWriteTo(request) as never)
}

/** Notes a complete run, unless one of later data has ended since. */
export async function noteRun(context: Context, name: string, run: LastRun): Promise<void> {
  const { moment, computed, ended, definitions } = run
  const expression = new WriteExpression()
  expression.where(expression.missing(MOMENT), `${expression.name(MOMENT)} <= ${expression.value({ S: moment })}`)
  const key = recordKey(context, name)
  const { names, design } = context.layout
  const Item = {
    ...key,
    [names.type]: { S: '$receipt' },
    [MOMENT]: { S: moment },
    [COMPUTED]: { S: computed },
    [ENDED]: { S: ended },
    [DEFINITIONS]: { SS: definitions },
  }
  try {
    await context.store.putItem(expression.addWriteTo({ TableName: design.name, Item }) as never)
  } catch (error) {
    if ((error as Error).name !== 'ConditionalCheckFailedException') throw error
  }
}

/** Rejects data that is older than that of the last run, which would take summaries back in time. */
export function assertNotOlder(name: string, last: RunTimes | undefined, moment: string): void {
  if (last && last.moment > moment)
    throw new GraphError(
      'batch.job',
      `job '${name}': its data is of ${moment}, but it already ran with data of ${last.moment}; use a later export.`,
    )
}
